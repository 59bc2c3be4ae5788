import type { Dialect } from '../database/database.ts';
import { type Draft } from './draft.ts';
import { type Fragment } from './operator.ts';
import { type Sight } from './predicate.ts';
import type { Source } from './source.ts';
/** The words of a search. */
export interface Words {
    /** Indexes of their values: one for all words if there is a single index table, else one per word. */
    readonly slots: readonly number[];
    /** Letters of the shortest word. */
    readonly letters: number;
    /** True if no row can match: `q` holds no word, or no column is searchable. */
    readonly isVoid: boolean;
}
/** Parses `q`. */
export declare function parseWords(q: unknown, draft: Draft): Words | undefined;
/** The dialect, and the related rows that may be found. */
interface Seeing {
    readonly dialect: Dialect;
    readonly sight: Sight;
}
/** How a statement finds rows by words. */
export interface WordsPlan {
    /**
     * Placed before the searched table, so that SQLite starts from the few rows with the words instead of scanning
     * the table.
     */
    readonly lead: Fragment | undefined;
    readonly tests: readonly Fragment[];
    /** Alias of the lead if its `rowid` is the searched row's key, in order. */
    readonly ordered: string | undefined;
}
/** Compiles the words of a search. */
export declare function compileWords({ slots }: Words, source: Source, seeing: Seeing): WordsPlan;
export {};
