import type { SchemaModel } from '../../model/model.ts';
/**
 * The import's name for a key: the full column name for a column or a field, or a relation's key; undefined for an
 * unknown key.
 */
export declare function findColumn(schema: SchemaModel, name: string): string | undefined;
/** Parses `--map key=column` entries. @throws CLI_USAGE if one names no column. */
export declare function parseColumnMap(schema: SchemaModel, pairs: readonly string[]): Map<string, string>;
export interface HeadingOptions {
    readonly map: ReadonlyMap<string, string>;
    readonly ignoresUnknown: boolean;
}
/**
 * Checks a CSV header before any row is read, because an unknown name would be a fault of every row.
 *
 * @throws IMPORT_FILE_BROKEN
 */
export declare function checkHeading(schema: SchemaModel, names: readonly string[], options: HeadingOptions): void;
/** Renames the keys of a row with `--map`. */
export declare function renameKeys(row: Readonly<Record<string, unknown>>, map: ReadonlyMap<string, string>): Readonly<Record<string, unknown>>;
/**
 * Parses a CSV cell of raw JSON that is a number, true, false or null; lists, objects and quoted text are parsed
 * later.
 */
export declare function toJsonCell(cell: unknown): unknown;
