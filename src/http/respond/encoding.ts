import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { BoundedMap } from '../../core/bounded-map.ts';

/** Content encodings of answers, preferred first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Below this size in bytes, compression costs more than it saves. */
const LEAST_BYTES = 1024;
/** From this size in bytes, compression runs in another thread. */
const THREAD_BYTES = 16_384;
/** Maximum number of cached compressed answers; only answers that are the same for everyone are cached. */
const MOST_CACHED = 200;
const CACHED_BYTES = 262_144;

const TYPES =
  /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json|problem\+json|[a-z.-]+\+(?:json|xml))|image\/svg\+xml)/i;
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP = { level: 6 };
const packBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const packGzip = promisify<Buffer, object, Buffer>(gzip);

function toQuality(parameters: readonly string[]): number {
  const given = parameters.map((part) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(part)?.[1]).find(Boolean);
  return given === undefined ? 1 : Math.min(1, Number(given));
}

/** The encoding that a client prefers to the plain bytes; undefined for none. @see RFC 9110 section 12.5.3 */
export function chooseEncoding(accept: string | undefined): Encoding | undefined {
  if (accept === undefined || accept === '') return undefined;
  const given = new Map<string, number>();
  for (const item of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';');
    given.set(name.trim() === 'x-gzip' ? 'gzip' : name.trim(), toQuality(parameters));
  }
  const rate = (name: string): number => given.get(name) ?? given.get('*') ?? 0;
  const plain = given.get('identity') ?? 0;
  const [best] = ENCODINGS.filter((name) => rate(name) > 0 && rate(name) >= plain).sort((a, b) => rate(b) - rate(a));
  return best;
}

/** `Vary` with a name added. */
function joinVary(vary: string, name: string): string {
  const names = vary.toLowerCase().split(/\s*,\s*/);
  return vary === '*' || names.includes(name.toLowerCase()) ? vary : `${vary}, ${name}`;
}

/** The few values of `Vary` that a site has, by value and name. */
const varied = new BoundedMap<string>(200);

/** Adds a name to `Vary`, once. */
export function addVary(headers: OutgoingHttpHeaders, name: string): void {
  const vary = headers.vary === undefined ? '' : String(headers.vary);
  headers.vary = vary === '' ? name : varied.getOrCreate(`${vary}\n${name}`, () => joinVary(vary, name));
}

/**
 * True if an answer of this type may be compressed. `no-store` answers never are: they contain secrets,
 * and the compressed length would reveal them (BREACH).
 */
export function isPackable(headers: OutgoingHttpHeaders, bytes: number): boolean {
  if (bytes < LEAST_BYTES || headers['content-encoding'] !== undefined) return false;
  if (String(headers['cache-control'] ?? '').includes('no-store') || headers['set-cookie'] !== undefined) return false;
  return TYPES.test(String(headers['content-type'] ?? ''));
}

/** A strong ETag identifies bytes, so each encoding needs its own. */
export function toEncodedTag(tag: string, encoding: Encoding): string {
  if (tag.startsWith('W/') || !tag.endsWith('"')) return tag;
  return `${tag.slice(0, -1)}-${encoding === 'br' ? 'br' : 'gz'}"`;
}

/** Compresses bytes: a few at once, many in another thread. */
export function pack(bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const isSmall = bytes.length < THREAD_BYTES;
  if (encoding === 'br') return isSmall ? brotliCompressSync(bytes, BROTLI) : packBrotli(bytes, BROTLI);
  return isSmall ? gzipSync(bytes, GZIP) : packGzip(bytes, GZIP);
}

/** Compresses answers; public answers with an ETag are compressed once. */
export type Packer = (
  body: string | Uint8Array,
  encoding: Encoding,
  about: { readonly headers: OutgoingHttpHeaders; readonly target: string },
) => Buffer | Promise<Buffer>;

export function createPacker(): Packer {
  const packedAnswers = new BoundedMap<Buffer>(MOST_CACHED);
  const remember = (key: string, packed: Buffer): Buffer => {
    if (packed.length <= CACHED_BYTES) packedAnswers.set(key, packed);
    return packed;
  };
  return (body, encoding, { headers, target }) => {
    const { etag } = headers;
    const isShared = String(headers['cache-control'] ?? '').startsWith('public') && etag !== undefined;
    const key = isShared ? `${encoding} ${String(etag)} ${target}` : undefined;
    const known = key === undefined ? undefined : packedAnswers.get(key);
    if (known) return known;
    const packed = pack(typeof body === 'string' ? Buffer.from(body) : Buffer.from(body), encoding);
    if (key === undefined) return packed;
    return packed instanceof Promise ? packed.then((bytes) => remember(key, bytes)) : remember(key, packed);
  };
}
