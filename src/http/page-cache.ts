import type { OutgoingHttpHeaders } from 'node:http';
import { continueWith } from '../core/continue-with.ts';
import { TreadleError } from '../core/errors.ts';
import { recordEnd, type Validity } from '../core/lasting.ts';
import type { Response } from '../core/request/response.ts';
import type { Reads } from '../core/scope.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { listReadSources, recordReads, type Sources, toTable } from '../database/version/read-note.ts';
import type { TableVersions } from '../database/version/table-version.ts';
import type { Context } from '../plan/feature.ts';
import { Cache, sizeOfBody, sizeOfKey } from '../store/cache.ts';
import type { Exchange } from './exchange.ts';

/** Bytes of the cached pages of a plan. */
const MOST_BYTES = 8_388_608;
const MOST_CHARACTERS = 524_288;
const MOST_KEY_CHARACTERS = 1000;
/** Headers that belong to one answer, not to the page. */
const OWN_HEADERS = ['x-request-id', 'etag', 'vary', 'content-encoding', 'content-length', 'connection'];

/** A page for everybody without a cookie. */
export interface CachedPage {
  readonly tag: string;
  readonly body: string | Uint8Array;
  readonly headers: OutgoingHttpHeaders;
  /** Milliseconds since 1970 at which a relative time on it changes. */
  readonly until: number;
}

/** Marks a page that asked to be cached: the next request for it reads the versions first, then makes and caches it. */
const SEEN: CachedPage = { tag: '', body: '', headers: {}, until: 0 };

function listTables({ plan }: Context, schemas: readonly string[]): string[] {
  const { schemas: known } = plan.model;
  return schemas.map((name) => {
    const table = known.get(name)?.table;
    if (table !== undefined) return table;
    const hint = toDidYouMean(name, known.keys());
    throw new TreadleError('CACHE_SCHEMA_UNKNOWN', `setCache names "${name}", which is not a schema. ${hint}`);
  });
}

/** What a page depends on: the rows that it read, and the named tables of which it read none. */
function listPageSources(named: readonly string[], reads: Reads | undefined): Sources {
  const hasRead = reads !== undefined && reads.statements.size + reads.rows.size > 0;
  const read = hasRead ? listReadSources(reads) : [];
  if (read === undefined) return undefined;
  const tables = new Set(read.map(toTable));
  return [...read, ...named.filter((table) => !tables.has(table))];
}

/** The cache entry of one page. */
class PageSlot {
  readonly #pages: Cache<CachedPage>;
  readonly #key: string;
  readonly #context: Context;
  readonly #exchange: Exchange;
  /** The versions before the page is made; undefined if this request does not cache it. */
  #versions: TableVersions | undefined;
  #reads: Reads | undefined;
  #lasting: Readonly<Validity> = { until: Number.POSITIVE_INFINITY };

  constructor(pages: Cache<CachedPage>, exchange: Exchange, key: string) {
    this.#pages = pages;
    this.#context = exchange.context;
    this.#exchange = exchange;
    this.#key = key;
  }

  /** The page, if nothing that it was made of has changed, and no time on it. */
  find(): CachedPage | undefined | Promise<CachedPage | undefined> {
    const recent = this.#context.services.database.recentVersions;
    if (this.#pages.get(this.#key) === undefined) return undefined;
    return continueWith(recent.find() ?? recent.read(), (versions) => this.#findOf(versions));
  }

  #findOf(versions: TableVersions): CachedPage | undefined {
    const known = this.#pages.find(this.#key, versions);
    if (known !== undefined && known !== SEEN && this.#context.services.clock.now() < known.until) return known;
    this.#versions = versions;
    return undefined;
  }

  /** Makes the page, and notes what it reads. */
  record<T>(work: () => T): T {
    if (this.#versions === undefined) return work();
    const { value: made, reads } = recordReads(() => recordEnd(work));
    const { value, lasting } = made;
    this.#reads = reads;
    this.#lasting = lasting;
    return value;
  }

  /** Caches what a response sends, if it asks for that by `setCache`. */
  watch(response: Response): void {
    const storePage = (tag: string, body: string | Uint8Array, headers: OutgoingHttpHeaders): void => {
      const schemas = response.caching;
      if (schemas === undefined || !this.#mayCache(body, headers)) return;
      const named = listTables(this.#context, schemas);
      if (this.#versions === undefined) {
        this.#pages.set(this.#key, SEEN, { bytes: sizeOfKey(this.#key) });
        return;
      }
      const basis = this.#versions.basisOf(listPageSources(named, this.#reads));
      const cachedHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));
      const { until } = this.#lasting;
      const bytes = sizeOfKey(this.#key) + sizeOfBody(body);
      const page = { tag, body, headers: cachedHeaders, until };
      this.#pages.set(this.#key, page, { bytes, basis });
    };
    response.tagging = { isWeak: false, cache: storePage };
  }

  #mayCache(body: string | Uint8Array, headers: OutgoingHttpHeaders): boolean {
    const isPrivate = headers['set-cookie'] !== undefined || String(headers['cache-control']).includes('no-store');
    return !isPrivate && body.length <= MOST_CHARACTERS && this.#exchange.access?.isTimed !== true;
  }
}

/** The pages of each plan that asked to be cached by `setCache`. */
export class PageCache {
  readonly #pages = new WeakMap<Context, Cache<CachedPage>>();

  /**
   * The slot of a page; undefined for one that is never cached: it is no GET, a gate guards it, or a cookie came with the request.
   */
  findSlot(exchange: Exchange): PageSlot | undefined {
    const { req, method, isGuarded, isSecure, path, query, prefix, locale } = exchange;
    if (method !== 'GET' || isGuarded || req.headers.cookie !== undefined) return undefined;
    const key = `${isSecure ? 'https' : 'http'}://${req.headers.host ?? ''}${prefix}${path}?${query} ${locale?.tag ?? ''}`;
    return key.length > MOST_KEY_CHARACTERS ? undefined : new PageSlot(this.#of(exchange.context), exchange, key);
  }

  #of(context: Context): Cache<CachedPage> {
    const known = this.#pages.get(context);
    if (known) return known;
    const made = new Cache<CachedPage>(MOST_BYTES);
    this.#pages.set(context, made);
    return made;
  }
}
