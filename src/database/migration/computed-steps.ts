import { TreadleError } from '../../core/errors.ts';
import { isSameJson } from '../../model/json/json-value.ts';
import type { Database } from '../database.ts';
import { dropTriggersSql } from '../expression/stored.ts';
import { createIndexSql, dropIndexSql } from '../index/index-sql.ts';
import { quote } from '../index/literal.ts';
import { createProblem, type MigrationStep } from '../migration-step.ts';
import type { ActualTable, Structure } from '../structure.ts';
import type { Table } from '../table.ts';
import { nameRows } from './compare-column.ts';
import type { PlanContext } from './context.ts';
import { RowCounter } from './count.ts';

/** Kinds of steps after which the columns of their table are made again. */
const CHANGING: ReadonlySet<MigrationStep['kind']> = new Set([
  ...(['rebuild-table', 'rename-table', 'rename-column', 'alter-column', 'drop-column'] as const),
]);

/** What a migration plans without: the columns that the database computes, and their indexes. They are planned by themselves. */
function hideComputed(actual: ActualTable, known: Table | undefined, wanted: Table | undefined): ActualTable {
  // A generated column that somebody else made stays.
  const taken = (wanted?.computed?.columns ?? []).filter((name) => actual.generated?.has(name));
  const names = new Set([...(known?.computed?.columns ?? []), ...taken]);
  if (names.size === 0) return actual;
  const present = [...names].filter((name) => actual.columns.has(name) || actual.generated?.has(name) === true);
  // A database does not say which columns the condition of an index tests.
  const own = [known, wanted].flatMap((table) => table?.computed?.indexes ?? []);
  const isOf = ({ name, columns }: Table['indexes'][number]): boolean =>
    own.some((index) => index.name === name) || columns.some((column) => names.has(column));
  const indexes = [...actual.indexes.values()].filter(isOf).map(({ name }) => name);
  return {
    ...actual,
    columns: new Map([...actual.columns].filter(([name]) => !names.has(name))),
    indexes: new Map([...actual.indexes].filter(([name]) => !indexes.includes(name))),
    computed: { columns: present, indexes },
  };
}

/** A structure without what the database computes. @see hideComputed */
export function hideAllComputed(
  structure: Structure,
  memory: ReadonlyMap<string, Table>,
  wanted: readonly Table[],
): Structure {
  const byName = new Map(wanted.map((table) => [table.name, table]));
  const tables = [...structure.tables].map(
    ([name, actual]) => [name, hideComputed(actual, memory.get(name), byName.get(name))] as const,
  );
  return { ...structure, tables: new Map(tables) };
}

const list = (names: readonly string[]): string => names.join(', ');

function createGone(table: Table, actual: ActualTable, context: PlanContext): MigrationStep | undefined {
  const { columns = [], indexes = [] } = actual.computed ?? {};
  const triggers = context.memory.get(actual.name)?.computed?.triggers ?? [];
  if (columns.length === 0 && triggers.length === 0) return undefined;
  return {
    kind: 'drop-column',
    class: 'change',
    table: table.name,
    words: `Remove the computed columns ${list(columns)} of ${table.name}.`,
    sql: [
      ...dropTriggersSql(triggers, context.dialect),
      ...indexes.map(dropIndexSql),
      ...columns.map((name) => `alter table ${quote(actual.name)} drop column ${quote(name)}`),
    ],
    rowsAtRisk: 0,
    isNeeded: table.computed !== undefined,
    isBreaking: columns.some((name) => !(table.computed?.columns ?? []).includes(name)),
  };
}

