import type { TransactionOptions } from './app.ts';
import type { Draft } from './draft.ts';
/** @see App.transaction */
export declare function runTransaction<T>(draft: Draft, fn: () => Promise<T>, { attempts, place }: TransactionOptions & {
    readonly place: string | undefined;
}): Promise<T>;
/** @see App.lock */
export declare function takeLock(draft: Draft, key: string): Promise<void>;
