/**
 * Converts Markdown (CommonMark with tables and strikethrough) to HTML. HTML in it is escaped, so the result
 * needs no cleaning.
 */
export declare function toMarkdown(value: string): string;
