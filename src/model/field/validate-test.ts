import { isEmailAddress, toAsciiDomain } from '../../core/text/email.ts';

/** True if a text is an e-mail address with at least two labels in its domain; the last may have any length. */
export function isEmail(text: string): boolean {
  const address = toAsciiDomain(text);
  return isEmailAddress(address) && address.includes('.', address.indexOf('@'));
}

/** True if a text is a web address: http, https or ftp, with a host. */
export function isUrl(text: string): boolean {
  if (!/^(?:https?|ftp):\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  return URL.canParse(text);
}

/** True if a text is a colour of six hexadecimal digits, with or without `#`. */
export const isHexColor = (text: string): boolean => /^#?[0-9a-f]{6}$/i.test(text);

/**
 * True if a text is a payment card number: 12 to 19 digits with a valid check digit (Luhn, ISO/IEC 7812-1).
 */
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

/** Number of words, separated by white space. */
export const countWords = (text: string): number => text.trim().split(/\s+/).filter(Boolean).length;

/** Number of characters (code points, not UTF-16 units). */
export const countCharacters = (text: string): number => [...text].length;
