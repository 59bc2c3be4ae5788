import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { join, sep } from 'node:path';
import sirv from 'sirv';
import { BoundedMap } from '../../core/bounded-map.ts';
import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { Fingerprints, hasFingerprint, IMMUTABLE } from '../../project/asset.ts';
import { type Images, readImageWidth } from '../../project/image.ts';
import type { AccessLog } from '../access-log.ts';
import type { Exchange, Lifecycle } from '../exchange.ts';
import { isOwnSection } from '../own-section.ts';
import { chooseEncoding, type Encoding } from '../respond/encoding.ts';
import { createHeaders, GUARDED } from '../respond/header.ts';
import {
  type CachedFile,
  FileCache,
  isFresh,
  parseRange,
  type Range,
  toCachedFingerprint,
  toFileHeaders,
} from './cached-file.ts';
import { sendImage } from './static-image.ts';

/** What the answer with a file depends on besides the file. */
interface FileResponse {
  readonly headers: OutgoingHttpHeaders;
  readonly pack: (encoding: Encoding) => Promise<Buffer>;
}

/** The encoding in which a request wants a file; a range always refers to the plain bytes. */
function findEncoding({ req }: Exchange): Encoding | undefined {
  if (req.headers.range !== undefined) return undefined;
  const accept = req.headers['accept-encoding'];
  return chooseEncoding(Array.isArray(accept) ? accept.join(',') : accept);
}

/** The wanted range; a condition that fails makes it the whole file. @see RFC 9110 section 13.1.5 */
function findRange({ req }: Exchange, file: CachedFile): Range {
  const condition = req.headers['if-range'];
  const isHeld = condition === undefined || condition === file.etag || condition === file.modified.toUTCString();
  return isHeld ? parseRange(req.headers.range, file.bytes.length) : undefined;
}

/** Answers a GET or HEAD with a file in memory: all of it, a range, compressed, or 304. */
async function sendCached(exchange: Exchange, file: CachedFile, sending: FileResponse): Promise<void> {
  const { req, res, method } = exchange;
  const range = findRange(exchange, file);
  const encoding = file.isText && range === undefined ? findEncoding(exchange) : undefined;
  const headers: OutgoingHttpHeaders = {
    ...sending.headers,
    ...toFileHeaders(file, encoding),
  };
  if (file.isText && sending.headers.vary !== undefined) headers.vary = `${sending.headers.vary}, Accept-Encoding`;
  if (isFresh(req.headers, file)) {
    const { 'content-type': _, 'content-encoding': __, 'accept-ranges': ___, ...rest } = headers;
    res.writeHead(304, rest).end();
    return;
  }
  if (range === 'none') {
    res.writeHead(416, { ...headers, 'content-range': `bytes */${file.bytes.length}`, 'content-length': 0 }).end();
    return;
  }
  const packed = encoding === undefined ? undefined : (file.packed.get(encoding) ?? (await sending.pack(encoding)));
  const bytes = packed ?? (range === undefined ? file.bytes : file.bytes.subarray(range.from, range.to + 1));
  if (range !== undefined) headers['content-range'] = `bytes ${range.from}-${range.to}/${file.bytes.length}`;
  res.writeHead(range === undefined ? 200 : 206, { ...headers, 'content-length': bytes.length });
  res.end(method === 'HEAD' ? undefined : bytes);
}

export interface StaticOptions {
  /** Absolute path of the project's `public/`; the folder may be absent. */
  readonly folder: string;
  /** If true, each request looks for its file again; otherwise a file that was found keeps its path while it exists. */
  readonly isDevelopment: boolean;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  readonly accessLog: AccessLog | undefined;
  /** Makes sizes of images, by `?width=`. Default: none are made. */
  readonly images?: Images | undefined;
}

