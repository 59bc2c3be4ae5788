import { type CompareTools, compareColumn, type Difference, findObstinate } from './migration-column.ts';
import { compareIndexes } from './migration-index.ts';
import { rebuildSql } from './migration-rebuild.ts';
import { type MigrationStep, toProblem } from './migration-step.ts';
import type { ActualTable } from './structure.ts';
import type { Table, TableColumn } from './table.ts';
import { addColumnSql, createIndexSql, createTableSql, quote } from './table-sql.ts';

/** The steps that bring one table to what is wanted. */
export async function compareTable(table: Table, tools: CompareTools): Promise<MigrationStep[]> {
  const actual = tools.structure.tables.get(table.name);
  if (actual !== undefined) return compareExisting(table, actual, tools);
  const former = table.was === undefined ? undefined : tools.structure.tables.get(table.was);
  const isFree = former !== undefined && !tools.wanted.some(({ name }) => name === former.name);
  return isFree ? [await renameTable(table, former, tools)] : createTable(table, tools);
}

function createTable(table: Table, { kysely }: CompareTools): MigrationStep[] {
  const base = { class: 'add', table: table.name, rowsAtRisk: 0 } as const;
  const columns = `${table.columns.length} ${table.columns.length === 1 ? 'column' : 'columns'}`;
  return [
    {
      ...base,
      kind: 'create-table',
      words: `Create the table ${table.name} (${columns}).`,
      sql: [createTableSql(kysely, table)],
      isNeeded: true,
    },
    ...table.indexes.map(
      (index): MigrationStep => ({
        ...base,
        kind: 'create-index',
        words: `Create the index ${index.name} on ${table.name} (${index.columns.join(', ')}).`,
        sql: [createIndexSql(kysely, table.name, index)],
        isNeeded: index.isUnique,
      }),
    ),
  ];
}

const RENAME_HINT =
  'Renaming comes with the full migration engine; until then keep the old name, or rename by hand with the SQL shown.';

async function renameTable(table: Table, former: ActualTable, { counter }: CompareTools): Promise<MigrationStep> {
  const count = await counter.rows(former.name);
  const message = `The schema was renamed: the table ${former.name} with ${count} rows would become ${table.name}.`;
  return {
    kind: 'rename-table',
    class: 'change',
    table: table.name,
    words: `Rename the table ${former.name} to ${table.name}.`,
    sql: [`alter table ${quote(former.name)} rename to ${quote(table.name)}`],
    rowsAtRisk: count,
    isNeeded: true,
    refusal: toProblem(table, 'was', { code: 'MIGRATION_RENAME_REFUSED', message, hint: RENAME_HINT }),
  };
}

async function compareExisting(table: Table, actual: ActualTable, tools: CompareTools): Promise<MigrationStep[]> {
  if (actual.primaryKey.join() !== table.primaryKey.join()) return [await refusePrimaryKey(table, actual, tools)];
  const added: MigrationStep[] = [];
  const kept: TableColumn[] = [];
  const refused: MigrationStep[] = [];
  const differences: Difference[] = [];
  for (const wanted of table.columns) {
    const there = actual.columns.get(wanted.name);
    if (there === undefined) {
      const step = await addColumn(table, wanted, tools);
      (step.refusal === undefined ? added : refused).push(step);
      if (step.refusal === undefined) kept.push(wanted);
      continue;
    }
    const found = await compareColumn({ table, wanted, actual: there }, tools);
    const obstacles = found.filter(({ obstacle }) => obstacle !== undefined);
    refused.push(...obstacles.map((difference) => refuseDifference(table, wanted, difference)));
    if (obstacles.length === 0) differences.push(...found);
    kept.push(obstacles.length === 0 ? wanted : asIs(wanted, there));
  }
  const obstinate = findObstinate(table, actual);
  differences.push(
    ...obstinate.map(({ name }) => ({ words: `${name}, which no field has, may be empty`, isNeeded: true })),
  );
  const indexes = await compareIndexes({ table, actual, kept, isAdding: added }, tools);
  const rebuild =
    differences.length === 0 ? [] : [rebuildTable({ ...table, columns: kept }, actual, differences, tools)];
  return [...added, ...rebuild, ...indexes, ...refused];
}

