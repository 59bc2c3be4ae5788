import type { Database } from '../../database/database.ts';
import type { Receiver } from './receiver.ts';
import type { KnownVersions } from './rotation.ts';
/** State of a receiver: whether it responds, and which secret it knows. Times are unix seconds. */
export interface ReceiverRow extends KnownVersions {
    readonly receiver: string;
    readonly failing_since: number | null;
    readonly disabled_at: number | null;
}
/** A receiver of a hook; `version` is the hook's `secretVersion`. */
export interface HookReceiver extends Receiver {
    readonly hook: string;
    readonly version: number;
}
/** Adds missing receivers. */
export declare function addReceivers(database: Database, receivers: readonly HookReceiver[], now: number): Promise<void>;
/** @throws if there is no such receiver. */
export declare function getReceiver(database: Database, receiver: string): Promise<ReceiverRow>;
export declare function updateReceiver(database: Database, receiver: string, values: Readonly<Record<string, unknown>>): Promise<void>;
/** Saves a receiver's new secret version, unless another process has. */
export declare function rotateReceiver(database: Database, row: ReceiverRow): Promise<void>;
/**
 * Saves a hook's new secret version: the former secrets also sign for a day. The time is saved with the
 * receivers, so that it survives a restart and is equal for all processes.
 */
export declare function rotateReceivers(database: Database, hook: string, version: number, now: number): Promise<void>;
/**
 * Saves an app's new secret version, like {@link rotateReceivers} for a hook. If both rose at once, the
 * secret from before both changes signs together with the new one.
 */
export declare function rotateApp(database: Database, clientId: string, version: number, now: number): Promise<void>;
/** Keys of receivers with a failed last attempt and that are not disabled. */
export declare function findFailingReceivers(database: Database, limit: number): Promise<string[]>;
