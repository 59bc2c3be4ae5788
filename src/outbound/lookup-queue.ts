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
 * @throws Error if too many names wait, or if nobody wants the name any more when its turn comes.
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
