import { createHash } from 'node:crypto';
import { columnType, fieldKinds } from '../model/field/field-kind.ts';
import { TEXT } from '../model/field/field-kind-row.ts';
import type { ColumnModel, ForeignKey, Model, RelationModel, SchemaModel, UniqueModel } from '../model/model.ts';
import { NAME_LENGTH } from '../model/shape/text.ts';
import { listWordColumns } from '../model/split-words.ts';
import type { Dialect, SystemColumn, SystemTable } from './database.ts';
import { createNote, type FieldNote, findDefault, findFill } from './table-default.ts';
import {
  type Former,
  findFormerColumn,
  findFormerPrimary,
  findFormerStorage,
  findFormerTable,
} from './table-former.ts';
import type { CountedTable } from './version/table-version.ts';

export type OnDelete = 'restrict' | 'cascade' | 'set null';

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

export interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  /** PostgreSQL: nulls first, except for the last of several columns, which is a key and has no nulls. */
  readonly isNullsFirst?: boolean;
  /** A partial index: of rows with 1 in this column. */
  readonly only?: string | undefined;
}

/** A table as the model or a feature needs it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly primaryKey: readonly string[];
  /** True if the primary key is auto-incremented and never reused. */
  readonly isCounting: boolean;
  readonly indexes: readonly TableIndex[];
  /** Columns that `q` searches; absent if there are none. */
  readonly words?: readonly string[];
  /** Those of {@link words} with HTML or Markdown; tags are not words. */
  readonly markup?: readonly string[];
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
    const type = columnType(column.field, dialect);
    return type === undefined ? [] : [createFieldColumn(schema, column, type)];
  });
  const keys = listKeys(schema, order).map((key) => createKeyColumn(key, context.model, dialect));
  const names = new Set(fields.map(({ name }) => name));
  const searchable = listWordColumns(schema).filter(({ name }) => names.has(name));
  const markup = searchable.filter(({ isMarkup }) => isMarkup);
  return {
    name: schema.table,
    columns: [createPrimaryColumn(schema, dialect), ...fields, ...keys],
    primaryKey: [schema.primary],
    isCounting: true,
    indexes: [
      ...(schema.active === undefined ? [] : [createIndex(schema.table, schema.active, false)]),
      ...schema.columns
        .filter(({ name }) => names.has(name))
        .flatMap((column) => createFieldIndexes(schema, column, dialect)),
      ...keys.map(({ name }) => createKeyIndex(schema, name)),
      ...schema.unique.map((rule) => createUniqueIndex(schema, rule)),
    ],
    ...(searchable.length === 0 ? {} : { words: searchable.map(({ name }) => name) }),
    ...(markup.length === 0 ? {} : { markup: markup.map(({ name }) => name) }),
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

/** Shortens a name that PostgreSQL would cut: a hash of the whole replaces its end. */
function fitName(own: string, end: string): string {
  if (own.length + 1 + end.length <= NAME_LENGTH) return `${own}_${end}`;
  const hash = createHash('sha256').update(own).digest('hex').slice(0, 8);
  return `${own.slice(0, NAME_LENGTH - end.length - hash.length - 2)}_${hash}_${end}`;
}

function createIndex(table: string, column: string, isUnique: boolean): TableIndex {
  const own = column.startsWith(`${table}_`) ? column : `${table}_${column}`;
  return { name: fitName(own, isUnique ? 'unique' : 'index'), columns: [column], isUnique };
}

/**
 * Adds the `active` column after the key, so that the planner never uses the index of all active rows to find
 * a few children.
 */
function createKeyIndex({ table, active }: SchemaModel, key: string): TableIndex {
  const index = createIndex(table, key, false);
  return active === undefined ? index : { ...index, columns: [key, active] };
}

/**
 * Nearly every search selects active rows, so a column's index starts with `active`: one index then gives a
 * sorted page, and the smallest one counts without reading rows (12 times faster at 10,000 rows).
 */
function createFieldIndexes(schema: SchemaModel, column: ColumnModel, dialect: Dialect): TableIndex[] {
  const { table, active, primary } = schema;
  // A search sorts nulls first and by the key last. SQLite's indexes do this by default, PostgreSQL's must be
  // declared so.
  const sorted = dialect === 'postgres' ? { isNullsFirst: true } : {};
  if (column.isUnique) return [{ ...createIndex(table, column.name, true), ...sorted, ...toOnly(schema) }];
  const { isLong, isJson, isSecret } = fieldKinds[column.field.type];
  const isSearched = column.isFilterable || column.isSortable;
  if (!isSearched || isLong || isJson || isSecret || column.name === active) return [];
  const index = createIndex(table, column.name, false);
  const last = dialect === 'postgres' ? [primary] : [];
  const columns = [...(active === undefined ? [] : [active]), column.name, ...last];
  return [{ ...index, columns, ...sorted }];
}

/** Values are unique among the rows that are not removed: a removed row lets its own go. */
const toOnly = ({ active }: SchemaModel): Pick<TableIndex, 'only'> => (active === undefined ? {} : { only: active });

function createUniqueIndex(schema: SchemaModel, { columns }: UniqueModel): TableIndex {
  const { table } = schema;
  const own = `${table}_${columns.map((name) => name.replace(`${table}_`, '')).join('_')}`;
  return { name: fitName(own, 'unique'), columns, isUnique: true, ...toOnly(schema) };
}

function createFieldColumn(schema: SchemaModel, column: ColumnModel, type: string): TableColumn {
  const value = findDefault(column.field);
  const fill = findFill(column.field);
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
