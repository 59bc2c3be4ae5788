import { TreadleError } from '../../core/errors.ts';
import type { Request } from '../../core/request.ts';
import type { Refusal, Response } from '../../core/response.ts';
export declare const EMPTY = "Cannot be empty";
export declare const EMAIL_TAKEN = "Email Already Exists";
export declare const MISMATCH = "Passwords do not match";
export declare const WRONG_PASSWORD = "That is not your current password";
/** For an account without a password. */
export declare const SIGN_IN_AGAIN = "This account has no password. Sign in again first, by your provider";
export declare const WRONG_PASSWORD_HERE = "That is not the password of this account";
export declare const NAME_REFUSED = "The name cannot be saved";
/** Characters of an e-mail address. @see RFC 5321 section 4.5.3.1.3 */
export declare const EMAIL_MOST = 254;
export declare const EMAIL_INVALID = "Should be a valid e-mail address";
export declare const invalid: (validation: Readonly<Record<string, string>>) => Refusal;
/** Refuses an attempt that must wait, with `Retry-After`. */
export declare function refuseGuess(response: Response, waitSeconds: number): void;
/** Whether too many hashes are waiting. */
export declare const isBusy: (error: unknown) => error is TreadleError;
/**
 * Wraps a listener that hashes: if the hash queue is full, shows the form again with 503 and `Retry-After`,
 * without logging each error.
 */
export declare const tellBusy: (listener: (request: Request, response: Response) => Promise<void>) => (request: Request, response: Response) => Promise<void>;
export declare const NOBODY: Refusal;
/** The same text for an unknown e-mail and a wrong password, so that nobody learns which accounts exist. */
export declare const LOGIN_WRONG: Refusal;
/** With `auth.verify` the same text for an account that is not confirmed yet. */
export declare const LOGIN_WRONG_OR_UNVERIFIED: Refusal;
export declare const LINK_GONE: Refusal;
export declare const NO_MAIL: Refusal;
export declare const INACTIVE: Refusal;
export declare const LAST_WAY_IN = "This is the only way into the account. Set a password or link a provider first.";
export declare const UNCONFIRMED: Refusal;
export declare const SIGNUP_CLOSED: Refusal;
