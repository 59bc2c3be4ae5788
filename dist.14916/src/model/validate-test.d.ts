/** True if a text is an e-mail address; a top-level domain may have any length. */
export declare const isEmail: (text: string) => boolean;
/** True if a text is a web address: http, https or ftp, with a host. */
export declare function isUrl(text: string): boolean;
/** True if a text is a colour of six hexadecimal digits, with or without `#`. */
export declare const isHexColor: (text: string) => boolean;
/**
 * True if a text is a payment card number: 12 to 19 digits with a valid check digit (Luhn, ISO/IEC 7812-1).
 */
export declare function isCardNumber(text: string): boolean;
/** Number of words, separated by white space. */
export declare const countWords: (text: string) => number;
/** Number of characters (code points, not UTF-16 units). */
export declare const countCharacters: (text: string) => number;
