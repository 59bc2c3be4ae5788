import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const LOCALHOST = /(^|\.)localhost$/;

/**
 * Resolves without libuv's thread pool, which SQLite shares: a hundred names whose DNS server is silent would else stop
 * the database. A name that DNS does not know is looked up in the machine's own files.
 */
export const resolveName: Resolve = async (host) => {
  if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const isSilent = answers.some((answer) => answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT');
  if (isSilent) throw new Error(`DNS did not answer for ${host}.`);
  return (await lookup(host, { all: true, verbatim: true })).map((entry) => entry.address);
};
