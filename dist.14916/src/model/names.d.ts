/** The plural of an English noun, preserving case: `Category` becomes `Categories`. */
export declare function toPlural(singular: string): string;
/** A label from a name: `first_name`, `first-name` and `firstName` become `First name`. */
export declare function toLabelText(name: string): string;
/** Former names of a renamed definition, latest first. */
export declare const listFormer: (was: string | readonly string[] | undefined) => readonly string[];
/** Table name, or part of a column name: `-` is not allowed in an identifier. */
export declare const toTable: (name: string) => string;
export declare const toPrimary: (schema: string) => string;
export declare const toColumn: (schema: string, field: string) => string;
/** Why a schema may not have this name; undefined if it may. */
export declare function findSchemaReserve(name: string): string | undefined;
/** Why a field may not have this name; undefined if it may. */
export declare function findFieldReserve(name: string): string | undefined;
/** Why a relation may not have this name; undefined if it may. */
export declare const findRelationReserve: (name: string) => string | undefined;
/** Why a column or table may not have this name; undefined if it may. */
export declare function findColumnReserve(column: string): string | undefined;