/** A column with values of its own has the name of one to compute. */
function refuseTaken(table: Table, actual: ActualTable | undefined, context: PlanContext): MigrationStep | undefined {
  const name = table.computed?.columns.find((column) => actual?.columns.has(column) === true);
  if (name === undefined || (context.isLossAllowed && context.isOwn(actual?.name ?? '', name))) return undefined;
  return {
    kind: 'add-column',
    class: 'lose',
    table: table.name,
    column: name,
    words: `Compute the column ${name} of ${table.name}.`,
    sql: [],
    rowsAtRisk: 0,
    isNeeded: true,
    refusal: createProblem(table, `fields.${name}`, {
      code: 'MIGRATION_COMPUTED_TAKEN',
      message: `${name} of ${table.name} is to be computed, but the table has a column of that name with values of its own.`,
      hint: 'Give the computed field another name, or drop those values, keeping a copy: treadle migrate --allow-loss.',
    }),
  };
}

/** @throws MIGRATION_ROWS_SHARED (409) if rows share a value that must be unique. Which they have, only the database computes. */
async function checkUnique(database: Database, { name, primaryKey, computed }: Table): Promise<void> {
  const counter = new RowCounter(database);
  for (const { columns, isUnique, only } of computed?.indexes ?? []) {
    if (!isUnique) continue;
    const found = await counter.duplicates(name, columns, { key: primaryKey, only });
    if (found.count === 0) continue;
    const message = `${list(columns)} must be unique, but ${nameRows(found)} of ${name} share a value. Nothing was changed.`;
    const hint = 'Change what it is computed of in those rows first, or leave it without "unique".';
    throw new TreadleError('MIGRATION_ROWS_SHARED', message, { status: 409, hint });
  }
}

function createMade(table: Table, gone: readonly string[], context: PlanContext): MigrationStep | undefined {
  const { name, computed } = table;
  // A table that was rebuilt in between has its triggers again.
  const drops = dropTriggersSql(gone, context.dialect);
  if (computed === undefined && drops.length === 0) return undefined;
  const columns = computed?.columns ?? [];
  const made = [...drops, ...(computed?.made ?? [])];
  return {
    kind: columns.length === 0 ? 'drop-column' : 'add-column',
    class: columns.length === 0 ? 'change' : 'add',
    table: name,
    words:
      columns.length === 0
        ? `Nothing computes columns of ${name} any more.`
        : `Compute the columns ${list(columns)} of ${name}.`,
    sql: [...made, ...(computed?.indexes ?? []).map((index) => createIndexSql(name, index))],
    performAfter: made.length,
    perform: (database) => checkUnique(database, table),
    rowsAtRisk: 0,
    isNeeded: columns.length > 0,
  };
}

/** A table that no definition names any more keeps its rows, and nothing is computed in it. */
function planLeft(context: PlanContext): void {
  const { draft, wanted, structure } = context;
  for (const [name, table] of draft.memory) {
    const { computed, ...plain } = table;
    const actual = structure.tables.get(name);
    if (computed === undefined || actual === undefined || wanted.some((other) => other.name === name)) continue;
    draft.memory.set(name, plain);
    const gone = createGone(plain, actual, context);
    if (gone !== undefined) draft.phases.computedGone.push(gone);
  }
}

/** Plans the columns that the database computes: those of a table are removed first and made last if anything about them changes. */
export function planComputed(context: PlanContext): void {
  const { phases } = context.draft;
  const steps = [...phases.early, ...phases.alter, ...phases.drop, ...phases.rename];
  for (const table of context.wanted) {
    const actual = context.structure.tables.get(context.findTable(table.name) ?? '');
    const known = actual && context.memory.get(actual.name)?.computed;
    if (known === undefined && table.computed === undefined && actual?.computed === undefined) continue;
    const present = actual?.computed?.columns ?? [];
    const isThere = (table.computed?.columns ?? []).every((name) => present.includes(name));
    const isTouched = steps.some((step) => step.table === table.name && CHANGING.has(step.kind));
    if (isSameJson(known, table.computed) && isThere && !isTouched) continue;
    const refusal = refuseTaken(table, actual, context);
    if (refusal !== undefined) {
      phases.refused.push(refusal);
      continue;
    }
    const gone = actual && createGone(table, actual, context);
    const made = createMade(table, known?.triggers ?? [], context);
    if (gone !== undefined) phases.computedGone.push(gone);
    if (made !== undefined) phases.computed.push(made);
  }
  planLeft(context);
}
