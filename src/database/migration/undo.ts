import { TreadleError } from '../../core/errors.ts';
import type { Database, Dialect } from '../database.ts';
import { toBase } from '../migration.ts';
import type { CopyNote, MigrationPlan, TableChange } from '../migration-step.ts';
import { readStructure } from '../read-structure.ts';
import type { Structure } from '../structure.ts';
import type { Table } from '../table.ts';
import { buildPlan } from './build.ts';
import { hideAllComputed } from './computed-steps.ts';
import { toState, type UndoFacts } from './context.ts';
import { type JournalContents, type JournalEntry, readJournal, readRemembered } from './journal.ts';
import { type PlanOptions, prepareUndo } from './prepare.ts';

export interface UndoPlan {
  readonly plan: MigrationPlan;
  /** The migration to undo. */
  readonly entry: JournalEntry;
}

/** The last migration of model tables that has not been undone. */
function findUndoable(journal: readonly JournalEntry[]): JournalEntry | undefined {
  const undone = new Set(journal.flatMap(({ undoes }) => undoes ?? []));
  return journal.find(({ id, undoes, changes }) => undoes === undefined && !undone.has(id) && changes?.length !== 0);
}

function refuseUnknown({ id }: JournalEntry): never {
  throw new TreadleError('MIGRATION_UNDO_UNKNOWN', `Entry ${id} of the journal does not contain the former tables.`, {
    hint: 'An earlier version of Treadle wrote it. Restore a backup instead.',
  });
}

/**
 * True if a move brought the entry and its copies from the other kind of database: SQLite keeps decimals as whole numbers of their
 * smallest unit, so what was kept of them means another number here.
 */
function isOfOther(changes: readonly TableChange[], { memory }: JournalContents, dialect: Dialect): boolean {
  const key = dialect === 'sqlite' ? 'bigint' : 'integer';
  const former = changes.flatMap(({ was }) => was ?? []);
  const isOther = former.some(({ columns, primaryKey: [name], isCounting }) =>
    columns.some((column) => isCounting && column.name === name && column.type.toLowerCase() === key),
  );
  const present = changes.flatMap(({ now }) => memory.get(now ?? '') ?? []);
  return (
    isOther && [...former, ...present].some(({ columns }) => columns.some(({ field }) => field?.type === 'decimal'))
  );
}

function refuseOther({ id }: JournalEntry): never {
  const message = `Entry ${id} of the journal is of the other kind of database, which stores decimals in another form.`;
  throw new TreadleError('MIGRATION_UNDO_UNKNOWN', message, {
    hint: 'The data was moved since. Restore a backup of before, or change the definitions back and migrate.',
  });
}

/** The present name of each former table and column. */
function listNames(changes: readonly TableChange[]): {
  readonly tables: Map<string, string>;
  readonly columns: Map<string, Map<string, string>>;
} {
  const tables = new Map<string, string>();
  const columns = new Map<string, Map<string, string>>();
  for (const { was, now, columns: renames } of changes) {
    if (was === null || now === null) continue;
    tables.set(was.name, now);
    const renamed = new Map(renames);
    const taken = new Set(renamed.values());
    columns.set(
      was.name,
      new Map(
        was.columns.flatMap(({ name }): [string, string][] => {
          const present = renamed.get(name) ?? (taken.has(name) ? undefined : name);
          return present === undefined ? [] : [[name, present]];
        }),
      ),
    );
  }
  return { tables, columns };
}

function describeUndo(changes: readonly TableChange[], copies: readonly CopyNote[], structure: Structure): UndoFacts {
  const toFormer = (table: string): string => changes.find(({ now }) => now === table)?.was?.name ?? table;
  const there = copies.filter(({ copy }) => structure.tables.has(copy));
  const values = new Map<string, string[]>();
  for (const { kind, table, column, copy } of there) {
    if (kind !== 'values') continue;
    const key = `${toFormer(table)}.${column}`;
    values.set(key, [...(values.get(key) ?? []), copy]);
  }
  return {
    columns: new Map(
      there.flatMap(({ kind, table, column, copy }): [string, string][] =>
        kind === 'column' ? [[`${toFormer(table)}.${column}`, copy]] : [],
      ),
    ),
    values,
    tables: new Map(
      there.flatMap(({ kind, table, copy }): [string, string][] => (kind === 'table' ? [[table, copy]] : [])),
    ),
    gone: changes.flatMap(({ was, now }) => (was === null && now !== null && structure.tables.has(now) ? [now] : [])),
  };
}

/** Tables that the migration did not change but that refer to one to be dropped. */
function listDependents(
  structure: Structure,
  { memory }: JournalContents,
  known: ReadonlySet<string>,
  gone: readonly string[],
): Table[] {
  return [...structure.tables.values()]
    .filter(({ name }) => !known.has(name) && !gone.includes(name))
    .filter(({ columns }) => [...columns.values()].some(({ references }) => gone.includes(references?.table ?? '')))
    .map((actual) => toState(actual, memory.get(actual.name)));
}

/**
 * Plans the undo of the last migration: restores names, dropped columns and tables from their copies, and
 * converted values that nobody changed since; drops what it created. Changes nothing.
 * @throws MIGRATION_UNDO_NONE if there is nothing to undo. @throws MIGRATION_UNDO_UNKNOWN
 */
export async function planUndo(database: Database, options: PlanOptions = {}): Promise<UndoPlan> {
  const found = await readStructure(database);
  const remembered = await readRemembered(database, found);
  const structure = hideAllComputed(found, remembered.memory, []);
  const entry = findUndoable(await readJournal(database, structure));
  if (entry === undefined) {
    throw new TreadleError('MIGRATION_UNDO_NONE', 'There is no migration to undo.', {
      hint: 'treadle migrate brings the database to what the definitions say.',
    });
  }
  const { changes = refuseUnknown(entry), copies } = entry;
  if (isOfOther(changes, remembered, database.dialect)) refuseOther(entry);
  const names = listNames(changes);
  const facts = describeUndo(changes, copies, structure);
  const former = changes.flatMap(({ was }) => was ?? []);
  const known = new Set(names.tables.values());
  const dependents = listDependents(structure, remembered, known, facts.gone);
  for (const { name, columns } of dependents) {
    names.tables.set(name, name);
    names.columns.set(name, new Map(columns.map((column) => [column.name, column.name])));
  }
  const wanted = [...former, ...dependents];
  const context = prepareUndo({ database, structure, remembered, wanted, options }, names, facts);
  const plan = await buildPlan(context, toBase(structure, remembered));
  return { plan: { ...plan, record: { ...plan.record, undoes: entry.id } }, entry };
}
