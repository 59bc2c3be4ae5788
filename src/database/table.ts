import { columnType } from '../model/field/field-kind.ts';
import { TEXT } from '../model/field/field-kind-row.ts';
import type { ColumnModel, ForeignKey, Model, RelationModel, SchemaModel } from '../model/model.ts';
import { listWordColumns } from '../model/split-words.ts';
import type { Dialect, SystemColumn, SystemTable } from './database.ts';
import { createTableComputed, type TableComputed } from './expression/stored.ts';
import type { TableIndex } from './index/index-shape.ts';
import { createIndex, createIndexes } from './index/table-index.ts';
import { createNote, type FieldNote, findDefault, findFill } from './table-default.ts';
import {
  type Former,
  findFormerColumn,
  findFormerPrimary,
  findFormerStorage,
  findFormerTable,
} from './table-former.ts';
import type { CountedTable } from './version/table-version.ts';

export type { TableIndex };

/** What a foreign key does. Treadle makes the first three; tables of other programs may have the others. */
export const ON_DELETE = ['restrict', 'cascade', 'set null', 'no action', 'set default'] as const;
export type OnDelete = (typeof ON_DELETE)[number];

export interface TableReference {
  readonly table: string;
  readonly column: string;
  readonly onDelete: OnDelete;
}

export interface TableColumn {
  readonly name: string;
  /** In the dialect's syntax: `integer`, `text`, `real`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly default?: string | number;
  readonly references?: TableReference;
  /** Former names after a rename of a schema, field or relation; the likeliest first. */
  readonly was?: readonly string[];
  /** When each former name applies; names not listed always do. */
  readonly wasUnder?: NonNullable<Former['wasUnder']>;
  /** The parts of the field's definition that determine its values; absent for keys and system tables. */
  readonly field?: FieldNote;
  /** Value for existing rows without one in a required column: in stored form, or `NOW()`. */
  readonly fill?: string | number;
  /** Place in the definition file, for problems. */
  readonly path?: string;
  /** The relation whose links it holds. */
  readonly link?: LinkNote;
  /** True if no definition names it any more. It stays with its values until a migration may lose them. */
  readonly isLeft?: true;
  /** What it was called before a rename, kept for advice once it is left. */
  readonly named?: readonly string[];
}

/** What a column of a relation holds: a key of the other end, or in a table of pairs the key of this end. */
export interface LinkNote {
  /** `schema.relation`, of the schema that declares it. */
  readonly relation: string;
  /** The end that has the column; in a table of pairs the end that it names. */
  readonly end: 'source' | 'target';
}

/** A table as the model or a feature needs it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly primaryKey: readonly string[];
  /** True if the primary key is auto-incremented and never reused. */
  readonly isCounting: boolean;
  readonly indexes: readonly TableIndex[];
  /** The columns that the database computes, which are not among {@link columns}; absent if there are none. */
  readonly computed?: TableComputed;
  /** Columns that `q` searches; absent if there are none. */
  readonly words?: readonly string[];
  /** Those of {@link words} with HTML or Markdown; tags are not words. */
  readonly markup?: readonly string[];
  /** Columns with the key of a row's parent by which no row may be below itself; absent if there are none. */
  readonly trees?: readonly string[];
  /** Former names; the likeliest first. */
  readonly was?: readonly string[];
  /** When each former name applies; names not listed always do. */
  readonly wasUnder?: NonNullable<Former['wasUnder']>;
  /** Definition file, for problems. */
  readonly file?: string;
  /** True if no definition names it any more. It stays with its rows until a migration may lose them. */
  readonly isLeft?: true;
  /** What it was called before a rename, kept for advice once it is left. */
  readonly named?: readonly string[];
}

const NUMBER_TYPE: Readonly<Record<Dialect, string>> = { sqlite: 'integer', postgres: 'bigint' };

export interface TableOptions {
  readonly dialect: Dialect;
}

/**
 * Every table of a model and of the features.
 *
 * Removing a row: 1:1 restricts, 1:0 and 1:N clear, N:N cascades, unless the relation has `onRemove`.
 */
