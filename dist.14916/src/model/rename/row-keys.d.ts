import type { Definitions } from '../definitions.ts';
type Marked = Map<string, string>;
/** The keys of a schema's rows or of a stage about them: name by a mark that no rename changes. */
export interface RowKeys {
    readonly columns: Marked;
    readonly relations: Marked;
    /** Computed formats, which add a value under the field's own name. */
    readonly computed: Marked;
}
/**
 * Keys of the rows of every schema that can be parsed.
 *
 * @param toFormer Maps a schema's name to its name before the rename, which is the result's key. Default: its
 * name.
 */
export declare function readRowKeys(definitions: Definitions, toFormer?: (schema: string) => string): Map<string, RowKeys>;
export {};
