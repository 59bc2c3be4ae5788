import { type Action, getAccess } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import { isObject, toObject } from '../../core/record.ts';
import { findListLength } from '../../core/request/json-list.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { toRowVersion } from '../../store/read/row-version.ts';
import { removeFromQuery } from './credentials.ts';
import { refuse } from './errors.ts';

const WINDOW = ['offset', 'limit', 'start', 'range'];
/** What a cursor replaces; the limit stays. */
const CURSORS = ['after', 'before', 'offset', 'start'];
const CHANGES = /^system-model-(?:create|update|remove|restore)$/;
const PREFERS_LITTLE = /(?:^|,)\s*return\s*=\s*"?minimal"?\s*(?:[,;]|$)/i;

/** Completes the answer after the event: status, `Location`, `Link`, caching. */
export type AnswerStep = (request: Request, response: Response) => void;

/** Compiles the answer step of a call. */
export function compileAnswer(call: CallPlan, context: Context): AnswerStep {
  const { event, access } = call.definition;
  const locate = event === 'system-model-create' ? compileLocation(call, context) : undefined;
  const isCreate = event === 'system-model-create';
  const tag = CHANGES.test(event) ? compileTag(call, context) : undefined;
  const life = compileLifecycleHeaders(call);
  const isSearch = event === 'system-model-search';
  const { pageRows } = context.plan.model.settings.limits;
  return (request, response) => {
    if (access !== 'public' && response.getHeaders('cache-control') === undefined) {
      response.addHeader('cache-control', 'private, no-cache');
    }
    life(request, response);
    if (response.isError()) {
      if (response.getStatus() < 400) response.setStatus(response.hasValidation() ? 422 : 400);
      return;
    }
    if (response.isAnswered()) return;
    if (event === 'system-model-detail' && !response.hasResults()) {
      refuse(response, { status: 404, code: 'ROW_MISSING', message: 'There is no such row.' });
      return;
    }
    if (!response.isSuccess()) response.setError(false);
    removeSecrets(response);
    if (isCreate && response.getStatus() === 200) response.setStatus(201);
    const location = locate?.(response);
    if (location !== undefined) response.addHeader('location', location);
    if (isSearch) addLinks(request, response, pageRows);
    tag?.(response);
    if (CHANGES.test(event) && PREFERS_LITTLE.test(request.getHeader('prefer') ?? '')) shorten(response);
    response.setAnswered();
  };
}

/**
 * Whether the answer of a write shows of a row what a detail shows of it: the next `If-Match` is compared with the version
 * that a detail gives. A rule of the write may hide more, and rules for details may hide the row.
 */
function isAsDetail({ name, primary, row: { stored } }: SchemaModel, action: Action, row: Row): boolean {
  const access = getAccess();
  const detail = access.grant(name, 'detail');
  if (detail === undefined) return false;
  const read = access.grant(name, action)?.read;
  if (read !== undefined && !(detail.read && [...detail.read].every((column) => read.has(column)))) return false;
  return detail.rows?.anyOf === undefined || stored.some((column) => column !== primary && row[column] !== undefined);
}

/** Adds the row's version as ETag to the answer of a write, for the next `If-Match`. */
function compileTag(call: CallPlan, context: Context): ((response: Response) => void) | undefined {
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  const { event } = call.definition;
  if (!schema || event === 'system-model-remove') return undefined;
  const action = event.slice('system-model-'.length) as Action;
  return (response) => {
    const row = response.getResults();
    if (!isObject(row) || !isAsDetail(schema, action, row)) return;
    const version = toRowVersion(schema, row);
    if (version !== undefined) response.addHeader('etag', `"${version}"`);
  };
}

/** Removes the row from the answer, because the client does not want it. @see RFC 7240 section 4.2 */
function shorten(response: Response): void {
  if (response.getStatus() === 200) response.setStatus(204);
  response.remove('json', 'results').remove('json', 'error').addHeader('preference-applied', 'return=minimal');
}

/** Removes an app's credentials, in case a listener copied them to the results. */
function removeSecrets(response: Response): void {
  const results = response.getResults();
  if (typeof results !== 'object' || results === null) return;
  for (const name of ['client_id', 'client_secret']) if (name in results) response.removeResults(name);
}

/** The calls that give one row by its primary key, by schema. */
const listDetails = memoize((plan: Context['plan']): Map<string, CallPlan[]> => {
  const found = new Map<string, CallPlan[]>();
  for (const call of plan.calls) {
    const { definition, schema = '', parameters } = call;
    if (definition.event !== 'system-model-detail' || (definition.method !== 'get' && definition.method !== 'all'))
      continue;
    if (parameters.length !== 1 || parameters[0] !== plan.model.schemas.get(schema)?.primary) continue;
    found.set(schema, [...(found.get(schema) ?? []), call]);
  }
  return found;
});

