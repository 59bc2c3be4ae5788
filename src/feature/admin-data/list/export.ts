import { Readable } from 'node:stream';
import { type Access, getAccess, runAs } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { listExported } from '../../../rows/column.ts';
import { MOST_FILES, takeFilePlace } from '../../../rows/file-place.ts';
import { addLinkIds, type ListColumn, listLists } from '../../../rows/link-ids.ts';
import { FORMATS, type Format } from '../../../rows/read.ts';
import { joinLines, printRows } from '../../../rows/write.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { findRows, type RowPage, type RowSelection } from './find-rows.ts';
import { type OpenSchema, openSchema } from './open.ts';
import { type ListQuery, readListQuery } from './query.ts';

const TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** What is written of each row. */
interface ExportColumns {
  readonly columns: readonly string[];
  readonly lists: readonly ListColumn[];
}

/** The chosen columns that have a column in the table; without a choice all. Never passwords, nor what the role hides. */
function listWanted({ schema, source }: OpenSchema, chosen: readonly string[]): ExportColumns {
  const access = getAccess();
  const columns = listExported(schema).filter((name) => source.columns.has(name));
  const lists = listLists(schema).filter(
    ({ relation }) => access.related === undefined || access.related(relation.target),
  );
  if (chosen.length === 0) return { columns, lists };
  const names = new Set(chosen);
  return {
    columns: columns.filter((name) => name === schema.primary || names.has(name)),
    lists: lists.filter(({ relation, key }) => names.has(relation.name) || names.has(key)),
  };
}

/** Sends all rows of a search as a file, page by page, so that memory does not grow with their number. */
export async function sendExport(context: Context, exchange: Exchange): Promise<void> {
  const open = openSchema(context, exchange);
  if (open === undefined) return;
  const { request, response } = exchange;
  const input = request.getGet() as Readonly<Record<string, unknown>>;
  const format = FORMATS.find((name) => name === input.format);
  if (format === undefined) {
    const message = translate('Choose a format: add ?format=csv, ?format=json or ?format=ndjson to the address.');
    return void response.setStatus(400).setError(true, message);
  }
  const { schema } = open;
  const leave = takeFilePlace(context.services.database, getAccess().authId ?? 0);
  if (leave === undefined) {
    const message = translate('You fetch {count} files already. Wait for one of them to end.', { count: MOST_FILES });
    return void response.addHeader('retry-after', '10').setStatus(429).setError(true, message);
  }
  const query = { ...readListQuery(input, schema.active), limit: '', offset: '', after: '', before: '' };
  const wanted = listWanted(open, query.columns);
  const reading = { fields: wanted.columns, expand: [] };
  const first = await findPage(open, query, reading).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (first.status !== 200) {
    leave();
    return void response.setStatus(first.status).setError(true, first.message);
  }
  const columns = [...wanted.columns, ...wanted.lists.map(({ key }) => key)];
  const pages = readPages(open, { query, reading, first, wanted, access: getAccess() });
  const lines = printRows(pages, { schema, columns, format, isRaw: false });
  const day = new Date(context.services.clock.now()).toISOString().slice(0, 10);
  response
    .addHeader('content-type', TYPES[format])
    .addHeader('content-disposition', `attachment; filename="${schema.name}-${day}.${format}"`)
    .addHeader('cache-control', 'no-store')
    .setStream({ stream: Readable.from(joinLines(lines), { highWaterMark: 1 }).once('close', leave) });
}

function findPage(open: OpenSchema, query: ListQuery, reading: RowSelection): Promise<RowPage> {
  const limit = open.context.plan.model.settings.limits.maxPageRows;
  return findRows(open, { ...query, limit: String(limit) }, reading, { total: 0 });
}

interface Task {
  readonly query: ListQuery;
  readonly reading: RowSelection;
  readonly first: RowPage;
  readonly wanted: ExportColumns;
  readonly access: Access;
}

/** The pages of a search, each read with the rights of the person who asked: the stream runs outside the request. */
async function* readPages(open: OpenSchema, { query, reading, first, wanted, access }: Task) {
  const { context, schema } = open;
  const { database } = context.services;
  const { model } = context.plan;
  const see = async (name: string, ids: readonly number[]): Promise<ReadonlySet<number>> => {
    const grant = access.related?.(name);
    if (access.related !== undefined && grant === undefined) return new Set();
    return getSearcher(model).reached(database, name, ids, grant?.rows);
  };
  const links = { model, database, schema, hasRemoved: query.removed !== 'no', see };
  for (let found = first; ; ) {
    const rows = found.rows.map((row) => ({ ...row }));
    for (const list of wanted.lists) await addLinkIds(rows, list, links);
    if (rows.length > 0) yield rows;
    const after = found.next;
    if (after === undefined) return;
    found = await runAs(access, () => findPage(open, { ...query, after }, reading));
    if (found.status !== 200) throw new Error(found.message);
  }
}
