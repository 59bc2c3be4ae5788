/** Words in templates and definitions: `-` is part of a word, so `article_title-long` is one word. */
const JOINED = /[\p{L}\p{N}_$]+(?:-[\p{L}\p{N}_$]+)*/gu;
/** Words in code, where `-` is minus. */
const PLAIN = /[\p{L}\p{N}_$]+/gu;
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;

/** Replaces each whole word of a text. */
export const replaceWords = (text: string, toWord: (word: string) => string): string => text.replace(JOINED, toWord);

/** As {@link replaceWords}, for code. */
export const replaceCodeWords = (text: string, toWord: (word: string) => string): string => text.replace(PLAIN, toWord);

/** Replaces each whole word of a template; `toWord` gets whether it is inside `{{` and `}}`. */
export function replaceTemplateWords(text: string, toWord: (word: string, isExpression: boolean) => string): string {
  const outside = (part: string): string => replaceWords(part, (word) => toWord(word, false));
  let last = 0;
  let made = '';
  for (const match of text.matchAll(EXPRESSION)) {
    made += outside(text.slice(last, match.index)) + replaceWords(match[0], (word) => toWord(word, true));
    last = match.index + match[0].length;
  }
  return made + outside(text.slice(last));
}

/** True if a text contains one of these words; `-` separates words here, so that nothing is missed. */
export function hasWord(text: string, words: ReadonlySet<string>): boolean {
  for (const [word] of text.matchAll(PLAIN)) if (words.has(word)) return true;
  return false;
}
