import type { Random } from '../core/clock.ts';
import type { Request } from '../core/request.ts';
import type { PasswordHashes } from './field-kind-row.ts';
import type { ColumnModel } from './model.ts';
/** Maximum passwords hashed beforehand per request; at 0.3 s each, all within 6 s. */
export declare const MOST_PASSWORDS = 20;
/** The hashes made beforehand for a request; undefined if there are none. */
export declare const findHashes: (request: Request) => PasswordHashes | undefined;
/** Shares the hashes with another request, such as an operation of a batch. */
export declare function shareHashes(from: Request, to: Request): void;
/**
 * Hashes the passwords of a request's rows before a transaction starts: it may last 5 s, but a hash takes 0.3
 * s and waits for earlier ones. Does nothing if already done.
 *
 * @returns False, with nothing hashed, if there are more than {@link MOST_PASSWORDS}.
 * @throws PASSWORD_BUSY (503) if the queue of hashes is too long.
 */
export declare function hashAhead(request: Request, columns: readonly ColumnModel[], rows: readonly unknown[], random: Random): Promise<boolean>;
/** As {@link hashAhead}, for passwords that are not columns of rows. */
export declare function hashTexts(request: Request, passwords: readonly string[], random: Random): Promise<boolean>;
