import { type SystemNames } from './system-names.ts';
/** All addresses of a name. Aborting the signal cancels the query. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;
export interface ResolveParts {
    /** All addresses that DNS has for the exact name; empty if it has none. Rejects if DNS does not answer. */
    readonly ask: Resolve;
    /** Lookup by the operating system. */
    readonly lookup: (host: string) => Promise<readonly string[]>;
    readonly names: SystemNames;
    readonly platform: NodeJS.Platform;
}
/**
 * Queries DNS without libuv's thread pool, which SQLite shares: otherwise a hundred names with a silent DNS
 * server would block the database.
 * @param servers Addresses with ports. Default: those of the machine.
 */
export declare function createAsk(servers?: readonly string[]): Resolve;
/**
 * A name unknown to DNS is looked up in the hosts file, then with the search domains that Docker and
 * Kubernetes use for services. DNS comes first because the hosts file often maps the machine's public name
 * to loopback. The operating system's lookup, which takes a thread, comes last: on Linux only for names
 * that no outsider can slow down, elsewhere for every name, because the two files are incomplete there.
 */
export declare function createResolve({ ask, lookup, names, platform }: ResolveParts): Resolve;
/** One per process: all lookups share its queue. */
export declare const resolveName: Resolve;
