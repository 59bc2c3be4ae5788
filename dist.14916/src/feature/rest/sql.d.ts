import type { Database } from '../../database/database.ts';
/** What is stored for a request with an `Idempotency-Key`. */
export interface StoredKey {
    readonly fingerprint: string;
    /** 0 for an answer that cannot be replayed. */
    readonly status: number;
    readonly answer: string | undefined;
}
/** The stored request of a key; undefined if it is new, or older than `since` (unix seconds). */
export declare function findKey({ kysely }: Database, keyHash: string, since: number): Promise<StoredKey | undefined>;
/** Claims a key in the open transaction; false if another request has it. Replaces an expired one. */
export declare function takeKey({ kysely }: Database, row: {
    readonly key_hash: string;
    readonly fingerprint: string;
    readonly created_at: number;
}, since: number): Promise<boolean>;
/** Stores the answer of a key, in the same transaction. */
export declare function keepAnswer({ kysely }: Database, keyHash: string, kept: {
    readonly status: number;
    readonly answer: string | null;
}): Promise<void>;
/** Deletes some keys older than `since`; true if there may be more. */
export declare function removeOldKeys({ kysely }: Database, since: number): Promise<boolean>;
/** True if there is a key older than `since`. */
export declare function hasOldKey({ kysely }: Database, since: number): Promise<boolean>;
