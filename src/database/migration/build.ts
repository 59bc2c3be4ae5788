import { isSameJson } from '../../model/json/json-value.ts';
import type { MigrationPlan, MigrationRecord, MigrationStep, TableChange } from '../migration-step.ts';
import type { Table } from '../table.ts';
import { createTableSql } from '../table-sql.ts';
import { compareTrees } from '../tree/compare.ts';
import { compareWords } from '../words/word-index.ts';
import { planComputed } from './computed-steps.ts';
import { isOwnIndex, type PlanContext, toPresent, toState } from './context.ts';
import { createIndexStep } from './index-steps.ts';
import { dropTable, keepTable, restoreRowsSql } from './left-table.ts';
import { planLinkChanges } from './link-change.ts';
import { keyStep, planTable, toCreated } from './plan-table.ts';
import { planTableRenames } from './rename.ts';

/** Plans every table and orders the steps. */
export async function buildPlan(context: PlanContext, base: string): Promise<MigrationPlan> {
  const { wanted, structure, draft } = context;
  for (const table of wanted) {
    const source = context.findTable(table.name);
    const actual = source === undefined ? undefined : structure.tables.get(source);
    if (actual === undefined) planCreate(table, context);
    else await planTable(table, actual, context);
  }
  planTableRenames(context);
  await planLeftTables(context);
  await planLinkChanges(context);
  planComputed(context);
  planIndexDrift(context);
  const { computedGone, indexesGone, early, alter, drop, rename, create, computed, indexes, keys, refused } =
    draft.phases;
  const changes = [...indexesGone, ...early, ...alter, ...drop, ...rename, ...create];
  const ordered = [...computedGone, ...changes, ...computed, ...indexes, ...keys, ...refused];
  const words = await compareWords(listSearched(context), context, ordered, findStale(ordered, context));
  const trees = await compareTrees(context, ordered);
  const steps = [...trees.gone, ...ordered, ...words, ...trees.made];
  return {
    steps,
    problems: steps.flatMap(({ refusal }) => refusal ?? []),
    drift: draft.drift,
    base,
    record: createRecord(steps, context),
  };
}

/** Tables that may keep their search index. An undo keeps those of untouched tables. */
function listSearched({ wanted, undo, memory, gone }: PlanContext): readonly Table[] {
  if (undo === undefined) return wanted;
  const known = new Set([...wanted.flatMap(({ name, was = [] }) => [name, ...was]), ...gone]);
  return [...wanted, ...[...memory.values()].filter(({ name, isLeft }) => !known.has(name) && isLeft !== true)];
}

/** Tables with an outdated word index: names moved or were swapped, or values change. */
function findStale(steps: readonly MigrationStep[], { wanted, structure, findTable, undo }: PlanContext): Set<string> {
  const stale = wanted.filter(({ name, words = [] }) => {
    const source = findTable(name);
    const isMoved = source !== undefined && source !== name;
    if (isMoved && (structure.tables.has(name) || wanted.some((other) => other.name === source))) return true;
    return steps.some(
      ({ table, column = '', copy, refusal }) =>
        table === name &&
        refusal === undefined &&
        words.includes(column) &&
        (copy !== undefined || undo?.columns.has(`${name}.${column}`) === true),
    );
  });
  return new Set(stale.map(({ name }) => name));
}

function planCreate(table: Table, context: PlanContext): void {
  const { dialect, undo, draft } = context;
  const made = toCreated(table, context);
  const early = context.findTable(table.name);
  const named = early === undefined ? made : toEarly(made, early, context);
  const columns = `${made.columns.length} ${made.columns.length === 1 ? 'column' : 'columns'}`;
  const copy = undo?.tables.get(table.name);
  const step: MigrationStep = {
    kind: 'create-table',
    class: 'add',
    table: table.name,
    words: `Create the table ${table.name} (${columns})${copy === undefined ? '' : `, with the rows that ${copy} kept`}.`,
    sql: [
      createTableSql(named, { dialect, hasKeys: dialect === 'sqlite' }),
      ...(copy === undefined ? [] : restoreRowsSql(named, copy, dialect)),
    ],
    rowsAtRisk: 0,
    isNeeded: true,
  };
  (early === undefined ? draft.phases.create : draft.phases.early).push(step);
  draft.phases.indexes.push(...made.indexes.map((index) => createIndexStep(table.name, index)));
  if (dialect === 'postgres') {
    for (const column of made.columns)
      if (column.references !== undefined) draft.phases.keys.push(keyStep(table.name, column));
  }
  draft.memory.set(table.name, made);
}

