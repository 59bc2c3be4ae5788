import type { HelperOptions } from 'handlebars';
import { isObject, isOneOf, toObject } from '../core/record.ts';
import { currentScope } from '../core/scope.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { translate } from '../core/text/translate.ts';
import { escapeHtml, toSafeAddress } from '../model/format/format-text.ts';
import type { Settings } from '../model/shape.ts';
import type { Assets } from '../project/asset.ts';
import { IMAGE_WIDTHS } from '../project/image.ts';
import { SafeText } from './rich-text.ts';

/** An error of a template's author, at the place of the call. */
export class HelperError extends Error {
  readonly lineNumber: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, options?: object) {
    super(message);
    const { loc }: { readonly loc?: { readonly start?: { readonly line: number; readonly column: number } } } =
      options ?? {};
    this.lineNumber = loc?.start?.line;
    this.column = loc?.start?.column;
  }
}

const currentRequest = () => currentScope.getStore()?.request;

/** Path and query parameters of the running request. */
function readHere(): { readonly path: string; readonly query: URLSearchParams } {
  const request = currentRequest();
  return { path: request?.getPath('string') ?? '', query: new URLSearchParams(request?.getQuery() ?? '') };
}

/** Parameters that name a place in a list, which another order or search does not have. */
const PLACES = ['after', 'before', 'offset', 'page'];

