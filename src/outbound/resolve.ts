import process from 'node:process';
import { createSystemNames, type SystemNames } from './system-names.ts';

/** Names being looked up or waiting; more are refused at once. */
const MOST = 32;

/** A name and the callers that wait for it. */
interface Entry {
  readonly signals: (AbortSignal | undefined)[];
  readonly found: Promise<readonly string[]>;
}

/**
 * Queues lookups of the operating system, one at a time. Each holds a thread of libuv's pool, which SQLite
 * shares, for as long as a DNS server likes, and cannot be cancelled. Callers that ask for a queued name
 * share its answer.
 * @throws Error if too many names wait, or if no caller needs the name any more when its turn comes.
 */
export function createLookupQueue(lookup: (host: string) => Promise<readonly string[]>) {
  const entries = new Map<string, Entry>();
  const line: { last: Promise<unknown> } = { last: Promise.resolve() };
  const enter = (host: string): Entry => {
    const signals: Entry['signals'] = [];
    const found = line.last
      .then(() => {
        if (signals.every((signal) => signal?.aborted)) throw new Error(`The lookup of ${host} was cancelled.`);
        return lookup(host);
      })
      .finally(() => entries.delete(host));
    line.last = found.catch(() => {});
    const entry = { signals, found };
    entries.set(host, entry);
    return entry;
  };
  return async (host: string, signal?: AbortSignal): Promise<readonly string[]> => {
    if (!entries.has(host) && entries.size >= MOST)
      throw new Error(`Too many names wait to be looked up; ${host} is one more.`);
    const entry = entries.get(host) ?? enter(host);
    entry.signals.push(signal);
    return entry.found;
  };
}

/** All addresses of a name. Aborting the signal cancels the query. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

export interface ResolveParts {
  /** All addresses that DNS has for the exact name; empty if it has none. Rejects if DNS does not answer. */
  readonly query: Resolve;
  /** Lookup by the operating system. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly names: SystemNames;
  readonly platform: NodeJS.Platform;
}

const LOCALHOST = /(^|\.)localhost$/;
/** Names that no outside DNS server answers: names without a dot, and mDNS names. */
const OF_THE_MACHINE = /^[^.]+$|\.local$/;

/**
 * Queries DNS without libuv's thread pool, which SQLite shares: otherwise a hundred names with a silent DNS
 * server would block the database.
 * @param servers Addresses with ports. Default: those of the machine.
 */
export function createQuery(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    signal?.throwIfAborted();
    const { Resolver } = process.getBuiltinModule('node:dns/promises');
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const giveUp = (): void => resolver.cancel();
    signal?.addEventListener('abort', giveUp, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal?.removeEventListener('abort', giveUp);
    signal?.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const isSilent = answers.some((answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT');
    if (found.length === 0 && isSilent) throw new Error(`DNS did not answer for ${host}.`);
    return found;
  };
}

/**
 * A name unknown to DNS is looked up in the hosts file, then with the search domains that Docker and
 * Kubernetes use for services. DNS comes first because the hosts file often maps the machine's public name
 * to loopback. The operating system's lookup, which takes a thread, comes last: on Linux only for names
 * that no outsider can slow down, elsewhere for every name, because the two files are incomplete there.
 */
export function createResolve({ query, lookup, names, platform }: ResolveParts): Resolve {
  const lookUp = createLookupQueue(lookup);
  const isLeftToSystem = (host: string): boolean => platform !== 'linux' || OF_THE_MACHINE.test(host);
  return async (host, signal) => {
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
    const known = await query(host, signal);
    if (known.length > 0) return known;
    const own = names.addresses(host);
    if (own.length > 0) return own;
    for (const domain of names.searchDomains()) {
      const found = await query(`${host}.${domain}`, signal);
      if (found.length > 0) return found;
    }
    return isLeftToSystem(host) ? lookUp(host, signal) : [];
  };
}

/** One per process: all lookups share its queue. */
export const resolveName: Resolve = createResolve({
  query: createQuery(),
  lookup: async (host) => {
    const { lookup } = process.getBuiltinModule('node:dns/promises');
    return (await lookup(host, { all: true, verbatim: true })).map((entry) => entry.address);
  },
  names: createSystemNames(),
  platform: process.platform,
});
