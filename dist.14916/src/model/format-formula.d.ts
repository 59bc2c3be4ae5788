/** The value of an arithmetic expression such as `2 * (3 + 4)`; undefined if it is invalid or not finite. */
export declare function computeFormula(text: string): number | undefined;
