import { TreadleError } from './errors.ts';
export type Pairs = Record<string, unknown>;
/** Maximum names and values of one query string or form. */
export declare const MAX_PAIRS = 1000;
/** Why a key is refused: it could reach a prototype. */
export declare const findKeyFault: (key: string) => TreadleError | undefined;
/**
 * Why a name of a query or form is refused. Ignoring its pair instead would drop a condition and return
 * more rows.
 */
export declare function findNameFault(name: string): TreadleError | undefined;
/**
 * Sets one value under a name with brackets: `a[b][c]`, `a[]`, `a`. A repeated plain name makes a list.
 * @throws REQUEST_NAME_REFUSED (400) for a prototype name in it, or too many parts or characters.
 */
export declare function putPair(target: Pairs, name: string, value: unknown): void;
/** Converts the objects with keys 0, 1, 2 … that `a[]` and `a[0]` built into lists. */
export declare function closePairs(target: Pairs): Pairs;
/**
 * Parses a query string or a urlencoded body.
 * @param limit Maximum number of pairs. Default {@link MAX_PAIRS}.
 * @throws REQUEST_PAIRS_TOO_MANY (413). @throws REQUEST_NAME_REFUSED (400).
 */
export declare function parsePairs(text: string, limit?: number): Pairs;
