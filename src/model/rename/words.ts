/** Words as templates and definitions have them: `-` joins, so that `article_title-long` is one word and no half of it is. */
const JOINED = /[\p{L}\p{N}_$]+(?:-[\p{L}\p{N}_$]+)*/gu;
/** Words as code has them, where `-` is minus. */
const PLAIN = /[\p{L}\p{N}_$]+/gu;
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;

/** A text with each whole word as `toWord` has it. */
export const replaceWords = (text: string, toWord: (word: string) => string): string => text.replace(JOINED, toWord);

/** As {@link replaceWords}, for code. */
export const replaceCodeWords = (text: string, toWord: (word: string) => string): string => text.replace(PLAIN, toWord);

/** A template with each whole word as `toWord` has it, told whether it stands between `{{` and `}}`. */
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

/** Whether a text has one of these words, whole; `-` parts words here, so that nothing is passed over. */
export function hasWord(text: string, words: ReadonlySet<string>): boolean {
  for (const [word] of text.matchAll(PLAIN)) if (words.has(word)) return true;
  return false;
}
