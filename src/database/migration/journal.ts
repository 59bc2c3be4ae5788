import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, toSeconds } from '../../core/clock.ts';
import type { Database, SystemTable } from '../database.ts';
import type { CopyNote, MigrationRecord, MigrationStep, TableChange } from '../migration-step.ts';
import type { Structure } from '../structure.ts';
import type { Table } from '../table.ts';
import { readCopyNumber } from './copy-sql.ts';

/** Log of schema changes. */
export const journalTable: SystemTable = {
  name: 'treadle_journal',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'at', type: 'integer', isRequired: true },
    { name: 'words', type: 'text', isRequired: true },
    { name: 'sql', type: 'text', isRequired: true },
    { name: 'checksum', type: 'text', isRequired: true },
    { name: 'steps', type: 'json' },
    { name: 'changes', type: 'json' },
    { name: 'copies', type: 'json' },
    { name: 'undoes', type: 'integer' },
  ],
};

/** Meaning of each table's columns after the last migration: databases do not store the field's type. */
export const memoryTable: SystemTable = {
  name: 'treadle_table',
  columns: [
    { name: 'name', type: 'key' },
    { name: 'state', type: 'json', isRequired: true },
  ],
};

/** One migration in the journal. */
export interface JournalEntry {
  readonly id: number;
  readonly at: number;
  readonly words: string;
  /** Undefined if an earlier version of Treadle wrote it. */
  readonly changes: readonly TableChange[] | undefined;
  readonly copies: readonly CopyNote[];
  readonly undoes: number | undefined;
}

/** What the database stores about its own history. */
export interface JournalContents {
  readonly memory: ReadonlyMap<string, Table>;
  /** Number of the last journal entry. */
  readonly lastEntry: number;
  /** Highest number that a copy ever had. */
  readonly lastCopy: number;
  /** SQL of old entries that do not list what Treadle created. */
  readonly formerSql: string;
}

const isThere = (structure: Structure, table: SystemTable): boolean =>
  table.columns.every(({ name }) => structure.tables.get(table.name)?.columns.has(name) === true);

// The journal is Treadle's own: what it wrote has these types.
const parseState = (text: string): Table => JSON.parse(text);
const parseChanges = (text: string): TableChange[] => JSON.parse(text);
const parseCopies = (text: unknown): CopyNote[] => JSON.parse(String(text ?? '[]'));

export async function readRemembered({ kysely }: Database, structure: Structure): Promise<JournalContents> {
  const memory = new Map<string, Table>();
  if (isThere(structure, memoryTable)) {
    const rows = await kysely.selectFrom(memoryTable.name).select(['name', 'state']).execute();
    for (const { name, state } of rows) memory.set(String(name), parseState(String(state)));
  }
  const there = [...structure.tables.keys()].flatMap((name) => readCopyNumber(name) ?? []);
  const journal = structure.tables.get(journalTable.name);
  if (journal === undefined) return { memory, lastEntry: 0, lastCopy: Math.max(0, ...there), formerSql: '' };
  const isWhole = isThere(structure, journalTable);
  const { rows } = await sql<{ id: number; copies: string | null; sql: string | null }>`select id,
    ${isWhole ? sql`copies` : sql`null`} as copies, ${isWhole ? sql`case when changes is null then sql end` : sql`sql`} as sql
    from ${sql.table(journalTable.name)} order by id`.execute(kysely);
  const named = rows.flatMap(({ copies }) => parseCopies(copies).flatMap(({ copy }) => readCopyNumber(copy) ?? []));
  return {
    memory,
    lastEntry: Number(rows.at(-1)?.id ?? 0),
    lastCopy: Math.max(0, ...there, ...named),
    formerSql: rows.map(({ sql: text }) => text ?? '').join('\n'),
  };
}

/** Entries of the journal, latest first. */
export async function readJournal({ kysely }: Database, structure: Structure): Promise<JournalEntry[]> {
  if (!isThere(structure, journalTable)) return [];
  const rows = await kysely
    .selectFrom(journalTable.name)
    .select(['id', 'at', 'words', 'changes', 'copies', 'undoes'])
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: Number(row.id),
    at: Number(row.at),
    words: String(row.words),
    changes: row.changes === null ? undefined : parseChanges(String(row.changes)),
    copies: parseCopies(row.copies),
    undoes: row.undoes === null ? undefined : Number(row.undoes),
  }));
}

/** Tables whose state is written by one statement: a project of 1,000 schemas has some 1,200. */
const MEMORY_ROWS = 200;

async function writeMemory({ kysely }: Database, memory: MigrationRecord['memory']): Promise<void> {
  const rows: { readonly name: string; readonly state: string }[] = [];
  for (const [name, table] of memory) {
    if (table === undefined) await kysely.deleteFrom(memoryTable.name).where('name', '=', name).execute();
    else rows.push({ name, state: JSON.stringify(table) });
  }
  for (let start = 0; start < rows.length; start += MEMORY_ROWS) {
    await kysely
      .insertInto(memoryTable.name)
      .values(rows.slice(start, start + MEMORY_ROWS))
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ state: sql.ref('excluded.state') }))
      .execute();
  }
}

/** Saves a migration and the new meaning of each column. Without steps only the latter. */
export async function writeRecord(
  database: Database,
  steps: readonly MigrationStep[],
  record: MigrationRecord,
  clock: Clock,
): Promise<void> {
  await writeMemory(database, record.memory);
  if (steps.length === 0 && record.undoes === undefined) return;
  const text = steps.flatMap((step) => step.sql.map((line) => `${line};`)).join('\n');
  const told = steps.map(({ kind, class: rank, table, column, words, rowsAtRisk, copy }) => ({
    kind,
    class: rank,
    table,
    ...(column === undefined ? {} : { column }),
    words,
    rowsAtRisk,
    ...(copy === undefined ? {} : { copy }),
  }));
  await database.kysely
    .insertInto(journalTable.name)
    .values({
      at: toSeconds(clock.now()),
      words: steps.map(({ words }) => words).join('\n'),
      sql: text,
      checksum: createHash('sha256').update(text).digest('hex'),
      steps: JSON.stringify(told),
      changes: JSON.stringify(record.changes),
      copies: JSON.stringify(record.copies),
      undoes: record.undoes ?? null,
    })
    .execute();
}
