import type { Row } from '../database/database.ts';
import type { Source } from './source.ts';
/** Decodes JSON columns in place. */
export declare function decodeRows({ json }: Source, rows: Row[]): Row[];
/** A row that the database printed as JSON. */
export declare const parseRow: (text: string | undefined) => Row | undefined;
/** A key as the column compares it; undefined if no row can have it. */
export declare function toKeyValue(isInteger: boolean, value: unknown): string | number | undefined;
