/** Whether mail can be sent to a text. The domain may be a single word, such as `localhost`. */
export declare const isEmailAddress: (text: string) => boolean;
/** An e-mail address as accounts store and compare it: trimmed, NFC, lower case. */
export declare const normalizeEmail: (address: string) => string;