/** True if the last segment has an extension: the path is then looked up among the files before the routes. */
export const hasExtension = (path: string): boolean => /\.[A-Za-z0-9]+$/.test(path.slice(path.lastIndexOf('/')));

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** No segment may start with a dot (`.env`, `..`), except `.well-known`, or contain a backslash or NUL. */
function isPublicPath(path: string): boolean {
  if (path.includes('\0') || path.includes('\\')) return false;
  return path
    .split('/')
    .every((segment, index) => !segment.startsWith('.') || (index === 1 && segment === '.well-known'));
}

function isReadableFile(file: string, root: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile() && realpathSync(file).startsWith(root + sep);
  } catch {
    return false;
  }
}

/**
 * Removes a range that sirv would misread, so that the whole file is sent, which a server may always do. A range that
 * ends before it begins got a negative length; a suffix (`bytes=-5`), a range of the first byte or several ranges got
 * other bytes.
 *
 * @see RFC 9110 14.2, 13.1.5
 */
function dropOddRange(headers: IncomingHttpHeaders): void {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  const isPlain = first !== undefined && (last === '' || (Number(last) > 0 && Number(first) <= Number(last)));
  if (!isPlain || headers['if-range'] !== undefined) delete headers.range;
}

function findRoot(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/** Paths of small files that are remembered. */
const MOST_PATHS = 2000;

/** Finds the file of a path on the disk. */
function findFile(requested: string, root: string | undefined): string | undefined {
  const path = decodePath(requested);
  if (path === undefined || root === undefined || !isPublicPath(path)) return undefined;
  const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
  return candidates.map((candidate) => join(root, candidate)).find((found) => isReadableFile(found, root));
}

interface FoundFile {
  readonly file: string;
  readonly cached: CachedFile | undefined;
}

/** Finds files, and small ones in memory: one look at the disk tells whether the content is still the same. */
function createFinder({ folder, isDevelopment }: StaticOptions, cache: FileCache) {
  const atStart = findRoot(folder);
  const known = new BoundedMap<string>(MOST_PATHS);
  if (!isDevelopment && atStart === undefined) return () => undefined;
  return (path: string): FoundFile | undefined => {
    const before = isDevelopment ? undefined : known.get(path);
    const same = before === undefined ? undefined : cache.find(before);
    if (before !== undefined && same) return { file: before, cached: same };
    const file = findFile(path, isDevelopment ? findRoot(folder) : atStart);
    if (file === undefined) return undefined;
    const content = cache.read(file);
    if (content) known.set(path, file);
    return { file, cached: content };
  };
}

type Stream = (exchange: Exchange, path: string, headers: OutgoingHttpHeaders) => boolean;

/** Sends files from the disk with sirv, as they are. Gives false if sirv does not find the file. */
function createStream(folder: string): Stream {
  // In its other mode, sirv would send a changed file with the length that it had at the start.
  const serve = sirv(folder, { dev: true, etag: true, dotfiles: true });
  return ({ req, res }, path, headers) => {
    // sirv keeps a header that is there, such as Cache-Control.
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
    const state = { isServed: true };
    dropOddRange(req.headers);
    // sirv reads the path from the request line, which may begin with the base path or a language.
    req.url = path;
    serve(req, res, () => {
      state.isServed = false;
      for (const name of Object.keys(headers)) res.removeHeader(name);
    });
    return state.isServed;
  };
}

/** How long clients cache the original when resizing is unavailable. */
const INSTEAD = 'public, max-age=300';

/** The folder with a single-page front end that a path is below; undefined if there is none, or the client wants no page. */
function findSinglePage({ context, req, path, kind }: Exchange): string | undefined {
  const folders = context.plan.model.settings.server.singlePage;
  if (folders.length === 0 || kind !== 'page' || isOwnSection(path) || hasExtension(path)) return undefined;
  // A script or a call that finds nothing must not get a page instead.
  if (!(req.headers.accept ?? '').includes('text/html')) return undefined;
  const around = folders.filter((folder) => `${path}/`.startsWith(folder));
  return around.reduce<string | undefined>(
    (best, folder) => (folder.length > (best?.length ?? 0) ? folder : best),
    undefined,
  );
}

/** Whether the settings say that the files of a folder never change their content. */
const isImmutable = ({ context, path }: Exchange): boolean =>
  context.plan.model.settings.server.immutable.some((folder) => path.startsWith(folder));

/** Serves the files of `public/`. */
export interface Statics {
  /** Answers with the file of the path: true if it did, a promise for a size of an image, which takes longer. */
  serve(exchange: Exchange): boolean | Promise<void>;
  /** Answers a page without a file with the single-page front end that it belongs to. */
  serveSinglePage(exchange: Exchange): boolean;
}

/**
 * Serves `public/`: GET and HEAD, with ETag; small files from memory, others with sirv. A file that is missing,
 * unreadable, hidden or linked out of the folder is not passed to sirv, because its stream would end the process.
 */
export function createStatics(options: StaticOptions): Statics {
  const { folder, isDevelopment, lifecycle, accessLog, clock, images } = options;
  const cache = new FileCache(clock);
  const find = createFinder(options, cache);
  const usual = isDevelopment ? 'no-cache' : 'public,max-age=0,must-revalidate';
  const stream = createStream(folder);
  const fingerprints = new Fingerprints(clock);
  /** A URL with the hash of the content never changes its content. */
  const findCaching = (exchange: Exchange, { file, cached: content }: FoundFile): string => {
    const { isGuarded, query } = exchange;
    if (isGuarded) return GUARDED;
    if (isImmutable(exchange)) return IMMUTABLE;
    if (!query.includes('v=')) return usual;
    const hash = content ? toCachedFingerprint(content) : fingerprints.find(file);
    return hasFingerprint(query, hash) ? IMMUTABLE : usual;
  };
  const toHeaders = (exchange: Exchange): OutgoingHttpHeaders => {
    const headers = createHeaders(exchange, true);
    if (lifecycle.isStopping) headers.connection = 'close';
    return headers;
  };
  const note = (exchange: Exchange): true => {
    exchange.isDone = true;
    exchange.res.once('close', () => accessLog?.(exchange, exchange.res.statusCode));
    return true;
  };
  const send = (exchange: Exchange, found: FoundFile, own: OutgoingHttpHeaders, path = exchange.path): boolean => {
    const { file, cached: content } = found;
    const headers = { ...toHeaders(exchange), ...own };
    if (content) {
      void sendCached(exchange, content, { headers, pack: (encoding) => cache.pack(file, content, encoding) });
    } else if (!stream(exchange, path, headers)) return false;
    return note(exchange);
  };
  const sendSize = async (exchange: Exchange, found: FoundFile, width: number, caching: string): Promise<void> => {
    const image = await images?.find(found.file, width);
    if (exchange.isDone) return;
    if (typeof image === 'object') {
      note(exchange);
      sendImage(exchange, image, { ...toHeaders(exchange), 'cache-control': caching });
      return;
    }
    const instead = image === 'original' || caching === GUARDED ? caching : INSTEAD;
    if (!send(exchange, found, { 'cache-control': instead })) {
      throw new TreadleError('IMAGE_GONE', 'There is nothing at this address.', { status: 404 });
    }
  };
  const isRead = ({ method }: Exchange): boolean => method === 'GET' || method === 'HEAD';
  return {
    serve(exchange) {
      const { query, path } = exchange;
      const found = isRead(exchange) ? find(path) : undefined;
      if (found === undefined) return false;
      const caching = findCaching(exchange, found);
      const width = images && readImageWidth(found.file, query);
      return width === undefined
        ? send(exchange, found, { 'cache-control': caching })
        : sendSize(exchange, found, width, caching);
    },
    serveSinglePage(exchange) {
      const base = isRead(exchange) ? findSinglePage(exchange) : undefined;
      const found = base === undefined ? undefined : find(`${base}index.html`);
      if (found === undefined) return false;
      const caching = exchange.isGuarded ? GUARDED : usual;
      // Without the header, a cache could give the page to a client that wants data.
      return send(exchange, found, { 'cache-control': caching, vary: 'Accept' }, `${base}index.html`);
    },
  };
}
