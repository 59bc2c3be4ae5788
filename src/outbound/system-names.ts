import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isIP } from 'node:net';

/** Bytes of a file that are read; the rest is ignored. */
const MAX_BYTES = 1_048_576;
/** Search domains that are tried; the traditional limit of resolvers. */
const MOST_DOMAINS = 6;

/** Host names and search domains from the machine's files. */
export interface SystemNames {
  /** Addresses of a name in the hosts file; empty if the file or the name is missing. */
  addresses(host: string): readonly string[];
  /** Domains to append to a name, in order. */
  searchDomains(): readonly string[];
}

const toLines = (text: string): string[][] =>
  text.split(/\r?\n/).map((line) =>
    line
      .replace(/[#;].*$/, '')
      .trim()
      .toLowerCase()
      .split(/\s+/),
  );

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [address = '', ...names] of toLines(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names) found.set(name, [...(found.get(name) ?? []), address]);
  }
  return found;
}

/** The last `search` or `domain` line wins. */
function parseSearch(text: string): readonly string[] {
  const lines = toLines(text).filter(([word]) => word === 'search' || word === 'domain');
  const [, ...domains] = lines.at(-1) ?? [];
  return domains
    .map((domain) => domain.replace(/^\.+|\.+$/g, ''))
    .filter((domain) => domain !== '')
    .slice(0, MOST_DOMAINS);
}

/**
 * Caches a parsed file until it changes. Reads synchronously: an asynchronous read needs a thread of the
 * pool, and all may be busy.
 */
function createReader<Said>(path: string, parse: (text: string) => Said): () => Said {
  const known: { mark?: string; said?: Said } = {};
  const read = (file: number): Said => {
    const { mtimeNs, size, ino } = fstatSync(file, { bigint: true });
    const mark = `${mtimeNs} ${size} ${ino}`;
    if (known.said !== undefined && known.mark === mark) return known.said;
    const bytes = Buffer.alloc(Math.min(Number(size), MAX_BYTES));
    const text = bytes.toString('utf8', 0, readSync(file, bytes));
    // A line that is cut in two could look like another name or address.
    const said = parse(Number(size) > MAX_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1) : text);
    Object.assign(known, { mark, said });
    return said;
  };
  return () => {
    try {
      const file = openSync(path, 'r');
      try {
        return read(file);
      } finally {
        closeSync(file);
      }
    } catch {
      // Without the file no name is known.
      return parse('');
    }
  };
}

/** @param files Paths. Default: the usual ones on Linux and Unix. */
export function createSystemNames(files: { readonly hosts?: string; readonly resolv?: string } = {}): SystemNames {
  const hosts = createReader(files.hosts ?? '/etc/hosts', parseHosts);
  const search = createReader(files.resolv ?? '/etc/resolv.conf', parseSearch);
  return { addresses: (host) => hosts().get(host) ?? [], searchDomains: search };
}
