// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/;

/** Whether a text has no line break and no other control character (C0, C1, U+2028, U+2029). */
export const isOneLine = (text: string): boolean => !CONTROL.test(text);

/** A text from outside as one line: a blank in place of control characters. */
export const toOneLine = (text: string): string =>
  text
    .split(new RegExp(CONTROL, 'g'))
    .filter((part) => part !== '')
    .join(' ')
    .trim();
