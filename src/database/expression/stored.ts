import { createHash } from 'node:crypto';
import { columnType } from '../../model/field/field-kind.ts';
import type { ColumnModel, ComputedModel, SchemaModel } from '../../model/model.ts';
import type { Dialect } from '../database.ts';
import type { TableIndex } from '../index/index-shape.ts';
import { quote } from '../index/literal.ts';
import { compileExpression } from './compile.ts';
import { listSources, type TriggerTarget } from './trigger.ts';
import { createPostgresTriggers } from './trigger-postgres.ts';
import { createSqliteTriggers } from './trigger-sqlite.ts';

/** The columns of a table that the database computes. A migration makes all of them again if one changes: nothing is lost. */
export interface TableComputed {
  readonly columns: readonly string[];
  /** Names of triggers, and on PostgreSQL of their functions, in all tables that the values are computed of. */
  readonly triggers: readonly string[];
  /** The indexes of the columns, and those whose condition tests one. */
  readonly indexes: readonly TableIndex[];
  /** The statements that add the columns, with their triggers, to a table that lacks them. */
  readonly made: readonly string[];
}

type StoredColumn = ColumnModel & { readonly computed: ComputedModel };

const isStored = (column: ColumnModel): column is StoredColumn => column.computed?.isStored === true;

/** True if the column follows related rows, so that triggers write it; else it is a generated column. */
const followsRows = ({ computed }: StoredColumn): boolean => computed.related.length > 0;

/** What the names of a column's triggers begin with. */
const COMPUTED_PREFIX = 'treadle_computed_';

const toPrefix = (table: string, column: string): string =>
  `${COMPUTED_PREFIX}${createHash('sha256').update(`${table}.${column}`).digest('hex').slice(0, 12)}`;

function createTarget({ table, primary }: SchemaModel, { name, computed }: StoredColumn): TriggerTarget {
  return { table, primary, column: name, prefix: toPrefix(table, name), expression: computed.expression };
}

interface MadeColumn {
  readonly sql: readonly string[];
  readonly triggers: readonly string[];
}

function createStored(schema: SchemaModel, column: StoredColumn, dialect: Dialect): MadeColumn {
  const { table } = schema;
  const { expression } = column.computed;
  const add = `alter table ${quote(table)} add column ${quote(column.name)} ${columnType(column.field, dialect)}`;
  if (!followsRows(column)) {
    const value = compileExpression(expression, { dialect, alias: undefined });
    // SQLite adds no stored column to a table that is there; an index stores the values of a virtual one.
    const how = dialect === 'sqlite' ? 'virtual' : 'stored';
    return { sql: [`${add} generated always as (${value}) ${how}`], triggers: [] };
  }
  const target = createTarget(schema, column);
  const sources = listSources(target);
  const made = dialect === 'sqlite' ? createSqliteTriggers(target, sources) : createPostgresTriggers(target, sources);
  const value = compileExpression(expression, { dialect, alias: table });
  // Last: by then no other transaction writes related rows that no trigger counts.
  const fill = `update ${quote(table)} set ${quote(column.name)} = ${value}`;
  return { sql: [add, ...made.flatMap(({ sql }) => sql), fill], triggers: made.map(({ name }) => name) };
}

/** The stored computed columns of a schema's table; undefined if it has none. @param indexes Those of the table, of all columns. */
export function createTableComputed(
  schema: SchemaModel,
  indexes: readonly TableIndex[],
  dialect: Dialect,
): TableComputed | undefined {
  const stored = schema.columns.filter(isStored);
  if (stored.length === 0) return undefined;
  const columns = stored.map(({ name }) => name);
  const made = stored.map((column) => createStored(schema, column, dialect));
  const own = indexes.filter(
    (index) => index.columns.some((name) => columns.includes(name)) || namesOne(index, columns),
  );
  return {
    columns,
    triggers: made.flatMap(({ triggers }) => triggers),
    indexes: own,
    made: made.flatMap(({ sql }) => sql),
  };
}

/** Whether the condition of a partial index tests one of the columns. */
const namesOne = ({ tested = [] }: TableIndex, columns: readonly string[]): boolean =>
  tested.some((name) => columns.includes(name));

/** Removes the triggers of stored columns. */
export const dropTriggersSql = (names: readonly string[], dialect: Dialect): string[] =>
  names.map((name) =>
    dialect === 'sqlite' ? `drop trigger if exists ${quote(name)}` : `drop function if exists ${quote(name)}() cascade`,
  );
