/**
 * The candidate that a mistyped word most likely meant; undefined if none is close (a third of its letters,
 * at least 1).
 *
 * @param most Maximum edits, if fewer.
 */
export declare function suggest(word: string, candidates: Iterable<string>, most?: number): string | undefined;
/** Hint for an unknown word: `Did you mean "x"?`, else the candidates. */
export declare function toDidYouMean(word: string, candidates: Iterable<string>): string;
