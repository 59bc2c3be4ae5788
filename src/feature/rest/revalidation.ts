import { getAccess } from '../../core/access.ts';
import { BoundedMap } from '../../core/bounded-map.ts';
import type { Request } from '../../core/request.ts';
import { findSameTag } from '../../core/tagging.ts';
import { listReadTables, recordReads } from '../../database/table-version.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { readHeader } from './credentials.ts';
import { compileLifecycleHeaders } from './lifecycle-headers.ts';
import type { Middleware } from './precondition.ts';

/** Remembered ETags per call. */
const KEPT = 1000;
/** Maximum characters of a remembered path and query. */
const MOST_CHARACTERS = 1000;
const READS = /^system-model-(?:search|detail)$/;

/** An answer's ETag, the tables that were read for it (undefined: any), and their version before the read. */
interface Known {
  tag: string;
  tables: readonly string[] | undefined;
  version: string;
}

/**
 * Compiles the short way to 304; undefined for a call that writes, or that project code answers.
 *
 * A client sends the ETag of the answer that it has. If no process has written any of the tables that were
 * read for it, the answer is unchanged, and no row is read. Project listeners may add data from elsewhere, so
 * a call that they hear is always run.
 *
 * @see RFC 9110 section 13.1.2
 */
export function compileRevalidation(call: CallPlan, context: Context): Middleware | undefined {
  const { event, method } = call.definition;
  if (call.handler || !READS.test(event) || (method !== 'get' && method !== 'all')) return undefined;
  const isWeak = event === 'system-model-search';
  const life = compileLifecycleHeaders(call);
  const kept = new BoundedMap<Known>(KEPT);
  const { bus } = context.plan;
  const { database } = context.services;
  const hasProjectCode = (route: string): boolean =>
    !bus.isOwn(event) || bus.followers.hears(event, call.schema) || !bus.isOwn(route);
  return async (request, response, next) => {
    if (isWeak) response.tagging = { isWeak };
    const given = request.isMethod('GET') ? readHeader(request, 'if-none-match') : undefined;
    if (given === undefined || !database.tableVersions || readHeader(request, 'if-match') !== undefined) return next();
    const key = toKey(request);
    const path = request.getPath('string');
    if (getAccess().isTimed || key.length > MOST_CHARACTERS || hasProjectCode(`GET ${path}`)) return next();
    const versions = await database.tableVersions();
    const known = kept.getOrCreate(key, () => ({ tag: '', tables: undefined, version: '' }));
    const same = known.version === versions.of(known.tables) ? findSameTag(given, known.tag) : undefined;
    if (same !== undefined) {
      // A 304 must carry the caching headers of the full answer. @see RFC 9110 section 15.4.5
      life(request, response);
      response.addHeader('etag', same).setError(false).setStatus(304).setAnswered();
      return undefined;
    }
    const { value, statements } = recordReads(next);
    const result = await value;
    response.tagging = {
      isWeak,
      row: response.tagging?.row,
      keep(tag) {
        const tables = listReadTables(statements);
        Object.assign(known, { tag, tables, version: versions.of(tables) });
      },
    };
    return result;
  };
}

/**
 * Everything that the answer depends on, apart from the tables: the query (without credentials) and all of
 * the caller's access.
 */
function toKey(request: Request): string {
  const { kind, authId, profileId, appId, roles, scopes, view = '' } = getAccess();
  const profile = profileId ?? request.getStage('profile_id') ?? '';
  // Roles decide which rows and columns the answer contains.
  const who = [kind, authId ?? '', String(profile), appId ?? '', roles.join(), scopes.join(), view].join(' ');
  return `${who} ${request.getPath('string')}?${request.getQuery()}`;
}