export function createTables(model: Model, system: readonly SystemTable[], options: TableOptions): Table[] {
  const schemas = [...model.schemas.values()];
  const relations = schemas.flatMap(({ relations: own }) => own);
  const order = new Map(relations.map((relation, at) => [relation, at]));
  const tables = schemas.map((schema) => createSchemaTable(schema, order, { model, options }));
  const joins = relations
    .filter(({ kind }) => kind === 'N:N')
    .map((relation) => createJoinTable(relation, model, options.dialect));
  return [...tables, ...joins, ...system.map((table) => createSystemTable(table, options.dialect))];
}

/** The tables with rows of the model, including join tables. */
export const listCounted = (tables: readonly Table[]): CountedTable[] =>
  tables
    .filter(({ name }) => !name.startsWith('treadle_'))
    .map(({ name, primaryKey, columns, indexes }) => {
      const keys = columns.flatMap((column) => (column.references === undefined ? [] : [column.name]));
      return {
        name,
        primary: primaryKey.length === 1 ? primaryKey[0] : undefined,
        columns: [...new Set([...primaryKey, ...keys])],
        unique: Object.fromEntries(
          indexes.flatMap(({ name: own, columns: list, isUnique, only }) =>
            isUnique ? [[own, { columns: list, only }]] : [],
          ),
        ),
      };
    });

interface SchemaContext {
  readonly model: Model;
  readonly options: TableOptions;
}

function createSchemaTable(
  schema: SchemaModel,
  order: ReadonlyMap<RelationModel, number>,
  context: SchemaContext,
): Table {
  const { dialect } = context.options;
  const fields = schema.columns.flatMap((column): TableColumn[] => {
    // What statements compute has no column, and what the database computes one of its own kind.
    if (column.computed !== undefined) return [];
    const type = columnType(column.field, dialect);
    return type === undefined ? [] : [createFieldColumn(schema, column, type, dialect)];
  });
  const keys = listKeys(schema, order).map((key) => createKeyColumn(key, context.model, dialect));
  const names = new Set([
    ...fields.map(({ name }) => name),
    ...schema.columns.flatMap(({ name, computed }) => (computed?.isStored ? [name] : [])),
  ]);
  const indexes = createIndexes(schema, { fields: names, keys: keys.map(({ name }) => name), dialect });
  const computed = createTableComputed(schema, indexes, dialect);
  const isPlain = (index: TableIndex): boolean =>
    computed === undefined ||
    ![...index.columns, ...(index.tested ?? [])].some((name) => computed.columns.includes(name));
  const searchable = listWordColumns(schema).filter(({ name }) => names.has(name));
  const markup = searchable.filter(({ isMarkup }) => isMarkup);
  return {
    name: schema.table,
    columns: [createPrimaryColumn(schema, dialect), ...fields, ...keys],
    primaryKey: [schema.primary],
    isCounting: true,
    indexes: indexes.filter(isPlain),
    ...(computed === undefined ? {} : { computed }),
    ...(searchable.length === 0 ? {} : { words: searchable.map(({ name }) => name) }),
    ...(markup.length === 0 ? {} : { markup: markup.map(({ name }) => name) }),
    ...(schema.trees.length === 0 ? {} : { trees: schema.trees.map(({ column }) => column) }),
    ...findFormerTable(schema),
    file: schema.file,
  };
}

/** The foreign keys of a schema's table, in the order of all relations; a relation has one. */
function listKeys({ row }: SchemaModel, order: ReadonlyMap<RelationModel, number>): ForeignKey[] {
  const found = new Map<number, ForeignKey>();
  for (const key of row.keys) {
    const at = order.get(key.relation);
    if (at !== undefined && !found.has(at)) found.set(at, key);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, key]) => key);
}

function createPrimaryColumn(schema: SchemaModel, dialect: Dialect): TableColumn {
  const { primary: name } = schema;
  return { name, type: NUMBER_TYPE[dialect], isRequired: true, ...findFormerPrimary(schema) };
}

function createFieldColumn(schema: SchemaModel, column: ColumnModel, type: string, dialect: Dialect): TableColumn {
  const value = findDefault(column.field, dialect);
  const fill = findFill(column.field, dialect);
  return {
    name: column.name,
    type,
    isRequired: column.isRequired,
    ...(value === undefined ? {} : { default: value }),
    ...(fill === undefined ? {} : { fill }),
    ...findFormerColumn(schema, column),
    field: createNote(column.field),
    path: `fields.${column.field.name}`,
  };
}

