import type { Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { findOwn } from '../../core/record.ts';
import type { Exchange } from '../exchange.ts';
import { chooseEncoding, createPacker, type Encoding, isPackable } from '../respond/encoding.ts';

/** Text types, by extension; other files are compressed already. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html;charset=utf-8',
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webmanifest': 'application/manifest+json',
  '.xml': 'text/xml',
};
/** A larger file is streamed uncompressed, because compressing it would need it in memory. */
const MOST_BYTES = 4_194_304;

/** A file for a client that prefers it compressed. */
export interface PackedFile {
  readonly file: string;
  readonly stats: Stats;
  readonly encoding: Encoding;
  readonly caching: string;
}

/** True if compression makes the file smaller. */
export function isTextFile(file: string, { size }: Stats): boolean {
  const type = findOwn(TYPES, extname(file).toLowerCase());
  return type !== undefined && size <= MOST_BYTES && isPackable({ 'content-type': type }, size);
}

/** The encoding in which a request wants a file; a range always refers to the plain bytes. */
export function findEncoding({ req }: Exchange): Encoding | undefined {
  if (req.headers.range !== undefined) return undefined;
  const accept = req.headers['accept-encoding'];
  return chooseEncoding(Array.isArray(accept) ? accept.join(',') : accept);
}

/**
 * Creates a function that sends compressed files and compresses each once. The response already has the headers of
 * every answer.
 */
export function createFilePacker(): (exchange: Exchange, packed: PackedFile) => Promise<void> {
  const pack = createPacker();
  return async ({ req, res, path }, { file, stats, encoding, caching }) => {
    const etag = `W/"${stats.size}-${stats.mtime.getTime()}"`;
    const headers = {
      'content-type': TYPES[extname(file).toLowerCase()] ?? 'text/plain',
      'cache-control': caching,
      'content-encoding': encoding,
      'last-modified': stats.mtime.toUTCString(),
      vary: 'Accept-Encoding',
      etag,
    };
    try {
      const shared = { etag, 'cache-control': 'public' };
      const bytes = await pack(await readFile(file), encoding, { headers: shared, target: path });
      res.writeHead(200, { ...headers, 'content-length': bytes.length });
      res.end(req.method === 'HEAD' ? undefined : bytes);
    } catch {
      // The file was deleted meanwhile.
      res.writeHead(404, { 'content-length': 0 }).end();
    }
  };
}
