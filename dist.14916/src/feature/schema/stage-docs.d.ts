/** Descriptions of stage keys and results, for `treadle events` and the docs. */
export declare const schemaStage: {
    schema: string;
};
export declare const keyStage: {
    schema: string;
    '<schema>_id': string;
};
export declare const columnStage: {
    '<column>': string;
};
export declare const relatedStage: {
    '<relation>_id': string;
};
export declare const pairStage: {
    schema1: string;
    schema2: string;
    '<schema>_id': string;
    relation: string;
};
export declare const searchStage: {
    schema: string;
    q: string;
    filter: string;
    sort: string;
    limit: string;
    offset: string;
    after: string;
    before: string;
    fields: string;
    expand: string;
    total: string;
    group: string;
    sum: string;
    count: string;
};
export declare const ROW = "The row with the columns of its 1:1 relations, without passwords.";