function toUrl(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The current page sorted by a column; again by the same one, in the other direction. */
export function toSortUrl(column: string): string {
  const { path, query } = readHere();
  query.set('sort', query.get('sort') === column ? `-${column}` : column);
  for (const place of PLACES) query.delete(place);
  return toUrl(path, query);
}

/** The direction in which the current page is sorted by a column; empty if it is not. */
export function toSortCaret(column: string): string {
  const sort = readHere().query.get('sort');
  return sort === column ? '↑' : sort === `-${column}` ? '↓' : '';
}

/** An address that comes back to the current page, such as the login. */
export function toRedirectUrl(address: string): string {
  const { path, query } = readHere();
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ redirect_uri: toUrl(path, query) })}`;
}

/** What a template may read of the running request. */
export function readRequest(what: string, name: unknown, options: HelperOptions): unknown {
  const request = currentRequest();
  if (what === 'path') return request?.getPath('string') ?? '';
  if (what === 'method') return request?.getMethod() ?? '';
  if (what === 'query' && typeof name === 'string') return readHere().query.get(name) ?? '';
  throw new HelperError('request reads "path", "method", or "query" with a name.', options);
}

/** The URL of a static file with the hash of its content. The parts of its path are joined. */
export function toAssetUrl(assets: Assets | undefined, parts: readonly unknown[], options: HelperOptions): string {
  const path = parts.map((part) => String(part ?? '')).join('');
  if (!assets) return path;
  const url = assets.toUrl(path);
  if (url !== undefined) return url;
  throw new HelperError(`There is no file ${path} in public/. ${toDidYouMean(path, assets.list())}`, options);
}

/** Settings that pages may show. Others may name hosts, private addresses and databases. */
export const PUBLIC_SETTINGS = [
  'name',
  'home',
  'api',
  'languages',
  'server.baseUrl',
  'server.uploadBytes',
  'auth.signup',
  'auth.verify',
  'limits.pageRows',
  'limits.maxPageRows',
] as const;

/** A public setting by its dotted name. */
export function readSetting(settings: Settings | undefined, name: string, options: HelperOptions): unknown {
  if (!isOneOf(PUBLIC_SETTINGS, name)) {
    throw new HelperError(`"${name}" is no public setting. Public are ${PUBLIC_SETTINGS.join(', ')}.`, options);
  }
  return name.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), settings);
}

interface PageLink {
  readonly number: number;
  readonly href: string;
  readonly isCurrent: boolean;
  /** True if pages between the one before and this one are left out. */
  readonly isGap: boolean;
}

/** What `templates/helper/pager.html` shows; undefined for a list of one page. */
interface PagerView {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly pages: readonly PageLink[];
  readonly previousLabel: string;
  readonly nextLabel: string;
}

const toCount = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

/** The first and the last page, and those next to the current one. */
function listNumbers(page: number, pages: number): number[] {
  const near = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages);
  return [...new Set(near)].sort((a, b) => a - b);
}

interface PagerInput {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly given: Readonly<Record<string, unknown>>;
}

/** The current page with other places. */
function moveTo({ path, query }: PagerInput, places: Readonly<Record<string, string>>): string {
  const moved = new URLSearchParams(query);
  for (const place of PLACES) moved.delete(place);
  for (const [name, value] of Object.entries(places)) moved.set(name, value);
  return toUrl(path, moved);
}

const toText = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

function toCursorPager(input: PagerInput, cursors: { next: unknown; previous: unknown }): PagerView | undefined {
  const { next, previous } = cursors;
  if (typeof next !== 'string' && typeof previous !== 'string') return undefined;
  return {
    previous: typeof previous === 'string' ? moveTo(input, { before: previous }) : undefined,
    next: typeof next === 'string' ? moveTo(input, { after: next }) : undefined,
    pages: [],
    ...toLabels(input.given),
  };
}

const toLabels = (given: PagerInput['given']): { previousLabel: string; nextLabel: string } => ({
  previousLabel: toText(given.previousLabel, translate('Previous')),
  nextLabel: toText(given.nextLabel, translate('Next')),
});

function toPagePager(
  input: PagerInput,
  { total, limit, offset }: { total: number; limit: number; offset: number },
): PagerView | undefined {
  const pages = Math.ceil(total / limit);
  const page = Math.floor(offset / limit) + 1;
  if (pages <= 1 && page === 1) return undefined;
  const link = (to: number): string => {
    if (to === 1) return moveTo(input, {});
    return moveTo(input, input.given.by === 'page' ? { page: `${to}` } : { offset: `${(to - 1) * limit}` });
  };
  const numbers = listNumbers(page, pages);
  return {
    previous: page > 1 ? link(Math.min(page - 1, Math.max(1, pages))) : undefined,
    next: page < pages ? link(page + 1) : undefined,
    pages: numbers.map((number, index) => ({
      number,
      href: link(number),
      isCurrent: number === page,
      isGap: number - (numbers[index - 1] ?? 0) > 1,
    })),
    ...toLabels(input.given),
  };
}

/**
 * The links between the pages of a search: of the search that the running request made, unless the named values say
 * otherwise. Numbered pages where the total is known; otherwise, and on a page that a cursor opened, the next and the
 * previous one.
 */
export function toPagerView(
  given: Readonly<Record<string, unknown>>,
  settings: Settings | undefined,
): PagerView | undefined {
  const { request, response } = currentScope.getStore() ?? {};
  const results = toObject(response?.getResults());
  const input: PagerInput = { ...readHere(), given };
  const find = (name: string, fallback: unknown): unknown => (Object.hasOwn(given, name) ? given[name] : fallback);
  const isCursor = given.by === 'cursor' || input.query.has('after') || input.query.has('before');
  const total = toCount(find('total', results.total));
  if (isCursor || total === undefined) {
    return toCursorPager(input, { next: find('next', results.next), previous: find('previous', results.previous) });
  }
  const limit = toCount(find('limit', request?.getStage('limit'))) || settings?.limits.pageRows || 50;
  return toPagePager(input, { total, limit, offset: toCount(find('offset', request?.getStage('offset'))) ?? 0 });
}

/** Attributes of `<img>` that a template may give. */
const IMAGE_ATTRIBUTES = [
  'sizes',
  'alt',
  'loading',
  'decoding',
  'class',
  'id',
  'width',
  'height',
  'title',
  'fetchpriority',
];
const SIZED = /\.(?:jpe?g|png|webp|avif)$/i;
/** The width for browsers that know no `srcset`. */
const USUAL_WIDTH = 1280;

/** An `<img>` in all widths that the site makes: of an uploaded file, or of one in `public/`. */
export function renderImage(assets: Assets | undefined, address: string, options: HelperOptions): SafeText {
  const given: Readonly<Record<string, unknown>> = options.hash;
  if (address === '') return new SafeText('');
  if (typeof given.alt !== 'string')
    throw new HelperError('image needs alt="…": what the picture shows, or alt="" if it is decoration.', options);
  const isOwn = address.startsWith('/') && !address.startsWith('/upload/') && !address.startsWith('//');
  const url = isOwn && assets ? toAssetUrl(assets, [address], options) : toSafeAddress(address);
  const isSized = address.startsWith('/') && !address.startsWith('//') && SIZED.test(address);
  const toWidth = (width: number): string => `${url}${url.includes('?') ? '&' : '?'}width=${width}`;
  const attributes: Record<string, unknown> = {
    src: isSized ? toWidth(USUAL_WIDTH) : url,
    ...(isSized
      ? { srcset: IMAGE_WIDTHS.map((width) => `${toWidth(width)} ${width}w`).join(', '), sizes: '100vw' }
      : {}),
    loading: 'lazy',
    decoding: 'async',
  };
  for (const name of IMAGE_ATTRIBUTES) if (given[name] !== undefined) attributes[name] = given[name];
  if (!isSized) delete attributes.sizes;
  const parts = Object.entries(attributes).map(([name, value]) => `${name}="${escapeHtml(String(value))}"`);
  return new SafeText(`<img ${parts.join(' ')}>`);
}
