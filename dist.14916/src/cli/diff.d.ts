/** The diff of two texts, with one line of context before and after each change. */
export declare function toDiff(before: string, after: string, most?: number): string[];
