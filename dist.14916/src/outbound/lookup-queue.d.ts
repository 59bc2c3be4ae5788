/**
 * Queues lookups of the operating system, one at a time. Each holds a thread of libuv's pool, which SQLite
 * shares, for as long as a DNS server likes, and cannot be cancelled. Callers that ask for a queued name
 * share its answer.
 * @throws Error if too many names wait, or if nobody wants the name any more when its turn comes.
 */
export declare function createLookupQueue(lookup: (host: string) => Promise<readonly string[]>): (host: string, signal?: AbortSignal) => Promise<readonly string[]>;
