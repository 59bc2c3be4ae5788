import type { NarrowRows } from '../../../database/expression/compile.ts';
import { toWordsTable } from '../../../database/words/word-table.ts';
import type { RelatedReads } from '../../../model/expression/reads.ts';
import type { Expression } from '../../../model/expression/tree.ts';
import { type ComparedColumn, createComparedColumn, KEY_COLUMN } from '../../../model/filter/compared-column.ts';
import type { ColumnModel, FlatColumn, Model, RelationModel, SchemaModel } from '../../../model/model.ts';
import { findOwnerColumn } from '../../../model/role/owner-column.ts';
import { listWordColumns } from '../../../model/split-words.ts';
import { findWayKeys, listWays, type Way } from '../../../model/way.ts';
import type { WayKeys } from '../../../model/way-keys.ts';
import type { Fragment } from '../sql/exact-double.ts';

/** A column that a search can read. */
export interface SourceColumn extends ComparedColumn {
  /** Name in rows. */
  readonly name: string;
  /**
   * Alias of its table: `t` for the searched table, `j0`, `j1`… for 1:1 relations, `r` for related rows in a
   * filter.
   */
  readonly alias: string;
  /** Name in its table. */
  readonly column: string;
  readonly isNullable: boolean;
  /** The tree whose parents' keys it has. */
  readonly tree?: WalkedTree;
  /** The value at a path within a JSON column, as one of the two kinds that sort; the path is in a slot. */
  readonly part?: { readonly slot: number; readonly kind: 'text' | 'number' };
  /** Absent for a column that its table has. */
  readonly computed?: ComputedColumn;
  /** The related rows that its value is computed of. */
  readonly related?: readonly RelatedReads[];
}

/** Where the rows of a tree are. */
export interface WalkedTree {
  readonly table: string;
  readonly primary: string;
  /** The column with the key of a row's parent. */
  readonly column: string;
}

/** A value that statements compute of a row. */
interface ComputedColumn {
  readonly expression: Expression;
  /** The primary key of the joined row that it is computed of; undefined for the row itself. */
  readonly joined?: string;
  /** Leaves out related rows. Default: none. */
  readonly narrow?: (rows: NarrowRows) => Fragment | undefined;
}

/** True for a plain column of the searched table, which an index can have. */
export const isIndexable = ({ alias, part, computed }: SourceColumn): boolean =>
  alias === 't' && part === undefined && computed === undefined;

/** True if the value depends on which related rows the caller may see. */
export const isCounted = ({ computed, related }: SourceColumn): boolean =>
  computed !== undefined && related !== undefined;

/** True for a column of doubles. */
export const isReal = ({ type, isWhole, part }: SourceColumn): boolean =>
  type === 'number' && isWhole !== true && part === undefined;

const createSourceColumn = (model: ColumnModel, alias: string): SourceColumn => ({
  ...{ name: model.name, alias, column: model.name, isNullable: !model.isRequired },
  ...createComparedColumn(model),
  ...toComputed(model),
});

function toComputed({ computed }: ColumnModel): Pick<SourceColumn, 'computed' | 'related'> {
  if (computed === undefined) return {};
  const related = computed.related.length === 0 ? {} : { related: computed.related };
  return computed.isStored ? related : { ...related, computed: { expression: computed.expression } };
}

const toKey = (name: string, alias: string, isNullable: boolean): SourceColumn => ({
  name,
  alias,
  column: name,
  ...KEY_COLUMN,
  isNullable,
});

/** The columns of a schema's own table by name, without passwords: primary key, fields, foreign keys. */
function listOwnColumns({ row, table, trees }: SchemaModel, alias: string): Map<string, SourceColumn> {
  const columns = new Map([[row.primary, toKey(row.primary, alias, false)]]);
  for (const model of row.shown) columns.set(model.name, createSourceColumn(model, alias));
  for (const { column, isNullable } of row.keys) columns.set(column, toKey(column, alias, isNullable));
  for (const { column } of trees) {
    const tree = { table, primary: row.primary, column };
    columns.set(column, { ...toKey(column, alias, true), tree });
  }
  return columns;
}

/** A column of a 1:1 relation, as a column of the searched schema. */
function createFlatColumn({ name, column, model }: FlatColumn, alias: string, primary: string): SourceColumn {
  const own = model === undefined ? toKey(column, alias, true) : createSourceColumn(model, alias);
  const joined = own.computed === undefined ? {} : { computed: { ...own.computed, joined: primary } };
  return { ...own, ...joined, name, isNullable: true };
}