/** A column whose change is refused keeps its form where the table is rebuilt for another's sake. */
function asIs(wanted: TableColumn, actual: NonNullable<ReturnType<ActualTable['columns']['get']>>): TableColumn {
  const { was: _, default: __, references: ___, ...rest } = wanted;
  const text = actual.default;
  const plain =
    text === undefined ? undefined : /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : Number(text);
  return {
    ...rest,
    type: actual.type,
    isRequired: actual.isRequired,
    ...(plain === undefined || Number.isNaN(plain) ? {} : { default: plain }),
    ...(actual.references === undefined ? {} : { references: actual.references }),
  };
}

async function refusePrimaryKey(table: Table, actual: ActualTable, tools: CompareTools): Promise<MigrationStep> {
  const count = await tools.counter.rows(table.name);
  return {
    kind: 'alter-column',
    class: 'lose',
    table: table.name,
    words: `The table ${table.name} is numbered by ${actual.primaryKey.join(', ') || 'nothing'}, not by ${table.primaryKey.join(', ')}.`,
    sql: [],
    rowsAtRisk: count,
    isNeeded: true,
    refusal: toProblem(table, '', {
      code: 'MIGRATION_PRIMARY_DIFFERS',
      message: `The table ${table.name} is there with another primary key.`,
      hint: 'It was not made by Treadle: give the schema another name, or move that table away.',
    }),
  };
}

async function addColumn(table: Table, wanted: TableColumn, tools: CompareTools): Promise<MigrationStep> {
  const actual = tools.structure.tables.get(table.name);
  const step: MigrationStep = {
    kind: 'add-column',
    class: 'add',
    table: table.name,
    column: wanted.name,
    words: `Add the column ${wanted.name} (${wanted.type}) to ${table.name}.`,
    sql: [addColumnSql(tools.kysely, table.name, wanted)],
    rowsAtRisk: 0,
    isNeeded: true,
  };
  const isRenamed = wanted.was !== undefined && actual?.columns.has(wanted.was);
  if (isRenamed && !table.columns.some(({ name }) => name === wanted.was)) return renameColumn(table, wanted, tools);
  if (!wanted.isRequired || wanted.default !== undefined) return step;
  const count = await tools.counter.rows(table.name);
  if (count === 0) return step;
  return {
    ...step,
    class: 'change',
    rowsAtRisk: count,
    refusal: toProblem(table, wanted.path ?? '', {
      code: 'MIGRATION_COLUMN_REQUIRED',
      message: `${wanted.name} is required and new, but ${table.name} has ${count} rows that have no value for it.`,
      hint: 'Give the field a default, or make it optional, fill the rows, and then make it required.',
    }),
  };
}

async function renameColumn(table: Table, wanted: TableColumn, { counter }: CompareTools): Promise<MigrationStep> {
  const was = wanted.was ?? '';
  const count = await counter.values(table.name, was);
  const message = `The field was renamed: ${was}, with values in ${count} rows, would become ${wanted.name}.`;
  return {
    kind: 'rename-column',
    class: 'change',
    table: table.name,
    column: wanted.name,
    words: `Rename the column ${was} of ${table.name} to ${wanted.name}.`,
    sql: [`alter table ${quote(table.name)} rename column ${quote(was)} to ${quote(wanted.name)}`],
    rowsAtRisk: count,
    isNeeded: true,
    refusal: toProblem(table, wanted.path ?? '', { code: 'MIGRATION_RENAME_REFUSED', message, hint: RENAME_HINT }),
  };
}

function refuseDifference(table: Table, wanted: TableColumn, { words, isNeeded, obstacle }: Difference): MigrationStep {
  const fault = obstacle ?? { code: '', rows: 0, message: '', hint: '' };
  return {
    kind: 'alter-column',
    class: 'lose',
    table: table.name,
    column: wanted.name,
    words: `In ${table.name}, ${words}.`,
    sql: [],
    rowsAtRisk: fault.rows,
    isNeeded,
    refusal: toProblem(table, wanted.path ?? '', fault),
  };
}

function rebuildTable(
  table: Table,
  actual: ActualTable,
  found: readonly Difference[],
  tools: CompareTools,
): MigrationStep {
  return {
    kind: 'rebuild-table',
    class: 'change',
    table: table.name,
    words: `Rebuild the table ${table.name}: ${found.map(({ words }) => words).join('; ')}.`,
    sql: rebuildSql(table, actual, tools.kysely),
    rowsAtRisk: 0,
    isNeeded: found.some(({ isNeeded }) => isNeeded),
  };
}
