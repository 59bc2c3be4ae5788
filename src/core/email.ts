/** Characters of an e-mail address. @see RFC 5321 section 4.5.3.1.3 */
const MOST = 254;

/** No blanks, control or invisible characters: addresses that look equal must be equal, and none adds a header. */
const EMAIL = /^[^\s\p{C}@<>"(),:;[\]\\]+@[^\s\p{C}@<>"(),:;[\]\\]+$/u;

/** Whether mail can be sent to a text. The domain may be a single word, such as `localhost`. */
export const isEmailAddress = (text: string): boolean => text.length <= MOST && EMAIL.test(text);

/** An e-mail address as accounts store and compare it: trimmed, NFC, lower case. */
export const normalizeEmail = (address: string): string => address.trim().normalize('NFC').toLowerCase();