/** A schema's own columns that `filter` accepts: keys, `active`, and filterable fields. */
function listFilterable(schema: SchemaModel, alias: string): Map<string, SourceColumn> {
  const flagged = new Set(schema.columns.filter(({ isFilterable }) => isFilterable).map(({ name }) => name));
  if (schema.active !== undefined) flagged.add(schema.active);
  const own = listOwnColumns(schema, alias);
  return new Map([...own].filter(([name, { type }]) => type === 'integer' || flagged.has(name)));
}

/**
 * Related rows that a filter can use, as a set of keys: `t.<side> in (select <key> from …)`. The table's alias is `l` if it is a join
 * table that joins `r`, else `r`; `r` has the column of the key of the related rows.
 */
export interface RelatedKeys extends WayKeys {
  readonly name: string;
  /** True if the relation only points back here and is not shown on this side: only code may filter by it. */
  readonly isBack: boolean;
  /** The filterable columns of the related rows. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
}

function createRelated(way: Way): RelatedKeys {
  // What counts other rows would be counted for each related row.
  const columns = new Map([...listFilterable(way.there, 'r')].filter(([, column]) => !isCounted(column)));
  return { ...findWayKeys(way), name: way.name, isBack: way.isBack, columns };
}

/** Relations of a schema in both directions, by the name in `filter[name.column]`. */
function listRelated(model: Model, schema: SchemaModel): Map<string, RelatedKeys> {
  return new Map(listWays(model.schemas, schema).map((way) => [way.name, createRelated(way)]));
}

/**
 * Ids of related rows that are not columns of the searched table, by name: lists, and relations that point here.
 */
function listLinks(model: Model, schema: SchemaModel): Map<string, RelatedKeys> {
  const links = new Map<string, RelatedKeys>();
  for (const way of listWays(model.schemas, schema)) {
    const related = createRelated(way);
    const { kind, sourceColumn = '', targetColumn = '' } = way.relation;
    if (kind === 'N:N') {
      // If related rows cannot be removed softly, the join table alone is enough.
      const name = way.isBack ? sourceColumn : targetColumn;
      const isAlone = related.active === undefined;
      const columns = new Map([[name, toKey(name, isAlone ? 'r' : 'l', false)]]);
      const through = isAlone ? undefined : related.through;
      const targetKey = isAlone ? name : related.targetKey;
      if (!links.has(name)) links.set(name, { ...related, name, through, columns, targetKey });
      continue;
    }
    const isKeyHere = (kind === '1:N') === way.isBack;
    const name = way.there.primary;
    if (isKeyHere || name === schema.primary || links.has(name)) continue;
    links.set(name, { ...related, name });
  }
  return links;
}

/** A search index: of the searched table, or of a table joined 1:1. */
export interface SourceWords {
  /** Table of the index. */
  readonly table: string;
  /** Foreign key in the searched table; undefined for its own index. */
  readonly foreign: string | undefined;
  /** Schema of the indexed rows. */
  readonly schema: string;
  /** The indexed columns. */
  readonly columns: readonly string[];
}

interface SourceJoin {
  readonly schema: string;
  readonly alias: string;
  readonly table: string;
  /** Foreign key in the searched table, and the primary key that it refers to. */
  readonly foreign: string;
  readonly primary: string;
}

/** A filterable column of a 1:1 relation: the filter finds rows by the keys of the joined table. */
interface SourceFlat {
  readonly column: SourceColumn;
  readonly within: RelatedKeys;
}

/** What a search can use of a schema, computed once per model: a request only looks up names. */
export interface Source {
  readonly schema: SchemaModel;
  /** The schema's name; for a view also its number. First part of each statement's key. */
  readonly key: string;
  /** For a view that hides columns: the source with all columns. Undefined if nothing is hidden. */
  readonly whole: Source | undefined;
  /** Own columns, then those of the 1:1 relations, without passwords. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
  /** Those of the columns that every row shows, so that groups and sums may be made of them. */
  readonly sure: ReadonlyMap<string, SourceColumn>;
  readonly filterable: ReadonlyMap<string, SourceColumn>;
  /** Filterable columns of the 1:1 relations. */
  readonly flat: ReadonlyMap<string, SourceFlat>;
  readonly sortable: ReadonlyMap<string, SourceColumn>;
  /** Columns that `q` searches: own, then those of the 1:1 relations. */
  readonly searchable: readonly SourceColumn[];
  /** The indexes that `q` uses; empty if nothing is searchable. */
  readonly words: readonly SourceWords[];
  /** True if `q` is refused, because its index contains columns that the view hides. */
  readonly hidesWords: boolean;
  /** Relations that can be filtered by id: `filter[topic_id]` on articles linked with topics. */
  readonly links: ReadonlyMap<string, RelatedKeys>;
  /** Relations in both directions that can be filtered by a column: `filter[comment.comment_detail]`. */
  readonly related: ReadonlyMap<string, RelatedKeys>;
  readonly joins: readonly SourceJoin[];
  /** Schemas of the related rows that its columns count or sum. */
  readonly counted: readonly string[];
  /** Relations that detail and `expand` add, by name: all but 1:1, which rows already contain. */
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** Names of JSON columns. Most schemas have none; then rows need no decoding. */
  readonly json: readonly string[];
  /** Digits after the point of each column of decimals. Most schemas have none. */
  readonly scales: ReadonlyMap<string, number>;
  /** True if a column holds doubles. */
  readonly hasReals: boolean;
  readonly primary: SourceColumn;
  readonly active: SourceColumn | undefined;
  /** Column with the owner's profile; undefined if rows have no owner. */
  readonly owner: SourceColumn | undefined;
}

/** Computes what a search can use of a schema. */
export function compileSource(model: Model, schema: SchemaModel): Source {
  const columns = listOwnColumns(schema, 't');
  const own = new Map(columns);
  const related = listRelated(model, schema);
  const joins: SourceJoin[] = [];
  const words = listWords(schema, undefined);
  const searchable = listWordColumns(schema).flatMap(({ name }) => own.get(name) ?? []);
  const flat = new Map<string, SourceFlat>();
  for (const relation of schema.relations) {
    const target = model.schemas.get(relation.target);
    if (relation.kind !== '1:1' || relation.targetColumn === undefined || !target || target === schema) continue;
    const alias = `j${joins.length}`;
    joins.push({
      schema: target.name,
      alias,
      table: target.table,
      foreign: relation.targetColumn,
      primary: target.primary,
    });
    words.push(...listWords(target, relation.targetColumn));
    const within = related.get(relation.name);
    const found = new Set(listWordColumns(target).map(({ name }) => name));
    for (const joined of schema.row.flat.filter((flatColumn) => flatColumn.relation === relation)) {
      const { name, column: inner } = joined;
      const column = createFlatColumn(joined, alias, target.primary);
      columns.set(name, column);
      if (found.has(inner)) searchable.push(column);
      const asked = within?.columns.get(inner);
      if (within && asked) flat.set(name, { column: asked, within });
    }
  }
  const primary = toKey(schema.primary, 't', false);
  const owner = findOwnerColumn(schema);
  // What sorts the rows of a tree can sort a search for them, too.
  const orders = new Set(schema.trees.map(({ order }) => order));
  const isSortable = ({ isSortable, name }: ColumnModel): boolean => (isSortable || orders.has(name)) && own.has(name);
  const sortable = schema.columns.filter(isSortable).flatMap(({ name }) => own.get(name) ?? []);
  return {
    schema,
    key: schema.name,
    whole: undefined,
    columns,
    sure: columns,
    filterable: listFilterable(schema, 't'),
    flat,
    sortable: new Map([primary, ...sortable].map((column) => [column.name, column])),
    searchable,
    words,
    hidesWords: false,
    links: new Map([...listLinks(model, schema)].filter(([name]) => !own.has(name))),
    related,
    joins,
    counted: listCounted(columns.values()),
    relations: new Map(schema.row.details.map((relation) => [relation.name, relation])),
    json: [...columns.values()].filter(({ type }) => type === 'json').map(({ name }) => name),
    scales: new Map([...columns.values()].flatMap(({ name, scale }) => (scale === undefined ? [] : [[name, scale]]))),
    hasReals: [...columns.values()].some(isReal),
    primary,
    active: schema.active === undefined ? undefined : own.get(schema.active),
    owner: owner === undefined ? undefined : own.get(owner),
  };
}

/** Schemas of the related rows that values are computed of, each once. */
function listCounted(columns: Iterable<SourceColumn>): string[] {
  const reads = [...columns].filter(isCounted).flatMap(({ related = [] }) => related);
  return [...new Set(reads.map(({ schema }) => schema))];
}

function listWords(schema: SchemaModel, foreign: string | undefined): SourceWords[] {
  const columns = listWordColumns(schema).map(({ name }) => name);
  return columns.length === 0 ? [] : [{ table: toWordsTable(schema.table), foreign, schema: schema.name, columns }];
}