const RULES: Readonly<Record<NonNullable<RelationModel['definition']['onRemove']>, OnDelete>> = {
  restrict: 'restrict',
  cascade: 'cascade',
  clear: 'set null',
};

/** What happens to a row when the row that it refers to is removed. */
export function findOnDelete(relation: RelationModel): OnDelete {
  const { onRemove } = relation.definition;
  // A required key cannot be cleared.
  if (relation.kind === '1:1') return onRemove === 'cascade' ? 'cascade' : 'restrict';
  if (relation.kind === 'N:N') return onRemove === 'restrict' ? 'restrict' : 'cascade';
  return onRemove === undefined ? 'set null' : RULES[onRemove];
}

function toReference(name: string, schema: string, onDelete: OnDelete, context: { model: Model; dialect: Dialect }) {
  const target = context.model.schemas.get(schema);
  const references =
    target === undefined ? {} : { references: { table: target.table, column: target.primary, onDelete } };
  return { name, type: NUMBER_TYPE[context.dialect], ...references };
}

/** The foreign key column of a 1:1, 1:0 or 1:N. */
function createKeyColumn({ column, target, isNullable, origin, relation }: ForeignKey, model: Model, dialect: Dialect) {
  const reference = toReference(column, target, findOnDelete(relation), { model, dialect });
  const former = findFormerStorage(relation, model);
  const end = origin === 'parent' ? former.source : former.target;
  const link = toLink(relation, origin === 'parent' ? 'target' : 'source');
  return { ...reference, isRequired: !isNullable, ...end, path: `relations.${relation.name}`, link };
}

const toLink = ({ source, name }: RelationModel, end: LinkNote['end']): LinkNote => ({
  relation: `${source}.${name}`.replaceAll('-', '_'),
  end,
});

function createJoinTable(relation: RelationModel, model: Model, dialect: Dialect): Table {
  const source = relation.sourceColumn ?? `${relation.source}_id`;
  const target = relation.targetColumn ?? `${relation.target}_id`;
  const rule = findOnDelete(relation);
  const file = model.schemas.get(relation.source)?.file;
  const former = findFormerStorage(relation, model);
  const toEnd = (name: string, schema: string, end: LinkNote['end']): TableColumn => ({
    ...toReference(name, schema, rule, { model, dialect }),
    isRequired: true,
    ...former[end],
    path: `relations.${relation.name}`,
    link: toLink(relation, end),
  });
  return {
    name: relation.table,
    columns: [toEnd(source, relation.source, 'source'), toEnd(target, relation.target, 'target')],
    primaryKey: [source, target],
    isCounting: false,
    indexes: [createIndex(relation.table, target, false)],
    ...former.table,
    ...(file === undefined ? {} : { file }),
  };
}

/** Converts a feature's table. */
export function createSystemTable(table: SystemTable, dialect: Dialect): Table {
  const key = table.columns.find(({ type }) => type === 'id' || type === 'key');
  return {
    name: table.name,
    columns: table.columns.map((column) => createSystemColumn(column, dialect)),
    primaryKey: key === undefined ? [] : [key.name],
    isCounting: key?.type === 'id',
    indexes: (table.indexes ?? []).map(({ name, columns, isUnique }) => ({
      name,
      columns,
      isUnique: isUnique ?? false,
    })),
    ...(table.was === undefined ? {} : { was: [table.was] }),
  };
}

function createSystemColumn(column: SystemColumn, dialect: Dialect): TableColumn {
  const isNumber = column.type === 'id' || column.type === 'integer';
  const [table, target] = column.references?.split('.') ?? [];
  return {
    name: column.name,
    type: isNumber ? NUMBER_TYPE[dialect] : TEXT[dialect],
    isRequired: column.isRequired === true || column.type === 'id' || column.type === 'key',
    ...(column.default === undefined ? {} : { default: column.default, fill: column.default }),
    ...(column.was === undefined ? {} : { was: [column.was] }),
    ...(table === undefined || target === undefined
      ? {}
      : { references: { table, column: target, onDelete: 'cascade' as const } }),
  };
}
