import { toObject } from '../../core/record.ts';
import { closePairs, putPair } from '../../core/text/pairs.ts';
import type { Database } from '../../database/database.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { findColumn } from '../../rows/column.ts';
import { addLinkIds, type ListColumn } from '../../rows/link-ids.ts';
import { createSearcher } from '../../store/read/searcher.ts';
import { createUsageError } from '../failure.ts';

/** Number of rows per read. */
const PAGE = 1000;

type Row = Record<string, unknown>;

export interface RowQuery {
  /** Conditions `column=value` or `column[op]=value`. */
  readonly filters: readonly string[];
  readonly q: string | undefined;
  readonly sort: string | undefined;
  /** Columns; without any, all except passwords. */
  readonly fields: readonly string[];
  readonly hasRemoved: boolean;
}

/** Resolves a column or field name; the search refuses an unknown one. */
const findColumnPath = (schema: SchemaModel, name: string): string => {
  const [first = '', ...path] = name.split('.');
  return [findColumn(schema, first) ?? first, ...path].join('.');
};

function toFilter(schema: SchemaModel, { filters, hasRemoved }: RowQuery): Row {
  const pairs: Row = {};
  for (const text of filters) {
    const at = text.indexOf('=');
    const [, name, operator] = /^([^[\]=]+)(\[[^\]]*\])?$/.exec(text.slice(0, Math.max(at, 0)).trim()) ?? [];
    if (name === undefined) {
      throw createUsageError(
        `--filter "${text}" is not column=value.`,
        'Example: article_category=web or article_rank[gte]=5',
      );
    }
    putPair(pairs, `filter[${findColumnPath(schema, name)}]${operator ?? ''}`, text.slice(at + 1));
  }
  const filter = toObject(closePairs(pairs).filter);
  if (hasRemoved && schema.active !== undefined) filter[schema.active] ??= 'any';
  return filter;
}

/** The search that selects the exported rows, without its page. */
export function buildSearchStage(schema: SchemaModel, wanted: RowQuery): Row {
  const sort = wanted.sort
    ?.split(',')
    .map((part) => part.trim())
    .map((part) => (part.startsWith('-') ? `-${findColumnPath(schema, part.slice(1))}` : findColumnPath(schema, part)))
    .join(',');
  return {
    filter: toFilter(schema, wanted),
    ...(wanted.q === undefined ? {} : { q: wanted.q }),
    ...(sort === undefined ? {} : { sort }),
  };
}

export interface PageInput {
  readonly model: Model;
  readonly database: Database;
  readonly schema: SchemaModel;
  readonly search: Row;
  readonly columns: readonly string[];
  readonly lists: readonly ListColumn[];
  readonly hasRemoved: boolean;
}

const withPages = (model: Model): Model => ({
  ...model,
  settings: { ...model.settings, limits: { ...model.settings.limits, pageRows: PAGE, maxPageRows: PAGE } },
});

export async function countRows({ model, database, schema, search }: PageInput): Promise<number> {
  const { total = 0 } = await createSearcher(model).search(database, schema.name, { ...search, limit: 1 });
  return total;
}

/** Reads all rows of a search, page by page with its cursor, so that memory does not grow with their number. */
export async function* readPages(input: PageInput): AsyncGenerator<readonly Row[]> {
  const { model, database, schema, search, columns, lists } = input;
  const searcher = createSearcher(withPages(model));
  let after: string | undefined;
  do {
    const page = { limit: PAGE, total: 0, fields: [...columns], ...(after === undefined ? {} : { after }) };
    const found = await searcher.search(database, schema.name, { ...search, ...page });
    const rows = found.rows.map((row) => ({ ...row }));
    for (const list of lists) await addLinkIds(rows, list, input);
    if (rows.length > 0) yield rows;
    after = found.next;
  } while (after !== undefined);
}
