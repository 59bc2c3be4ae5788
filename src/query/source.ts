import { toWordsTable } from '../database/words-table.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../model/model.ts';
import { listWordColumns } from '../model/words.ts';
import { listFilterable, listOwnColumns, type SourceColumn, toFlatColumn, toKey } from './source-column.ts';
import { listLinks, listRelated, type SourceRelated } from './source-related.ts';

export type { SourceColumn } from './source-column.ts';

/** The words of a table: the searched one's, or those of a 1:1 relation. */
export interface SourceWords {
  /** Table of the words. */
  readonly table: string;
  /** Foreign key in the searched table; undefined for its own words. */
  readonly foreign: string | undefined;
  /** Schema that has these words. */
  readonly schema: string;
  /** Its columns whose words these are. */
  readonly columns: readonly string[];
}

interface SourceJoin {
  readonly schema: string;
  readonly alias: string;
  readonly table: string;
  /** Foreign key in the searched table, and the primary key that it leads to. */
  readonly foreign: string;
  readonly primary: string;
}

/** A column of a 1:1 relation: rows are found by the keys of the other table's. */
interface SourceFlat {
  readonly column: SourceColumn;
  readonly within: SourceRelated;
}

/** What can be searched on a schema: worked out once per model, so that a request only looks names up. */
export interface Source {
  readonly schema: SchemaModel;
  /** The schema's name; of a view, with its number. Statements of one source begin with it. */
  readonly key: string;
  /** Of a view that hides columns: the source with all of them. Undefined where nothing is hidden. */
  readonly whole: Source | undefined;
  /** Own columns, then those of the 1:1 relations; no passwords. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
  readonly filterable: ReadonlyMap<string, SourceColumn>;
  /** Columns of the 1:1 relations that `filter` may name too. */
  readonly flat: ReadonlyMap<string, SourceFlat>;
  readonly sortable: ReadonlyMap<string, SourceColumn>;
  /** Columns whose words `q` finds: own, then those of the 1:1 relations. */
  readonly searchable: readonly SourceColumn[];
  /** Where `q` looks; empty where nothing is searchable. */
  readonly words: readonly SourceWords[];
  /** `q` is refused, since its index holds words of columns that the view hides. */
  readonly hidesWords: boolean;
  /** Relations that rows are found by their id: `filter[topic_id]` on articles that are linked with topics. */
  readonly links: ReadonlyMap<string, SourceRelated>;
  /** Relations, this way and back, that rows are found by a column of: `filter[comment.comment_detail]`. */
  readonly related: ReadonlyMap<string, SourceRelated>;
  readonly joins: readonly SourceJoin[];
  /** Relations that detail and `expand` add, by name: all but 1:1, whose columns are in rows already. */
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** Names of the columns that hold JSON; most schemas have none, and then rows are given as they come. */
  readonly json: readonly string[];
  readonly primary: SourceColumn;
  readonly active: SourceColumn | undefined;
  /** Column that holds the owner's profile; undefined where the schema has no way to one. */
  readonly owner: SourceColumn | undefined;
}

/**
 * The column of a schema that holds the profile which a row belongs to: the profile's own key, else the schema's 1:1
 * (first) or 1:0 to `profile`. Undefined where there is none: nobody owns its rows.
 */
export function findOwnerColumn(schema: SchemaModel): string | undefined {
  if (schema.name === 'profile') return schema.primary;
  const toProfile = schema.relations.filter(({ target, table }) => target === 'profile' && table === schema.table);
  const named = (kind: string) =>
    toProfile.find((relation) => relation.kind === kind && relation.name === 'profile') ??
    toProfile.find((relation) => relation.kind === kind);
  return (named('1:1') ?? named('1:0'))?.targetColumn;
}

/** Works out what can be searched on a schema. */
export function compileSource(model: Model, schema: SchemaModel): Source {
  const columns = listOwnColumns(schema, 't');
  const own = new Map(columns);
  const related = listRelated(model, schema);
  const joins: SourceJoin[] = [];
  const words = toWords(schema, undefined);
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
    words.push(...toWords(target, relation.targetColumn));
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
    primary,
    active: schema.active === undefined ? undefined : own.get(schema.active),
    owner: owner === undefined ? undefined : own.get(owner),
  };
}

function toWords(schema: SchemaModel, foreign: string | undefined): SourceWords[] {
  const columns = listWordColumns(schema).map(({ name }) => name);
  return columns.length === 0 ? [] : [{ table: toWordsTable(schema.table), foreign, schema: schema.name, columns }];
}
