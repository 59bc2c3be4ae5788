/** Names that are looked up or wait for it; more are refused at once. */
const MOST = 32;

/** A name, and those who want it. */
interface Entry {
  readonly signals: (AbortSignal | undefined)[];
  readonly found: Promise<readonly string[]>;
}

/**
 * Lets lookups of the operating system take turns, one at a time: each holds a thread of libuv's pool, which SQLite shares,
 * for as long as a DNS server likes, and cannot be called off. Who asks for a name that waits already shares its answer.
 *
 * @throws Error where too many names wait, and where nobody wants the name any more when its turn comes.
 */
export function createLookupLine(lookup: (host: string) => Promise<readonly string[]>) {
  const entries = new Map<string, Entry>();
  const line: { last: Promise<unknown> } = { last: Promise.resolve() };
  const enter = (host: string): Entry => {
    const signals: Entry['signals'] = [];
    const found = line.last
      .then(() => {
        if (signals.every((signal) => signal?.aborted)) throw new Error(`The lookup of ${host} was given up.`);
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
