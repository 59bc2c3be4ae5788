import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join, sep } from 'node:path';
import sirv from 'sirv';
import { Attached } from '../core/attached.ts';
import type { AccessLog } from './access-log.ts';
import type { Exchange, Lifecycle } from './exchange.ts';
import { createHeaders, GUARDED } from './header.ts';
import { createFilePacker, findEncoding, isTextFile } from './packed-file.ts';

export interface StaticOptions {
  /** Absolute path of the project's `public/`; the folder may be absent. */
  readonly folder: string;
  /** If true, checks the disk for each request; otherwise the folder is scanned once. */
  readonly isDevelopment: boolean;
  readonly lifecycle: Lifecycle;
  readonly accessLog: AccessLog | undefined;
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

/** Thrown when sirv is about to send a file that the client prefers compressed; nothing is written yet. */
class Packable extends Error {
  readonly stats: Stats;

  constructor(stats: Stats) {
    super();
    this.stats = stats;
  }
}

/**
 * Serves `public/` with sirv: GET and HEAD, with ETag. A file that is missing, unreadable, hidden or linked out of
 * the folder is not passed to sirv, because its stream would end the process. Returns true if it answered.
 */
export function createStatics(options: StaticOptions): (exchange: Exchange) => boolean {
  const { folder, isDevelopment, lifecycle, accessLog } = options;
  const atStart = findRoot(folder);
  if (!isDevelopment && atStart === undefined) return () => false;
  const wanted = new Attached<object, { readonly file: string; readonly isPacked: boolean }>();
  const serve = sirv(folder, {
    dev: isDevelopment,
    etag: true,
    maxAge: 0,
    dotfiles: true,
    setHeaders(res, _path, stats) {
      const { file, isPacked } = wanted.get(res) ?? { file: '', isPacked: false };
      if (!isTextFile(file, stats)) return;
      if (isPacked) throw new Packable(stats);
      res.setHeader('vary', 'Accept-Encoding');
    },
  });
  const sendPacked = createFilePacker(isDevelopment ? 'no-cache' : 'public,max-age=0,must-revalidate');

  return (exchange) => {
    const { req, res, method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const path = decodePath(exchange.path);
    const root = isDevelopment ? findRoot(folder) : atStart;
    if (path === undefined || root === undefined || !isPublicPath(path)) return false;
    const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
    const file = candidates.map((candidate) => join(root, candidate)).find((found) => isReadableFile(found, root));
    if (file === undefined) return false;
    const headers = createHeaders(exchange.id, exchange.isSecure, true);
    if (lifecycle.isStopping) headers.connection = 'close';
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
    const state = { isServed: true };
    // sirv keeps a header that is there.
    if (exchange.isGuarded) res.setHeader('cache-control', GUARDED);
    dropOddRange(req.headers);
    const encoding = findEncoding(exchange);
    wanted.set(res, { file, isPacked: encoding !== undefined });
    try {
      serve(req, res, () => {
        state.isServed = false;
        for (const name of [...Object.keys(headers), 'cache-control']) res.removeHeader(name);
      });
    } catch (error) {
      if (!(error instanceof Packable) || encoding === undefined) throw error;
      void sendPacked(exchange, { file, stats: error.stats, encoding });
    }
    if (state.isServed) {
      exchange.isDone = true;
      res.once('close', () => accessLog?.(exchange, res.statusCode));
    }
    return state.isServed;
  };
}
