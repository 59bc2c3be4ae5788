/** Characters of a value that a definition's regular expression is tried on; longer values fail it. */
const PATTERN_CHARACTERS = 1000;

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@.<>"(),:;\\[\]]+(\.[^\s@.<>"(),:;\\[\]]+)+$/u;

/** Whether text is an e-mail address; a top-level domain may have any length. */
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text);

/** Whether text is a web address: http, https or ftp, with a host. */
export function isUrl(text: string): boolean {
  if (!/^(?:https?|ftp):\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  return URL.canParse(text);
}

/** Whether text is a colour of six hexadecimal digits, with or without `#`. */
export const isHexColor = (text: string): boolean => /^#?[0-9a-f]{6}$/i.test(text);

/** Whether text is a payment card's number: 12 to 19 digits whose last one checks (Luhn, ISO/IEC 7812-1). */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^[2-6]\d{11,18}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Words of a text: what spaces part. */
export const countWords = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;

/** Characters of a text as people count them, not bytes and not halves of an emoji. */
export const countCharacters = (text: string): number => [...text].length;

interface PatternParts {
  readonly source: string;
  readonly flags: string;
}

/** Parts of a pattern written with delimiters (`/^a+$/i`, `#…#`) or without. */
function splitPattern(pattern: string): PatternParts {
  const [, , source, flags] = /^([/#~%!@])([\s\S]*)\1([a-z]*)$/.exec(pattern) ?? [];
  return source === undefined
    ? { source: pattern, flags: '' }
    : { source, flags: (flags ?? '').replace(/[^imsu]/g, '') };
}

/**
 * What is wrong with a definition's regular expression; undefined where nothing is.
 *
 * Refused are those that do not compile, and those that repeat without bound what itself repeats or has alternatives, such as `(a+)+` and
 * `(a|ab)*`: on some short texts they take for ever. With values of at most 1,000 characters the rest stay quick
 * enough, unless written to be slow on purpose.
 */
export function findPatternFault(pattern: string): string | undefined {
  const { source, flags } = splitPattern(pattern);
  try {
    new RegExp(source, flags);
  } catch {
    return 'is not a regular expression';
  }
  if (/\\[1-9]|\\k</.test(source)) return 'refers back to a group, which can take for ever';
  return hasNestedRepeat(source)
    ? 'repeats a group that itself repeats or has alternatives, which can take for ever'
    : undefined;
}

function hasNestedRepeat(source: string): boolean {
  const bare = source.replace(/\\[\s\S]/g, 'x').replace(/\[[^\]]*\]/g, 'x');
  const open: { isRisky: boolean; optional: number }[] = [];
  for (let index = 0; index < bare.length; index += 1) {
    const character = bare[index];
    if (character === '(') {
      open.push({ isRisky: false, optional: 0 });
      continue;
    }
    const isRepeat = /^(?:[*+]|\{\d+,\d*\})/.test(bare.slice(index));
    const top = open.at(-1);
    if (character === ')') {
      const closed = open.pop();
      const outer = open.at(-1);
      const isRepeated = /^(?:[*+]|\{\d+,\d*\})/.test(bare.slice(index + 1));
      if (closed?.isRisky && isRepeated) return true;
      if (closed?.isRisky && outer) outer.isRisky = true;
    } else if (top && (isRepeat || character === '|')) top.isRisky = true;
    else if (top && character === '?' && !/[(*+?}]/.test(bare[index - 1] ?? '')) {
      // One optional part leaves one way to read a text; with two, as in `(a?b?)+`, there are as many as it has letters.
      top.optional += 1;
      if (top.optional > 1) top.isRisky = true;
    }
  }
  return false;
}

/** Compiles a definition's regular expression to a test that cannot hang; one that is refused passes nothing. */
export function compilePatternTest(pattern: string): (text: string) => boolean {
  if (findPatternFault(pattern) !== undefined) return () => false;
  const { source, flags } = splitPattern(pattern);
  const regexp = new RegExp(source, flags);
  return (text) => text.length <= PATTERN_CHARACTERS && regexp.test(text);
}
