import type { CompareTools } from './migration-column.ts';
import { type MigrationStep, toProblem } from './migration-step.ts';
import type { ActualIndex, ActualTable } from './structure.ts';
import type { Table, TableColumn, TableIndex } from './table.ts';
import { createIndexSql, dropIndexSql } from './table-sql.ts';

export interface IndexPair {
  readonly table: Table;
  readonly actual: ActualTable;
  /** Columns that are there once the other steps are done. */
  readonly kept: readonly TableColumn[];
  readonly isAdding: readonly MigrationStep[];
}

const isSame = (a: TableIndex, b: TableIndex): boolean =>
  a.isUnique === b.isUnique && a.columns.join() === b.columns.join();

/** Whether an index has a name of ours, so that it may go when nothing asks for it. A person's own stays. */
export function isOwnIndex(table: Table, index: ActualIndex): boolean {
  if (index.sql === undefined) return false;
  return (
    table.name.startsWith('treadle_') ||
    (index.name.startsWith(`${table.name}_`) && /_(index|unique)$/.test(index.name))
  );
}

/** Index steps; none for columns that are refused. */
export async function compareIndexes(pair: IndexPair, tools: CompareTools): Promise<MigrationStep[]> {
  const { table, actual, kept } = pair;
  const steps: MigrationStep[] = [];
  for (const there of actual.indexes.values()) {
    const wanted = table.indexes.find(({ name }) => name === there.name);
    if (wanted !== undefined ? !isSame(wanted, there) : isOwnIndex(table, there)) steps.push(drop(table, there, tools));
  }
  for (const wanted of table.indexes) {
    const there = actual.indexes.get(wanted.name);
    if (there !== undefined && isSame(there, wanted)) continue;
    if (wanted.columns.every((name) => kept.some((column) => column.name === name))) {
      steps.push(await create(pair, wanted, tools));
    }
  }
  return steps;
}

function drop(table: Table, index: ActualIndex, { kysely }: CompareTools): MigrationStep {
  return {
    kind: 'drop-index',
    class: 'change',
    table: table.name,
    words: `Drop the index ${index.name} of ${table.name}.`,
    sql: [dropIndexSql(kysely, index.name)],
    rowsAtRisk: 0,
    // A unique index that nothing asks for any more would refuse rows.
    isNeeded: index.isUnique,
  };
}

async function create(
  { table, actual, isAdding }: IndexPair,
  index: TableIndex,
  tools: CompareTools,
): Promise<MigrationStep> {
  const step: MigrationStep = {
    kind: 'create-index',
    class: 'add',
    table: table.name,
    words: `Create the ${index.isUnique ? 'unique ' : ''}index ${index.name} on ${table.name} (${index.columns.join(', ')}).`,
    sql: [createIndexSql(tools.kysely, table.name, index)],
    rowsAtRisk: 0,
    isNeeded: index.isUnique,
  };
  if (!index.isUnique) return step;
  const count = await countShared(table, index, actual, tools, isAdding);
  if (count === 0) return step;
  const column = table.columns.find(({ name }) => name === index.columns[0]);
  return {
    ...step,
    class: 'change',
    rowsAtRisk: count,
    refusal: toProblem(table, column?.path ?? '', {
      code: 'MIGRATION_ROWS_SHARED',
      message: `${index.columns.join(', ')} must be unique, but ${count} rows of ${table.name} share a value.`,
      hint: 'Make the values differ first, or leave the field without "unique".',
    }),
  };
}

/** Rows that would break a unique index; a column that is being added has its default in all rows, or nothing. */
async function countShared(
  ...[table, index, actual, tools, isAdding]: [Table, TableIndex, ActualTable, CompareTools, readonly MigrationStep[]]
): Promise<number> {
  const isNew = (name: string): boolean => isAdding.some(({ column }) => column === name);
  const added = table.columns.filter(({ name }) => index.columns.includes(name) && isNew(name));
  if (added.some((column) => column.default === undefined)) return 0;
  const old = index.columns.filter((name) => actual.columns.has(name));
  if (old.length > 0) return tools.counter.duplicates(table.name, old);
  const count = await tools.counter.rows(table.name);
  return count > 1 ? count : 0;
}
