import * as z from 'zod';
import type { Context, Services } from '../../../../plan/feature.ts';
import { type AuthRow } from '../../sql.ts';
import type { Pair } from '../factors.ts';
/** JSON of a posted credential in this shape; undefined if it has another. */
export declare function parseCredential<T>(shape: z.ZodType<T>, posted: unknown): T | undefined;
/** Names an account to its passkeys without its id or e-mail: 256 bits. @see WebAuthn section 14.6.1 */
export declare const toHandle: ({ secret }: Pick<Services, 'secret'>, authId: number) => Buffer;
export interface Check {
    readonly purpose: 'login' | 'step';
    /** Whose passkey it must be; undefined: the passkey says who. */
    readonly auth?: AuthRow;
}
/**
 * Checks the stage's `credential`: the answer of a passkey to the challenge of the stage's `state`. Takes the challenge and
 * notes the use. As the only factor it needs user verification (a PIN, a finger); as the second one not.
 * @returns The account; undefined after a refusal.
 */
export declare function checkPasskey(context: Context, pair: Pair, check: Check): Promise<AuthRow | undefined>;
