/** A description for a line of a terminal: the shapes have sentences in Markdown. */
export declare function toPlain(description: string): string;
/** Its first sentence, for places with one line: a question, or an error. */
export declare const toHint: (description: string) => string;
/** A noun with its indefinite article. */
export declare const withArticle: (words: string) => string;