/** Finds the detail call for `Location` after a create: same schema, preferably same access. */
function compileLocation(call: CallPlan, context: Context): ((response: Response) => string | undefined) | undefined {
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (!schema) return undefined;
  const details = listDetails(context.plan).get(schema.name) ?? [];
  const detail = details.find(({ definition }) => definition.access === call.definition.access) ?? details[0];
  if (!detail) return undefined;
  const { primary } = schema;
  return (response) => {
    const id = response.getResults(primary);
    return id === undefined || id === null
      ? undefined
      : detail.path.replace(`:${primary}`, encodeURIComponent(String(id)));
  };
}

/**
 * Adds `Link` to the previous and next pages. The next one is by cursor, so that rows which come and go move no row to
 * another page; the previous one is by offset if the request used one. Groups have no cursors. @see RFC 8288
 */
function addLinks(request: Request, response: Response, pageRows: number): void {
  const results = response.getResults();
  const length = findListLength(results, 'rows');
  if (length === undefined) return;
  const { next, previous, total, total_more: isCut }: Partial<Page> = toObject(results);
  const { after, before, limit: limited, range, offset: offsetBy, start } = toObject(request.getStage());
  if (isSet(after) || isSet(before)) {
    setLink(request, response, { next: toCursor('after', next), prev: toCursor('before', previous) });
    return;
  }
  const limit = toCount(limited ?? range, pageRows);
  const offset = toCount(offsetBy ?? start, 0);
  const isWhole = typeof total === 'number' && isCut !== true;
  const isMore = isWhole ? offset + length < total : length === limit;
  const toPage = (first: number): string => `offset=${first}&limit=${limit}`;
  setLink(request, response, {
    next: toCursor('after', next) ?? (isMore && length > 0 ? toPage(offset + limit) : undefined),
    prev: offset > 0 ? toPage(Math.max(0, offset - limit)) : undefined,
  });
}

/** What the search's results say of the pages; a listener may have changed it. */
type Page = Readonly<Record<'next' | 'previous' | 'total' | 'total_more', unknown>>;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The query of the page at a cursor of the answer. */
const toCursor = (name: 'after' | 'before', cursor: unknown): string | undefined =>
  typeof cursor === 'string' ? `${name}=${encodeURIComponent(cursor)}` : undefined;

type Pages = Readonly<Record<'next' | 'prev', string | undefined>>;

/** Sets `Link` to this path, with the rest of its query and each page's own parameters. */
function setLink(request: Request, response: Response, { next, prev }: Pages): void {
  if (next === undefined && prev === undefined) return;
  const [path, query] = [request.getPath('string'), request.getQuery()];
  const toTarget = (page: string): string => {
    const rest = query === '' ? '' : removeFromQuery(query, page.startsWith('offset') ? WINDOW : CURSORS);
    const base = `${path}?${rest === '' ? '' : `${rest}&`}`;
    // The query is client text: characters that could end the link target are encoded.
    return base.replace(/[<>"\s]/g, encodeURIComponent) + page;
  };
  const links = Object.entries({ next, prev }).flatMap(([relation, page]) =>
    page === undefined ? [] : [`<${toTarget(page)}>; rel="${relation}"`],
  );
  response.addHeader('link', links.join(', '));
}

function toCount(value: unknown, usual: number): number {
  const count = Number(value ?? Number.NaN);
  return Number.isInteger(count) && count >= 0 ? count : usual;
}

const toTime = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * Headers that announce a call's end. @see RFC 9745 section 2.1 (unix seconds). @see RFC 8594 section 3
 * (HTTP-date)
 */
function toHeaders({ deprecated, sunset }: CallPlan['definition']): Readonly<Record<string, string>> {
  return {
    ...(deprecated === undefined ? {} : { deprecation: `@${toTime(deprecated) / 1000}` }),
    ...(sunset === undefined ? {} : { sunset: new Date(toTime(sunset)).toUTCString() }),
  };
}

const addTo = (vary: unknown, name: string): string => (vary === undefined ? name : `${String(vary)}, ${name}`);

/** Compiles the headers for caching, deprecation and sunset from the call's definition. */
export function compileLifecycleHeaders(call: CallPlan): (request: Request, response: Response) => void {
  const { access, maxAge } = call.definition;
  const headers = Object.entries(toHeaders(call.definition));
  const caching = access === 'public' && maxAge !== undefined ? `public, max-age=${maxAge}` : undefined;
  return (request, response) => {
    if (access !== 'public') response.addHeader('vary', addTo(response.getHeaders('vary'), 'Authorization'));
    for (const [name, value] of headers) response.addHeader(name, value);
    if (caching !== undefined && request.isMethod('GET') && response.getHeaders('cache-control') === undefined) {
      response.addHeader('cache-control', caching);
    }
  };
}
