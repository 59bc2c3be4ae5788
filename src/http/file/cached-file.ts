import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { lookup } from 'mrmime';
import type { Clock } from '../../core/clock.ts';
import { toFingerprint } from '../../project/asset.ts';
import { Cache } from '../../store/cache.ts';
import { type Encoding, isPackable, pack, toEncodedTag } from '../respond/encoding.ts';

/** A larger file is streamed from the disk. */
const MOST_FILE_BYTES = 131_072;
/** The same for a text, which clients get compressed: a larger one is streamed as it is. */
const MOST_TEXT_BYTES = 1_048_576;
/** Contents and their compressed forms together; the least recently used file is dropped first. */
const MOST_BYTES = 16_777_216;
/** A file that was written more recently than this may change again without another time, so it is not cached. */
const SETTLED_MS = 1000;

/** A small file in memory. */
export interface CachedFile {
  readonly bytes: Buffer;
  /** Strong: a hash of the content. */
  readonly etag: string;
  readonly modified: Date;
  readonly type: string;
  /** True if clients may get it compressed. */
  readonly isText: boolean;
  readonly packed: Map<Encoding, Buffer>;
}

interface Entry {
  readonly file: CachedFile;
  readonly state: string;
}

interface State {
  readonly text: string;
  readonly size: number;
  readonly modified: Date;
  readonly isFile: boolean;
}

interface Stats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly mtime: Date;
  isFile(): boolean;
}

const toState = (stats: Stats): State => ({
  text: `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`,
  size: Number(stats.size),
  modified: stats.mtime,
  isFile: stats.isFile(),
});

const readState = (path: string): State | undefined => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : toState(stats);
};

/** The content type that sirv gives a file; undefined if it has none. */
function findType(path: string): string | undefined {
  const type = lookup(path);
  return type === 'text/html' ? 'text/html;charset=utf-8' : type;
}

const isText = (type: string, bytes: number): boolean => isPackable({ 'content-type': type }, bytes);

const findLimit = (type: string): number => (isText(type, MOST_TEXT_BYTES) ? MOST_TEXT_BYTES : MOST_FILE_BYTES);

/** Reads a file whole; undefined if it changed meanwhile, is gone or larger than `limit` bytes. */
function readWhole(path: string, limit: number): { readonly bytes: Buffer; readonly state: State } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const state = toState(fstatSync(descriptor, { bigint: true }));
    if (!state.isFile || state.size > limit) return undefined;
    const bytes = Buffer.alloc(state.size);
    const length = readSync(descriptor, bytes, 0, state.size, 0);
    const after = toState(fstatSync(descriptor, { bigint: true }));
    return length === state.size && after.text === state.text ? { bytes, state } : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function toFile(bytes: Buffer, type: string, modified: Date): CachedFile {
  const etag = `"${toFingerprint(bytes)}"`;
  return { bytes, etag, modified, type, isText: isText(type, bytes.length), packed: new Map() };
}

/** The hash of its content, as it is in URLs. */
export const toCachedFingerprint = ({ etag }: CachedFile): string => etag.slice(1, -1);

/** Bytes of a file in every cached form. */
const countBytes = ({ bytes, packed }: CachedFile): number =>
  [...packed.values()].reduce((sum, { length }) => sum + length, bytes.length);

/** Small files in memory, checked at every use by inode, size and times, so that a changed file is read again. */
export class FileCache {
  readonly #clock: Clock;
  readonly #entries = new Cache<Entry>(MOST_BYTES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The file at a path that was read before and has not changed; undefined for any other. */
  find(path: string): CachedFile | undefined {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    if (readState(path)?.text === entry.state) return entry.file;
    this.#entries.delete(path);
    return undefined;
  }

  /** Reads a file that the caller may serve; undefined if it is large, of an unknown type, or just changing. */
  read(path: string): CachedFile | undefined {
    const known = this.find(path);
    if (known) return known;
    const type = findType(path);
    if (type === undefined) return undefined;
    const limit = findLimit(type);
    const size = readState(path)?.size;
    const read = size === undefined || size > limit ? undefined : readWhole(path, limit);
    if (read === undefined) return undefined;
    const file = toFile(read.bytes, type, read.state.modified);
    if (this.#clock.now() - read.state.modified.getTime() > SETTLED_MS) {
      this.#entries.set(path, { file, state: read.state.text }, { bytes: read.bytes.length });
    }
    return file;
  }

  /** The content in an encoding, compressed once. */
  async pack(path: string, file: CachedFile, encoding: Encoding): Promise<Buffer> {
    const known = file.packed.get(encoding);
    if (known) return known;
    const made = await pack(file.bytes, encoding);
    file.packed.set(encoding, made);
    const entry = this.#entries.get(path);
    if (entry?.file === file) this.#entries.set(path, entry, { bytes: countBytes(file) });
    return made;
  }

  /** Cached bytes. */
  get size(): number {
    return this.#entries.bytes;
  }
}

/** Inclusive; `none` if the range lies behind the end. */
export type Range = { readonly from: number; readonly to: number } | 'none' | undefined;

/** A single range of bytes; undefined for any other, and then the whole file is sent. @see RFC 9110 section 14.1.2 */
export function parseRange(header: string | undefined, size: number): Range {
  const [, first, last] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return Number(last) === 0 ? 'none' : { from: Math.max(0, size - Number(last)), to: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return 'none';
  return { from: Number(first), to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

const toOpaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** True if the client has this version. @see RFC 9110 section 13.2.2 */
export function isFresh(
  headers: { readonly 'if-none-match'?: string | undefined; readonly 'if-modified-since'?: string | undefined },
  { etag, modified }: CachedFile,
): boolean {
  const none = headers['if-none-match'];
  if (none === undefined) {
    const since = Date.parse(headers['if-modified-since'] ?? '');
    return Number.isFinite(since) && Math.floor(modified.getTime() / 1000) * 1000 <= since;
  }
  const own = toOpaque(etag).slice(0, -1);
  // Any encoding of the same content will do: the client has it.
  return none.trim() === '*' || none.split(',').some((tag) => toOpaque(tag).replace(/(?:-br|-gz)?"$/, '') === own);
}

/** Headers of a cached file in an encoding; undefined for the plain bytes. */
export function toFileHeaders(file: CachedFile, encoding: Encoding | undefined): OutgoingHttpHeaders {
  const { etag, modified, type, isText } = file;
  return {
    'content-type': type,
    'last-modified': modified.toUTCString(),
    etag: encoding === undefined ? etag : toEncodedTag(etag, encoding),
    ...(isText ? { vary: 'Accept-Encoding' } : {}),
    ...(encoding === undefined ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
  };
}
