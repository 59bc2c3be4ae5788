import type { SeeRelated } from './predicate.ts';
import type { Source } from './source.ts';
/** Names of the readable columns of one schema; undefined: all. Ids are always readable. */
type Readable = ReadonlySet<string> | undefined;
/** The columns that the caller may read, of the searched rows and of related rows. */
export interface View {
    readonly read?: Readable;
    /** The columns of `read` that every row shows; only these can be filtered or sorted by. Default: as `read`. */
    readonly sure?: Readable;
    readonly see?: SeeRelated | undefined;
}
/** Identifies a view among the others; empty for the unrestricted view. */
export declare function toViewText(source: Source, view: View): string;
/**
 * The source without the columns that a view hides: they cannot be shown, filtered, sorted, grouped or counted.
 *
 * The search index does not record which column a word is in. If the view hides a searchable column of the
 * schema, `q` is refused: an answer would reveal that column's words. If it hides one of a 1:1 relation, `q` does
 * not search that relation.
 *
 * @param key Distinguishes the view's statements from those of others.
 */
export declare function narrowSource(whole: Source, { read, sure, see }: View, key: string): Source;
export {};
