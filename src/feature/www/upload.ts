import type { Listener } from '../../core/bus/followers.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { FILE_TYPES, UPLOAD_PATH } from '../../model/field/file-type.ts';
import type { Context } from '../../plan/feature.ts';
import { markOpen } from '../../plan/open-origin.ts';
import type { StoredFile } from '../../project/file-store.ts';
import { readImageWidth } from '../../project/image.ts';

/** A name is never reused, and its bytes never change. */
const FOREVER = 'public, max-age=31536000, immutable';
/**
 * Nothing in an uploaded file may run as part of this site. A PDF is not sandboxed, because browsers do not open one
 * in a sandbox; it cannot access the site.
 */
const SANDBOX =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const NO_SANDBOX = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

function header(request: Request, name: string): string | undefined {
  const value = request.getServer(name);
  return typeof value === 'string' ? value : undefined;
}

type Range = { readonly start: number; readonly end: number };

/** The requested range; `none` if it is beyond the end; undefined for the whole file. @see RFC 9110 14.1.2 */
function readRange(request: Request, { bytes }: StoredFile, tag: string): Range | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header(request, 'range')?.trim() ?? '') ?? [];
  const condition = header(request, 'if-range');
  if (first === undefined || last === undefined || (condition !== undefined && condition !== tag)) return undefined;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? 'none' : { start: bytes - count, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'none';
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}

function hasTag(given: string | undefined, tag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((item) => item.trim() === '*' || item.trim().replace(/^W\//, '') === tag);
}

function describe(response: Response, { name, savedAt }: StoredFile, tag: string): void {
  const type = FILE_TYPES[name.slice(name.lastIndexOf('.') + 1)];
  const isInline = type?.isInline === true;
  // A text is never served as another text type; an unknown file is plain bytes.
  const mime = type === undefined ? 'application/octet-stream' : type.mime;
  response
    .addHeader('content-type', mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime)
    .addHeader('content-disposition', isInline ? 'inline' : 'attachment')
    .addHeader('content-security-policy', type?.mime === 'application/pdf' ? NO_SANDBOX : SANDBOX)
    .addHeader('cache-control', FOREVER)
    .addHeader('etag', tag)
    .addHeader('last-modified', new Date(savedAt).toUTCString());
}

/** Seconds for which the file is sent in the place of a size that cannot be made now. */
const INSTEAD = 'public, max-age=300';

/** Answers with a size of an image. Gives false for a file that is sent as it is. */
async function sendSize(
  { services }: Context,
  request: Request,
  response: Response,
  file: StoredFile,
): Promise<boolean> {
  const width = readImageWidth(file.name, request.getQuery());
  if (width === undefined || !services.images) return false;
  const image = await services.images.find(file.path, width);
  if (image === 'unavailable') response.addHeader('cache-control', INSTEAD);
  if (typeof image !== 'object') return image === undefined;
  describe(response, file, image.etag);
  if (hasTag(header(request, 'if-none-match'), image.etag)) response.setStatus(304).setAnswered();
  else response.setContent(image.bytes);
  return true;
}

/**
 * Serves an uploaded file by its random name: the whole file or a range, or 304 if the client has it; an image with `width`
 * in that size.
 */
export function serveUpload(context: Context): Listener {
  const { services } = context;
  return async (request, response, { variables: [name = ''] }) => {
    const file = await services.files.open(UPLOAD_PATH + name);
    markOpen(context.plan.model, request, response);
    if (!file || (await sendSize(context, request, response, file))) return;
    const tag = `"${file.name}"`;
    const caching = response.getHeaders('cache-control');
    describe(response, file, tag);
    response.addHeader('accept-ranges', 'bytes');
    if (caching !== undefined) response.addHeader('cache-control', String(caching));
    if (hasTag(header(request, 'if-none-match'), tag)) {
      response.setStatus(304).setAnswered();
      return;
    }
    const range = readRange(request, file, tag);
    if (range === 'none') {
      response.addHeader('content-range', `bytes */${file.bytes}`).addHeader('cache-control', 'no-store');
      response.setStatus(416).setAnswered();
      return;
    }
    if (range) {
      const { start, end } = range;
      response.setStatus(206).addHeader('content-range', `bytes ${start}-${end}/${file.bytes}`);
      response.setStream({ stream: file.read(range), bytes: end - start + 1 });
    } else response.setStream({ stream: file.read(), bytes: file.bytes });
  };
}
