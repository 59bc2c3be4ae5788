/** The fault of a definition's or field's name; undefined for a valid name. */
export declare function findNameFault(name: string): string | undefined;
/** As {@link findNameFault}, and also refuses names reserved by Treadle or a database. */
export declare const findSchemaNameFault: (name: string) => string | undefined;
export declare const findFieldNameFault: (name: string) => string | undefined;
export declare const findRelationNameFault: (name: string) => string | undefined;
