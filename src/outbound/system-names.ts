import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isIP } from 'node:net';

/** Bytes of a file that are read; what follows is not looked at. */
const MAX_BYTES = 1_048_576;
/** Search domains that are tried, as many as resolvers have long had. */
const MOST_DOMAINS = 6;

/** What the machine's own files say of names. */
export interface SystemNames {
  /** Addresses of a name in the hosts file; none where the file or the name is not there. */
  addresses(host: string): readonly string[];
  /** Domains that may complete a name, in their order. */
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

/** The last `search` or `domain` line holds. */
function parseSearch(text: string): readonly string[] {
  const lines = toLines(text).filter(([word]) => word === 'search' || word === 'domain');
  const [, ...domains] = lines.at(-1) ?? [];
  return domains
    .map((domain) => domain.replace(/^\.+|\.+$/g, ''))
    .filter((domain) => domain !== '')
    .slice(0, MOST_DOMAINS);
}

/**
 * What a file says, parsed anew only where it was changed. Read at once: a wait would be one for the thread pool, whose
 * threads may all be taken.
 */
function createReader<Said>(path: string, parse: (text: string) => Said): () => Said {
  const known: { mark?: string; said?: Said } = {};
  const read = (file: number): Said => {
    const { mtimeNs, size, ino } = fstatSync(file, { bigint: true });
    const mark = `${mtimeNs} ${size} ${ino}`;
    if (known.said !== undefined && known.mark === mark) return known.said;
    const bytes = Buffer.alloc(Math.min(Number(size), MAX_BYTES));
    const text = bytes.toString('utf8', 0, readSync(file, bytes));
    // A line that is cut in two could end in another name or address.
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
      // A machine without the file knows no names by it.
      return parse('');
    }
  };
}

/** @param files Paths. Default: where Linux and its kin have them. */
export function createSystemNames(files: { readonly hosts?: string; readonly resolv?: string } = {}): SystemNames {
  const hosts = createReader(files.hosts ?? '/etc/hosts', parseHosts);
  const search = createReader(files.resolv ?? '/etc/resolv.conf', parseSearch);
  return { addresses: (host) => hosts().get(host) ?? [], searchDomains: search };
}
