import type { Names } from '../../model/rename/renames.ts';
export interface FixtureNames {
    readonly columns: Names;
    /** Field names without the schema's prefix; renamed only as a row's own keys. */
    readonly fields: Names;
}
/** Renames the keys of JSON or NDJSON rows; keeps every other byte. */
export declare function renameKeys(text: string, { columns, fields }: FixtureNames): string;
/** Renames the columns in the header line of CSV rows. */
export declare function renameHeader(text: string, { columns, fields }: FixtureNames): string;
