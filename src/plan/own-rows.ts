import { runAs } from '../core/access.ts';
import { TreadleError } from '../core/errors.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import { currentScope } from '../core/scope.ts';
import type { Row } from '../database/row-statement.ts';
import { listNames } from '../model/filter/operand.ts';
import { toList } from '../model/json/json-parts.ts';
import { isRecord } from '../model/json/json-value.ts';
import { estimateExpand } from '../store/read/parse/expand.ts';
import { AGGREGATE_PARAMETERS, findUnknownNames } from '../store/read/parse/search-parameters.ts';
import { MOST_ROWS } from '../store/read/search.ts';
import { getSearcher } from '../store/read/searcher.ts';
import type { App } from './app.ts';
import type { Context } from './feature.ts';
import { type OwnFacts, type OwnParts, setOwnFacts } from './own-facts.ts';
import { createUpsert } from './own-upsert.ts';

/** Rows read at once. */
const PAGE_ROWS = 500;
/** Parameters of one page. */
const OF_PAGE = ['range', 'offset', 'start', 'after', 'before', 'total'];

type Search = Readonly<Record<string, unknown>>;
interface Page {
  readonly rows: readonly Row[];
  readonly next?: string;
}

/** The rows of a project, for its own code and for programs that run it. */
export type OwnRows = Pick<App, 'rows' | 'count' | 'exists' | 'upsert'>;

const invalid = (message: string, hint: string): TreadleError =>
  new TreadleError('ROWS_SEARCH_INVALID', message, { hint });

/** @throws ROWS_SEARCH_INVALID */
function checkSearch(method: 'rows' | 'count' | 'exists', search: unknown): asserts search is Search {
  const name = `app.${method}`;
  if (!isRecord(search)) throw invalid(`The search of ${name} is not an object.`, 'Write { filter: { … } }.');
  const refused = method === 'rows' ? OF_PAGE : ['limit', ...OF_PAGE];
  const own = [...refused, ...AGGREGATE_PARAMETERS].find((parameter) => search[parameter] !== undefined);
  if (own !== undefined) {
    const reason = method === 'rows' ? 'it reads one page after the other' : 'it is about all rows of the search';
    const hint = `Remove "${own}", or emit "system-model-search" for one page.`;
    throw invalid(`"${own}" cannot be given to ${name}: ${reason}.`, hint);
  }
  const [unknown] = Object.values(findUnknownNames(search, new Set()));
  if (unknown !== undefined) throw invalid(`${name}: ${unknown}`, 'See the guide: search.');
}

/** The most rows in all. @throws ROWS_SEARCH_INVALID */
function readLimit({ limit }: Search): number {
  if (limit === undefined || limit === null) return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(String(limit)) && Number(limit) >= 1 && Number(limit) <= MOST_ROWS) return Number(limit);
  const message = `"limit" of app.rows must be a whole number from 1 to ${MOST_ROWS}.`;
  throw invalid(message, 'Leave it out to read every row, and leave the loop by "break" when you have enough.');
}

/** Rows of a page that `expand` allows: a page brings at most `limits.expandRows` related rows. */
function toPageRows({ plan: { model } }: Context, schema: string, { expand }: Search): number {
  if (expand === undefined || expand === null || !model.schemas.has(schema)) return PAGE_ROWS;
  const searcher = getSearcher(model);
  const options = { toSource: searcher.source, see: undefined };
  const cost = estimateExpand(listNames(expand), searcher.source(schema), options);
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor(model.settings.limits.expandRows / Math.max(cost, 1))));
}

/** @throws ROWS_REFUSED */
async function emitSearch(emit: OwnParts['emit'], schema: string, search: Search, facts?: OwnFacts): Promise<Response> {
  const request = new Request().setStage({ ...search, schema });
  if (facts !== undefined) setOwnFacts(request, facts);
  const response = new Response(request);
  await emit('system-model-search', request, response);
  if (!response.isError()) return response;
  const message = `The rows of "${schema}" were not read: ${response.getMessage()}`;
  const [status, detail] = [response.getStatus(), response.getValidation()];
  throw new TreadleError('ROWS_REFUSED', message, { status, detail });
}

/**
 * Creates `app.rows`, `app.count`, `app.exists` and `app.upsert`. Each page of rows is a search of its own, after the cursor of the last one, so
 * that between two pages nothing is open: no transaction, no connection, no statement.
 */
export function createOwnRows(parts: OwnParts): OwnRows {
  const { context, emit } = parts;
  async function* iterate(schema: string, search: unknown, find: typeof emitSearch): AsyncGenerator<Row, void> {
    checkSearch('rows', search);
    const pageRows = toPageRows(context(), schema, search);
    let left = readLimit(search);
    for (let after: string | undefined; ; ) {
      const limit = Math.min(pageRows, left);
      const { rows, next } = (await find(emit, schema, { ...search, limit, total: 0, after })).getResults<Page>();
      yield* rows;
      left -= rows.length;
      if (next === undefined || left <= 0) return;
      after = next;
    }
  }
  const rows = (schema: string, search: unknown = {}): AsyncGenerator<Row, void> => {
    // Whoever takes the rows, in whatever scope: they are those of who wanted them.
    const access = currentScope.getStore()?.access;
    const find: typeof emitSearch = (...all) =>
      access === undefined ? emitSearch(...all) : runAs(access, () => emitSearch(...all));
    return iterate(schema, search, find);
  };
  const count = async (schema: string, search: unknown = {}): Promise<number> => {
    checkSearch('count', search);
    return Number((await emitSearch(emit, schema, search, { part: 'count' })).getResults('total') ?? 0);
  };
  const exists = async (schema: string, search: unknown = {}): Promise<boolean> => {
    checkSearch('exists', search);
    const response = await emitSearch(emit, schema, { ...search, limit: 1, total: 0 }, { part: 'first' });
    return toList(response.getResults('rows')).length > 0;
  };
  return { rows, count, exists, upsert: createUpsert(parts) } as OwnRows;
}
