import { fieldKinds } from '../model/field-kind.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../model/model.ts';

/** A column as a search knows it. */
export interface SourceColumn {
  /** Name in rows. */
  readonly name: string;
  /** Alias of its table in statements: `t`, or `j0`, `j1`… for the 1:1 relations. */
  readonly alias: string;
  /** Name in its table. */
  readonly column: string;
  /** How values are read and compared. */
  readonly type: 'integer' | 'number' | 'text' | 'date' | 'moment' | 'flag' | 'json';
  readonly isNullable: boolean;
}

/** A relation that rows are found by: `filter[tag_id]` on articles that are linked with tags. */
export interface SourceLink {
  readonly name: string;
  readonly table: string;
  /** Column that leads to the row searched for. */
  readonly own: string;
  /** Column that the value is compared with. */
  readonly other: string;
}

export interface SourceJoin {
  readonly alias: string;
  readonly table: string;
  /** Foreign key in the searched table, and the primary key that it leads to. */
  readonly foreign: string;
  readonly primary: string;
}

/** What can be searched on a schema: worked out once per model, so that a request only looks names up. */
export interface Source {
  readonly schema: SchemaModel;
  /** Own columns, then those of the 1:1 relations; no passwords. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
  readonly filterable: ReadonlyMap<string, SourceColumn>;
  readonly sortable: ReadonlyMap<string, SourceColumn>;
  readonly searchable: readonly SourceColumn[];
  readonly links: ReadonlyMap<string, SourceLink>;
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

const TYPES: Readonly<Record<string, SourceColumn['type']>> = {
  date: 'date',
  datetime: 'moment',
  created: 'moment',
  updated: 'moment',
  checkbox: 'flag',
  switch: 'flag',
  active: 'flag',
};

function toType({ field }: ColumnModel): SourceColumn['type'] {
  const kind = fieldKinds[field.type];
  if (kind.isJson) return 'json';
  const special = TYPES[field.type];
  if (special !== undefined) return special;
  return kind.sql?.sqlite === 'text' ? 'text' : 'number';
}

function toSourceColumn(model: ColumnModel, alias: string): SourceColumn {
  return { name: model.name, alias, column: model.name, type: toType(model), isNullable: !model.isRequired };
}

const toKey = (name: string, alias: string, isNullable: boolean): SourceColumn => ({
  name,
  alias,
  column: name,
  type: 'integer',
  isNullable,
});

/** Foreign keys in a schema's own table: its own 1:1 and 1:0, and the parents' of 1:N. */
export function listForeignKeys(schema: SchemaModel): { readonly column: string; readonly isNullable: boolean }[] {
  const keys: { column: string; isNullable: boolean }[] = [];
  for (const { kind, targetColumn } of schema.relations) {
    if (targetColumn !== undefined && kind !== 'N:N') keys.push({ column: targetColumn, isNullable: kind !== '1:1' });
  }
  for (const { kind, sourceColumn } of schema.reverse) {
    if (kind === '1:N' && sourceColumn !== undefined) keys.push({ column: sourceColumn, isNullable: true });
  }
  return keys;
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

function addOwn(schema: SchemaModel, columns: Map<string, SourceColumn>): void {
  columns.set(schema.primary, toKey(schema.primary, 't', false));
  for (const model of schema.columns) {
    const kind = fieldKinds[model.field.type];
    if (kind.sql && !kind.isSecret) columns.set(model.name, toSourceColumn(model, 't'));
  }
  for (const { column, isNullable } of listForeignKeys(schema)) {
    if (!columns.has(column)) columns.set(column, toKey(column, 't', isNullable));
  }
}

/** A joined column keeps its own name, unless the row has that already: then it is `<relation>_<field>`. */
function addJoined(target: SchemaModel, relation: RelationModel, alias: string, into: Joined): void {
  const prefix = relation.name.replaceAll('-', '_');
  const add = (column: SourceColumn): SourceColumn | undefined => {
    const name = into.columns.has(column.name) ? prefix + column.name.slice(target.table.length) : column.name;
    if (into.columns.has(name)) return undefined;
    const added = { ...column, name, isNullable: true };
    into.columns.set(name, added);
    return added;
  };
  add(toKey(target.primary, alias, true));
  for (const model of target.columns) {
    const kind = fieldKinds[model.field.type];
    if (!kind.sql || kind.isSecret) continue;
    const added = add(toSourceColumn(model, alias));
    if (added && model.isSearchable && kind.isText) into.searchable.push(added);
  }
}

interface Joined {
  readonly columns: Map<string, SourceColumn>;
  readonly searchable: SourceColumn[];
}

function toLinks(schema: SchemaModel, model: Model): Map<string, SourceLink> {
  const links = new Map<string, SourceLink>();
  const add = (name: string, table: string, own: string, other: string): void => {
    if (!links.has(name)) links.set(name, { name, table, own, other });
  };
  for (const { kind, table, sourceColumn, targetColumn, target } of schema.relations) {
    if (sourceColumn === undefined) continue;
    if (kind === 'N:N' && targetColumn !== undefined) add(targetColumn, table, sourceColumn, targetColumn);
    const child = model.schemas.get(target);
    if (kind === '1:N' && child) add(child.primary, table, sourceColumn, child.primary);
  }
  for (const { kind, table, sourceColumn, targetColumn } of schema.reverse) {
    if (kind !== 'N:N' || sourceColumn === undefined || targetColumn === undefined) continue;
    add(sourceColumn, table, targetColumn, sourceColumn);
  }
  return links;
}

/** Works out what can be searched on a schema. */
export function compileSource(model: Model, schema: SchemaModel): Source {
  const columns = new Map<string, SourceColumn>();
  addOwn(schema, columns);
  const own = new Map(columns);
  const flagged = (flag: (column: ColumnModel) => boolean): SourceColumn[] =>
    schema.columns.filter(flag).flatMap(({ name }) => own.get(name) ?? []);
  const searchable = flagged((column) => column.isSearchable && fieldKinds[column.field.type].isText);
  const joins: SourceJoin[] = [];
  for (const relation of schema.relations) {
    const target = model.schemas.get(relation.target);
    if (relation.kind !== '1:1' || relation.targetColumn === undefined || !target || target === schema) continue;
    const alias = `j${joins.length}`;
    joins.push({ alias, table: target.table, foreign: relation.targetColumn, primary: target.primary });
    addJoined(target, relation, alias, { columns, searchable });
  }
  const primary = toKey(schema.primary, 't', false);
  const keys = [...own.values()].filter(({ type }) => type === 'integer');
  const active = schema.active === undefined ? undefined : own.get(schema.active);
  const owner = findOwnerColumn(schema);
  const byName = (list: readonly SourceColumn[]) => new Map(list.map((column) => [column.name, column]));
  return {
    schema,
    columns,
    filterable: byName([...keys, ...(active ? [active] : []), ...flagged((column) => column.isFilterable)]),
    sortable: byName([primary, ...flagged((column) => column.isSortable)]),
    searchable,
    links: toLinks(schema, model),
    joins,
    relations: new Map(schema.relations.filter(({ kind }) => kind !== '1:1').map((item) => [item.name, item])),
    json: [...columns.values()].filter(({ type }) => type === 'json').map(({ name }) => name),
    primary,
    active,
    owner: owner === undefined ? undefined : own.get(owner),
  };
}
