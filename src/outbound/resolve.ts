import { lookup, Resolver } from 'node:dns/promises';
import process from 'node:process';
import { createLookupLine } from './lookup-line.ts';
import { createSystemNames, type SystemNames } from './system-names.ts';

/** All addresses of a name. An end of the signal gives the question up. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

export interface ResolveParts {
  /** All addresses that DNS has for a name as it stands; none where it has none. Fails where DNS is silent. */
  readonly ask: Resolve;
  /** What the operating system makes of a name. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly names: SystemNames;
  readonly platform: NodeJS.Platform;
}

const LOCALHOST = /(^|\.)localhost$/;
/** Names for which no stranger's DNS server answers: those without a dot, and those of mDNS. */
const OF_THE_MACHINE = /^[^.]+$|\.local$/;

/**
 * Asks DNS without libuv's thread pool, which SQLite shares: a hundred names whose DNS server is silent would else stop the
 * database.
 *
 * @param servers Addresses with ports. Default: those of the machine.
 */
export function createAsk(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    signal?.throwIfAborted();
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
 * A name that DNS does not know is looked for in the hosts file, then with the search domains, by which Docker and
 * Kubernetes name services. DNS comes first, since the hosts file often has the machine's own public name as loopback. The
 * operating system, which takes a thread for it, is asked last: on Linux for a name that no stranger can slow down,
 * elsewhere for each, as those two files don't say all there.
 */
export function createResolve({ ask, lookup, names, platform }: ResolveParts): Resolve {
  const lookUp = createLookupLine(lookup);
  const isLeftToSystem = (host: string): boolean => platform !== 'linux' || OF_THE_MACHINE.test(host);
  return async (host, signal) => {
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
    const known = await ask(host, signal);
    if (known.length > 0) return known;
    const own = names.addresses(host);
    if (own.length > 0) return own;
    for (const domain of names.searchDomains()) {
      const found = await ask(`${host}.${domain}`, signal);
      if (found.length > 0) return found;
    }
    return isLeftToSystem(host) ? lookUp(host, signal) : [];
  };
}

/** The one of the process: its lookups take turns, whoever asks. */
export const resolveName: Resolve = createResolve({
  ask: createAsk(),
  lookup: async (host) => (await lookup(host, { all: true, verbatim: true })).map((entry) => entry.address),
  names: createSystemNames(),
  platform: process.platform,
});
