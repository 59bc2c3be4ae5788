/** Milliseconds left for the expressions of one row, so that many values of a list do not add up. */
export interface Patience {
    left: number;
}
export declare const createPatience: () => Patience;
/** True if a text matches; false also if the time limit was reached. */
export type PatternTest = (text: string, patience?: Patience) => boolean;
/**
 * The fault of a definition's regular expression; undefined if valid.
 *
 * Refuses expressions that do not compile, and unbounded repetitions of something that itself repeats or has
 * alternatives, such as `(a+)+` and `(a|ab)*`: they could reach the time limit on short and harmless texts.
 */
export declare function findPatternFault(pattern: string): string | undefined;
/**
 * Compiles a definition's regular expression to a test that ends within 50 ms for any expression and text. A
 * refused expression matches nothing. Fast expressions run directly, all others with a time limit.
 */
export declare function compilePatternTest(pattern: string): PatternTest;
