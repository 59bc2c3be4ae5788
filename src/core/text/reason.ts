/** Maximum characters of a stored reason. */
const MAX_REASON = 1000;

/** A text without lone surrogates: U+FFFD stands in their place. */
export const toWellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

// A database refuses U+0000, and a page or terminal the other control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text that every database stores: lone surrogates and control characters are U+FFFD. */
const toCleanText = (text: string): string => toWellFormed(text).replace(UNSTORABLE, '\ufffd');

/** The text of any thrown value. It never throws, whatever the value's getters do. */
function readText(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name);
    if (typeof error === 'object' && error !== null) return JSON.stringify(error) ?? String(error);
    return String(error);
  } catch {
    return 'An error that cannot be read.';
  }
}

const READ = ['name', 'message', 'stack', 'cause', 'code', 'status', 'detail', 'hint', 'headers'];

/** The value itself, or an error in its place if reading what errors have would throw. */
export function toReadableError(error: unknown): unknown {
  try {
    if (error instanceof Error) {
      for (const name of READ) Reflect.get(error, name);
    }
    return error;
  } catch {
    return new Error('An error that cannot be read was thrown.', { cause: error });
  }
}

/** Why something failed, from any thrown value: a text for the database and for lists, of at most 1,000 characters. */
export function toReason(error: unknown): string {
  const text = readText(error);
  // Cut first: a message may have megabytes.
  const clean = toCleanText(text.slice(0, MAX_REASON + 1));
  return clean.length <= MAX_REASON ? clean : `${clean.slice(0, MAX_REASON - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
