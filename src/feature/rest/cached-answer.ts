import { getAccess, toAccessKey } from '../../core/access.ts';
import { continueWith } from '../../core/continue-with.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { findSameTag } from '../../core/request/tagging.ts';
import { currentLocaleTag } from '../../core/text/translate.ts';
import { listReadSources, recordReads } from '../../database/version/read-note.ts';
import type { TableVersions } from '../../database/version/table-version.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { Cache, SeenKeys, sizeOfBody, sizeOfKey } from '../../store/cache.ts';
import { compileLifecycleHeaders } from './answer.ts';
import type { CallExchange, CallStep } from './call-step.ts';

/** Bytes of cached answers, for all calls of a plan. */
const MOST_BYTES = 8_388_608;
/** Maximum characters, or bytes, of an answer that is cached whole; of a longer one only the ETag is. */
const MOST_CHARACTERS = 262_144;
/** Maximum characters of a cached path and query. */
const MOST_KEY_CHARACTERS = 1000;
const READS = /^system-model-(?:search|detail)$/;

interface CachedAnswer {
  readonly tag: string;
  readonly body: string | Uint8Array | undefined;
  readonly link: string | undefined;
}

/** The cached answers of a plan's calls. A request that came once is only remembered: many never come again. */
export class AnswerCache {
  readonly answers = new Cache<CachedAnswer>(MOST_BYTES);
  readonly seen = new SeenKeys();
}

/**
 * Compiles the short way to an answer that was given before; undefined for a call that writes, or that project code
 * answers.
 *
 * If no process has written any of the rows that were read for an answer, the answer is unchanged, and no row is read:
 * a client that sends its ETag gets 304, another one the same body. Project listeners may add data from elsewhere, so a
 * call that they hear is always run.
 *
 * @see RFC 9110 section 13.1.2
 */
export function compileCachedAnswer(call: CallPlan, context: Context, cache: AnswerCache): CallStep | undefined {
  const { event, method } = call.definition;
  if (call.handler || !READS.test(event) || (method !== 'get' && method !== 'all')) return undefined;
  const isWeak = event === 'system-model-search';
  const life = compileLifecycleHeaders(call);
  const { answers, seen } = cache;
  const { bus } = context.plan;
  const { database } = context.services;
  const { recentVersions: recent } = database;
  const isOwn = bus.isOwn(event) && !bus.followers.hasFollower(event, call.schema);
  const mayCache = (request: Request): boolean =>
    isOwn &&
    request.isMethod('GET') &&
    !database.isInTransaction &&
    getAccess().isTimed !== true &&
    request.getHeader('if-match') === undefined &&
    bus.match('GET', request.getPath('string')).isOwn;
  const find = ({ request, response }: CallExchange, key: string, versions: TableVersions): boolean => {
    const known = answers.find(key, versions);
    if (known === undefined) return false;
    if (!repeat(known, request.getHeader('if-none-match'), response)) return false;
    // A 304 must carry the caching headers of the full answer. @see RFC 9110 section 15.4.5
    life(request, response);
    return true;
  };
  const run: CallStep['run'] = (x, next) => {
    const { request, response } = x;
    if (isWeak) response.tagging = { isWeak };
    if (!mayCache(request)) return next(x);
    const key = toKey(call, request);
    if (key.length > MOST_KEY_CHARACTERS) return next(x);
    const isRare = !seen.add(key) || !answers.wants(key);
    if (isRare && request.getHeader('if-none-match') === undefined) return next(x);
    return continueWith(recent.find() ?? recent.read(), (versions) =>
      find(x, key, versions)
        ? undefined
        : cacheAnswer(key, versions, { answers, response, isWeak, next: async () => next(x) }),
    );
  };
  return { name: 'cached', run };
}

/** Gives the answer again, or 304 to a client that has it. False if only the ETag is known. */
function repeat({ tag, body, link }: CachedAnswer, given: string | undefined, response: Response): boolean {
  const same = findSameTag(given, tag);
  if (same !== undefined) {
    response.addHeader('etag', same).setError(false).setStatus(304).setAnswered();
    return true;
  }
  if (body === undefined) return false;
  if (link !== undefined) response.addHeader('link', link);
  response.addHeader('etag', tag).setError(false).setAnswered().cachedBody = body;
  return true;
}

interface CacheContext {
  readonly answers: Cache<CachedAnswer>;
  readonly response: Response;
  readonly isWeak: boolean;
  readonly next: () => Promise<unknown>;
}

/** Makes the answer, and caches it under the versions before it. */
async function cacheAnswer(
  key: string,
  versions: TableVersions,
  { answers, response, isWeak, next }: CacheContext,
): Promise<unknown> {
  const { value, reads } = recordReads(next);
  const result = await value;
  response.tagging = {
    isWeak,
    row: response.tagging?.row,
    cache(tag, text, { link }) {
      const body = text.length > MOST_CHARACTERS ? undefined : text;
      const known = { tag, body, link: link === undefined ? link : String(link) };
      const bytes = sizeOfKey(key) + sizeOfBody(body ?? '');
      answers.set(key, known, { bytes, basis: versions.basisOf(listReadSources(reads)) });
    },
  };
  return result;
}

/**
 * Everything that the answer depends on, apart from rows: the call, the query (without credentials) and all of
 * the caller's access.
 */
function toKey(call: CallPlan, request: Request): string {
  const access = getAccess();
  const profile = access.profileId === undefined ? (request.getStage('profile_id') ?? '') : '';
  return `${call.name} ${currentLocaleTag()} ${toAccessKey(access)} ${String(profile)} ${request.getPath('string')}?${request.getQuery()}`;
}
