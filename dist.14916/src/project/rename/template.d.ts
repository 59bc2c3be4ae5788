import type { Names } from '../../model/rename/renames.ts';
/**
 * A template with the new names of columns and lists. Columns are renamed wherever they are a whole word. A
 * list is renamed only in an expression, as a property (`item.comment`) or inside a row's block: at the top
 * level a controller may have chosen the same name.
 */
export declare function renameInTemplate(text: string, names: {
    readonly columns: Names;
    readonly relations: Names;
}): string;
