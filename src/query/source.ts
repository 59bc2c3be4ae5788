import { toWordsTable } from '../database/words-table.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../model/model.ts';
import { findOwnerColumn } from '../model/owner-column.ts';
import { listWordColumns } from '../model/words.ts';
import { isReal, listFilterable, listOwnColumns, type SourceColumn, toFlatColumn, toKey } from './source-column.ts';
import { listLinks, listRelated, type SourceRelated } from './source-related.ts';

export type { SourceColumn } from './source-column.ts';

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
  readonly within: SourceRelated;
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
  readonly links: ReadonlyMap<string, SourceRelated>;
  /** Relations in both directions that can be filtered by a column: `filter[comment.comment_detail]`. */
  readonly related: ReadonlyMap<string, SourceRelated>;
  readonly joins: readonly SourceJoin[];
  /** Relations that detail and `expand` add, by name: all but 1:1, which rows already contain. */
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** Names of JSON columns. Most schemas have none; then rows need no decoding. */
  readonly json: readonly string[];
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
  const searchable = listWordColumns(schema).map(({ name }) => own.get(name) as SourceColumn);
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
      const column = toFlatColumn(joined, alias);
      columns.set(name, column);
      if (found.has(inner)) searchable.push(column);
      const asked = within?.columns.get(inner);
      if (within && asked) flat.set(name, { column: asked, within });
    }
  }
  const primary = toKey(schema.primary, 't', false);
  const owner = findOwnerColumn(schema);
  const isSortable = ({ isSortable, name }: ColumnModel): boolean => isSortable && own.has(name);
  const sortable = schema.columns.filter(isSortable).map(({ name }) => own.get(name) as SourceColumn);
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
    relations: new Map(schema.row.details.map((relation) => [relation.name, relation])),
    json: [...columns.values()].filter(({ type }) => type === 'json').map(({ name }) => name),
    hasReals: [...columns.values()].some(isReal),
    primary,
    active: schema.active === undefined ? undefined : own.get(schema.active),
    owner: owner === undefined ? undefined : own.get(owner),
  };
}

function listWords(schema: SchemaModel, foreign: string | undefined): SourceWords[] {
  const columns = listWordColumns(schema).map(({ name }) => name);
  return columns.length === 0 ? [] : [{ table: toWordsTable(schema.table), foreign, schema: schema.name, columns }];
}
