import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { BoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import { packageRoot } from '../core/file/package-root.ts';

/** Cache-Control of a URL that has the hash of the content in it. @see RFC 8246 */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Static files of a site by URL path: those of the project's `public/`, then Treadle's own. */
export interface Assets {
  /** The path with the hash of the content as `v`; undefined if there is no such file. */
  toUrl(path: string): string | undefined;
  /** URL paths of all files, sorted. */
  list(): readonly string[];
}

/** Treadle's own files: where they are, and under which paths they are served. */
const OWN: readonly { readonly folder: string; readonly path: string; readonly name: RegExp }[] = [
  { folder: 'styles', path: '/styles/', name: /^[a-z0-9-]+\.css$/ },
  { folder: 'scripts', path: '/scripts/', name: /^[a-z0-9-]+\.js$/ },
  { folder: 'www', path: '/', name: /^[a-z0-9-]+\.svg$/ },
];

/** 120 bits. */
const HASH_CHARACTERS = 20;
/** A larger file is identified by size and time: hashing it would delay the page. */
const MOST_HASHED_BYTES = 16_777_216;
/** A file that was written more recently than this may change again without another time, so its hash is not cached. */
const SETTLED_MS = 1000;
/** In production, milliseconds for which a URL is used again without a look at the disk. */
const CACHED_MS = 1000;
const MOST_FILES = 2000;

const shorten = (digest: string): string => digest.slice(0, HASH_CHARACTERS);

/** The hash of a content, as it is in URLs. */
export const toFingerprint = (content: string | Uint8Array): string =>
  shorten(createHash('sha256').update(content).digest('base64url'));

/** True if a query string has this fingerprint: the answer may then be cached for good. */
export const hasFingerprint = (query: string, fingerprint: string | undefined): boolean =>
  fingerprint !== undefined && query.includes('v=') && new URLSearchParams(query).get('v') === fingerprint;

interface Stats {
  readonly size: number;
  readonly mtimeMs: number;
  readonly state: string;
}

function readStats(file: string): Stats | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    size: Number(size),
    mtimeMs: Number(mtimeNs / 1_000_000n),
    state: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  };
}

/** Identifies the state of a file: another text after every change; undefined if it is gone. */
export function readFileState(file: string): string | undefined {
  try {
    return readStats(file)?.state;
  } catch {
    return undefined;
  }
}

const CHUNK_BYTES = 262_144;

function hashFile(file: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) return shorten(hash.digest('base64url'));
      hash.update(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Fingerprints of files, each made once per content. */
export class Fingerprints {
  readonly #clock: Clock;
  readonly #known = new BoundedMap<{ readonly state: string; readonly hash: string }>(MOST_FILES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The fingerprint of a file as it is now; undefined if it cannot be read. */
  find(file: string): string | undefined {
    try {
      const stats = readStats(file);
      if (!stats) return undefined;
      const before = this.#known.get(file);
      if (before?.state === stats.state) return before.hash;
      const hash = stats.size > MOST_HASHED_BYTES ? toFingerprint(`${stats.size} ${stats.mtimeMs}`) : hashFile(file);
      if (this.#clock.now() - stats.mtimeMs > SETTLED_MS) this.#known.set(file, { state: stats.state, hash });
      return hash;
    } catch {
      return undefined;
    }
  }
}

/** A path of a static file as it may be written in a template: absolute, without `..`, hidden files and queries. */
const PATH = /^\/(?:[^/.\\?#\0][^/\\?#\0]*\/)*[^/.\\?#\0][^/\\?#\0]*$/;

function findOwn(path: string): string | undefined {
  for (const { folder, path: start, name } of OWN) {
    const file = path.startsWith(start) ? path.slice(start.length) : '';
    if (name.test(file)) return join(packageRoot, 'templates', folder, file);
  }
  return undefined;
}

/** A file of `public/`, unless it is a link out of it. */
function findPublic(folder: string, path: string): string | undefined {
  try {
    const file = realpathSync(join(folder, path));
    return file.startsWith(realpathSync(folder) + sep) ? file : undefined;
  } catch {
    return undefined;
  }
}

function listFolder(folder: string, toPath: (name: string) => string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        toPath(
          join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .split(sep)
            .join('/'),
        ),
      );
  } catch {
    return [];
  }
}

class DiskAssets implements Assets {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #cachedMs: number;
  readonly #fingerprints: Fingerprints;
  readonly #urls = new BoundedMap<{ readonly url: string; readonly until: number }>(MOST_FILES);

  constructor({ root, clock, isDevelopment }: AssetOptions) {
    this.#folder = join(root, 'public');
    this.#clock = clock;
    this.#cachedMs = isDevelopment ? 0 : CACHED_MS;
    this.#fingerprints = new Fingerprints(clock);
  }

  toUrl(path: string): string | undefined {
    const known = this.#urls.get(path);
    const now = this.#clock.now();
    // A clock that was set back would keep it for long.
    if (known && now < known.until && known.until <= now + this.#cachedMs) return known.url;
    const hash = this.#find(path);
    if (hash === undefined) return undefined;
    const url = `${encodeURI(path)}?v=${hash}`;
    if (this.#cachedMs > 0) this.#urls.set(path, { url, until: now + this.#cachedMs });
    return url;
  }

  #find(path: string): string | undefined {
    if (!PATH.test(path)) return undefined;
    for (const file of [findPublic(this.#folder, path), findOwn(path)]) {
      const hash = file === undefined ? undefined : this.#fingerprints.find(file);
      if (hash !== undefined) return hash;
    }
    return undefined;
  }

  list(): readonly string[] {
    const own = OWN.flatMap(({ folder, path, name }) =>
      listFolder(join(packageRoot, 'templates', folder), (file) => (name.test(file) ? path + file : '')),
    );
    const all = [...listFolder(this.#folder, (name) => `/${name}`), ...own];
    return [...new Set(all)].filter((path) => PATH.test(path)).sort();
  }
}

export interface AssetOptions {
  /** Project root, absolute. */
  readonly root: string;
  readonly clock: Clock;
  /** True to look at the disk each time, so that a saved file has its new URL at once. */
  readonly isDevelopment: boolean;
}

export function createAssets(options: AssetOptions): Assets {
  return new DiskAssets(options);
}
