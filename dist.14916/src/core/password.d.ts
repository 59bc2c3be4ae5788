import { type Random } from './clock.ts';
import { type TurnsFigures } from './turns.ts';
/** State of the hash queue: waiting, running, milliseconds per hash, refused and dropped so far. */
export declare const readHashFigures: () => TurnsFigures;
/**
 * Hashes a password for storage, as a PHC string such as `$scrypt$ln=15,r=8,p=3$salt$key`.
 * @throws PASSWORD_BUSY (503) if the wait would be too long. @throws ClientGone if the client has
 *   disconnected.
 */
export declare function hashPassword(password: string, random?: Random): Promise<string>;
/**
 * Whether a password matches the stored hash. Without a stored hash (unknown account) it takes the same
 * time and returns false, so that timing does not tell which accounts exist.
 * @param device Key of a device that the account knows: it does not wait for strangers.
 * @throws PASSWORD_BUSY (503) if the wait would be too long. @throws ClientGone if the client has
 *   disconnected.
 */
export declare function verifyPassword(password: string, stored: string | null | undefined, device?: string): Promise<boolean>;
/** Whether a stored hash has outdated parameters: hash again at the next login. */
export declare function isPasswordOutdated(stored: string): boolean;
/** Whether text is a hash that {@link verifyPassword} can check; an import stores it unchanged. */
export declare function isPasswordHash(text: string): boolean;
