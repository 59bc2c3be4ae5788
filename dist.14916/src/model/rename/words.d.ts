/** Replaces each whole word of a text. */
export declare const replaceWords: (text: string, toWord: (word: string) => string) => string;
/** As {@link replaceWords}, for code. */
export declare const replaceCodeWords: (text: string, toWord: (word: string) => string) => string;
/** Replaces each whole word of a template; `toWord` is told whether it is inside `{{` and `}}`. */
export declare function replaceTemplateWords(text: string, toWord: (word: string, isExpression: boolean) => string): string;
/** True if a text contains one of these words; `-` separates words here, so that nothing is missed. */
export declare function hasWord(text: string, words: ReadonlySet<string>): boolean;
