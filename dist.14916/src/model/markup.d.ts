/** The text that a reader of HTML (or of Markdown with HTML) sees: without tags, scripts and styles. */
export declare function toPlainText(markup: string): string;