/** The table as created before names change. */
function toEarly(table: Table, name: string, context: PlanContext): Table {
  const columns = table.columns.map((column) =>
    column.references === undefined ? column : { ...column, references: toPresent(column.references, context) },
  );
  return { ...table, name, columns };
}

/** Tables without a schema: Treadle's own are dropped if loss is allowed, else kept; others are reported. */
async function planLeftTables(context: PlanContext): Promise<void> {
  const { structure, wanted, draft } = context;
  const used = new Set(wanted.flatMap(({ name }) => context.findTable(name) ?? []));
  for (const actual of structure.tables.values()) {
    if (context.gone.has(actual.name)) await dropTable(actual, context);
    else if (context.undo === undefined && !used.has(actual.name) && !actual.name.startsWith('treadle_')) {
      if (context.isOwn(actual.name)) await keepTable(actual, context);
      else {
        const words = `The table ${actual.name}, which has no schema and was not created by Treadle.`;
        draft.drift.push({ kind: 'table', table: actual.name, name: actual.name, words });
      }
    }
  }
}

function planIndexDrift(context: PlanContext): void {
  const { structure, wanted, draft } = context;
  for (const table of wanted) {
    const actual = structure.tables.get(context.findTable(table.name) ?? '');
    for (const index of actual?.indexes.values() ?? []) {
      const isNamed = table.indexes.some(({ name }) => name === index.name);
      if (isNamed || index.sql === undefined || isOwnIndex(actual?.name ?? '', index)) continue;
      const words = `The index ${index.name} of ${table.name}.`;
      draft.drift.push({ kind: 'index', table: table.name, name: index.name, words });
    }
  }
}

function createRecord(steps: readonly MigrationStep[], context: PlanContext): MigrationRecord {
  const { draft, structure, wanted } = context;
  const touched = new Set(steps.flatMap(({ table, refusal }) => (refusal === undefined ? [table] : [])));
  const changes: TableChange[] = [...draft.changes];
  for (const table of [...wanted, ...listLeft(context)]) {
    const now = table.name;
    if (now.startsWith('treadle_')) continue;
    const source = context.findTable(now) ?? (wanted.includes(table) ? undefined : now);
    const actual = source === undefined ? undefined : structure.tables.get(source);
    if (actual === undefined) {
      changes.push({ was: null, now, columns: [] });
      continue;
    }
    const known = context.memory.get(actual.name);
    const was = toState(actual, known);
    // What is saved for the first time had no other value before.
    const isSame = !touched.has(now) && (known === undefined || isSameJson(known, draft.memory.get(now)));
    const columns = table.columns.flatMap(({ name }): [string, string][] => {
      const from = context.findColumn(now, name);
      return from === undefined || from === name ? [] : [[from, name]];
    });
    if (!isSame) changes.push({ was, now, columns });
  }
  return { changes, copies: draft.copies, memory: buildMemory(context) };
}

const listLeft = ({ draft, wanted }: PlanContext): Table[] =>
  [...draft.memory.values()].filter(
    ({ name, isLeft }) => isLeft === true && !wanted.some((table) => table.name === name),
  );

/** Changed memory entries; undefined for what is gone. */
function buildMemory({ draft, memory, undo, gone, wanted, findTable }: PlanContext): Map<string, Table | undefined> {
  const changed = new Map<string, Table | undefined>();
  const left = new Set([...gone, ...wanted.flatMap(({ name }) => findTable(name) ?? [])]);
  for (const name of memory.keys()) {
    const isGone = undo === undefined ? !draft.memory.has(name) : left.has(name) && !draft.memory.has(name);
    if (isGone && !(undo === undefined && name.startsWith('treadle_'))) changed.set(name, undefined);
  }
  for (const [name, table] of draft.memory) if (!isSameJson(memory.get(name), table)) changed.set(name, table);
  return changed;
}
