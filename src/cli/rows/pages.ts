import { closePairs, putPair } from '../../core/pairs.ts';
import type { Database } from '../../database/database.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { createSearcher } from '../../query/searcher.ts';
import { createUsageError } from '../failure.ts';
import { findColumn } from './column.ts';

/** Number of rows per read. */
const PAGE = 1000;

type Row = Record<string, unknown>;

export interface Wanted {
  /** Conditions `column=value` or `column[op]=value`. */
  readonly filters: readonly string[];
  readonly q: string | undefined;
  readonly sort: string | undefined;
  /** Columns; without any, all except passwords. */
  readonly fields: readonly string[];
  readonly hasRemoved: boolean;
}

/** Resolves a column or field name; the search refuses an unknown one. */
const toColumn = (schema: SchemaModel, name: string): string => {
  const [first = '', ...path] = name.split('.');
  return [findColumn(schema, first) ?? first, ...path].join('.');
};

function toFilter(schema: SchemaModel, { filters, hasRemoved }: Wanted): Row {
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
    putPair(pairs, `filter[${toColumn(schema, name)}]${operator ?? ''}`, text.slice(at + 1));
  }
  const filter = (closePairs(pairs).filter ?? {}) as Row;
  if (hasRemoved && schema.active !== undefined) filter[schema.active] ??= 'any';
  return filter;
}

/** The search that selects the exported rows, without its page. */
export function toSearch(schema: SchemaModel, wanted: Wanted): Row {
  const sort = wanted.sort
    ?.split(',')
    .map((part) => part.trim())
    .map((part) => (part.startsWith('-') ? `-${toColumn(schema, part.slice(1))}` : toColumn(schema, part)))
    .join(',');
  return {
    filter: toFilter(schema, wanted),
    ...(wanted.q === undefined ? {} : { q: wanted.q }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** A relation's ids in a file. */
export interface ListColumn {
  readonly key: string;
  readonly relation: RelationModel;
}

export const listLists = (schema: SchemaModel): ListColumn[] =>
  schema.relations.flatMap((relation) => {
    const [key] = listLinkKeys(schema, relation);
    return relation.kind === 'N:N' && key !== undefined ? [{ key, relation }] : [];
  });

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
    for (const list of lists) await addList(rows, list, input);
    if (rows.length > 0) yield rows;
    after = found.next;
  } while (after !== undefined);
}

/** Adds the ids of an N:N relation; those of removed rows only if removed rows are exported. */
async function addList(rows: readonly Row[], { key, relation }: ListColumn, input: PageInput): Promise<void> {
  const { database, schema, model, hasRemoved } = input;
  const { table, sourceColumn = '', targetColumn = '' } = relation;
  const byId = new Map<number, number[]>();
  for (const row of rows) {
    const ids: number[] = [];
    byId.set(Number(row[schema.primary]), ids);
    row[key] = ids;
  }
  if (byId.size === 0) return;
  const target = model.schemas.get(relation.target);
  let query = database.kysely
    .selectFrom(table)
    .select([`${table}.${sourceColumn} as source`, `${table}.${targetColumn} as target`])
    .where(`${table}.${sourceColumn}`, 'in', [...byId.keys()])
    .orderBy('source')
    .orderBy('target');
  if (target?.active !== undefined && !hasRemoved) {
    const { active, primary } = target;
    query = query
      .innerJoin(`${target.table} as treadle_target`, `treadle_target.${primary}`, `${table}.${targetColumn}`)
      .where(`treadle_target.${active}`, '=', 1);
  }
  for (const { source, target: id } of await query.execute()) byId.get(Number(source))?.push(Number(id));
}
