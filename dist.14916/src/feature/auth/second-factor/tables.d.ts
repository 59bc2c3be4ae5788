import type { SystemTable } from '../../../database/database.ts';
/** The tables of second factors. Rows go with their account. */
export declare const secondFactorTables: readonly SystemTable[];
