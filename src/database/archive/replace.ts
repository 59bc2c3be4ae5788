import { randomBytes } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../database.ts';
import { journalTable, memoryTable } from '../migration/journal.ts';
import { migrate } from '../migration.ts';
import type { MigrationStep } from '../migration-step.ts';
import { readStructure } from '../read-structure.ts';
import { findServedMode, keepServedMode, type ServedMode, servingTable } from '../serving.ts';
import type { Table } from '../table.ts';
import { quote } from '../table-sql.ts';
import { loadTables } from './load.ts';
import type { RowSource, TableSum } from './shape.ts';
import { isLeftOut } from './tables.ts';
import { countRows } from './write.ts';

/** A table that is there before, with its rows. */
export interface Present {
  readonly name: string;
  readonly rows: number;
}

export interface ReplaceOptions {
  readonly database: Database;
  readonly source: RowSource;
  /** Tables of the present model, which what was loaded is migrated to; undefined to leave it as it was. */
  readonly desired: readonly Table[] | undefined;
  /** Whether rows that are there are given up. */
  readonly allowLoss: boolean;
  readonly told?: (rows: number, table: string) => void;
  /** Called before the commit, when all is there: what it throws undoes all. */
  readonly beforeCommit?: (sums: readonly TableSum[]) => Promise<void>;
}

export interface Replaced {
  readonly sums: readonly TableSum[];
  /** Rows that were there before and are no more. */
  readonly lost: number;
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
  /** In which mode the database was last served, which stays so; undefined where it never was: it counts as production's now. */
  readonly served: ServedMode | undefined;
}

/** Every database that was served once has rows there: they alone are no loss. */
const KEPT_BY_TREADLE: ReadonlySet<string> = new Set([
  journalTable.name,
  memoryTable.name,
  servingTable.name,
  'treadle_session',
]);

/** The tables that give way: those that come, those of the model, and Treadle's own. Others in the same place stay. */
export async function listPresent(
  database: Database,
  { source, desired }: Pick<ReplaceOptions, 'source' | 'desired'>,
): Promise<Present[]> {
  const { tables } = await readStructure(database);
  const coming = new Set([...source.tables, ...(desired ?? [])].map(({ name }) => name));
  const present: Present[] = [];
  for (const name of tables.keys()) {
    if (!coming.has(name) && !name.startsWith('treadle_')) continue;
    present.push({ name, rows: isLeftOut(name) ? 0 : await countRows(database, { name }) });
  }
  return present;
}

/** Rows that would be lost. @throws ARCHIVE_TARGET_LOSS where there are some and they may not be. */
export function checkLoss(present: readonly Present[], allowLoss: boolean): number {
  const full = present.filter(({ name, rows }) => rows > 0 && !KEPT_BY_TREADLE.has(name));
  const lost = full.reduce((sum, { rows }) => sum + rows, 0);
  if (lost === 0 || allowLoss) return lost;
  const shown = full.slice(0, 4).map(({ name, rows }) => `${name} (${rows})`);
  const more = full.length > shown.length ? ` and ${full.length - shown.length} more` : '';
  const count = lost === 1 ? '1 row' : `${lost} rows`;
  throw new TreadleError(
    'ARCHIVE_TARGET_LOSS',
    `The database has ${count}, which would be lost: ${shown.join(', ')}${more}.`,
    {
      status: 409,
      hint: 'Back them up with "treadle backup --out before.treadle", then add --allow-loss; or name an empty database.',
    },
  );
}

const run = (database: Database, text: string, parameters: readonly unknown[] = []) =>
  database.run(CompiledQuery.raw(text), parameters);

async function dropWords(database: Database): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  // Dropping the virtual table takes those with it that SQLite keeps for it.
  const text = "select name from sqlite_schema where type = 'table' and sql like 'create virtual table%'";
  for (const { name } of await run(database, text)) {
    if (isLeftOut(String(name))) await run(database, `drop table ${quote(String(name))}`);
  }
}

/** SQLite's readers see what was there until the commit, so its tables are changed in place. */
async function replaceInPlace(
  database: Database,
  present: readonly Present[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  await dropWords(database);
  for (const { name } of present) await run(database, `drop table if exists ${quote(name)}`);
  return load();
}

interface Loaded {
  readonly sums: readonly TableSum[];
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

/**
 * PostgreSQL lets nobody read a table that was dropped until the commit. So all is made in a schema beside, and takes
 * the other's place at the end.
 */
async function replaceBeside(
  database: Database,
  present: readonly Present[],
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  const [found] = await run(database, 'select current_schema() as name');
  const home = quote(String(found?.name));
  const beside = quote(`treadle_restore_${randomBytes(6).toString('hex')}`);
  await run(database, `create schema ${beside}`);
  await run(database, `set local search_path to ${beside}`);
  const loaded = await load();
  const list =
    "select c.relname::text as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')";
  const made = await run(database, list);
  if (present.length > 0) {
    const names = present.map(({ name }) => `${home}.${quote(name)}`).join(', ');
    await run(database, `drop table ${names}`);
  }
  for (const { name } of made) await run(database, `alter table ${beside}.${quote(String(name))} set schema ${home}`);
  await run(database, `set local search_path to ${home}`);
  await run(database, `drop schema ${beside}`);
  return loaded;
}

/**
 * Puts the rows of a source in the place of all that a database has, in one transaction: whoever reads meanwhile sees
 * all of the old or all of the new, and whatever goes wrong leaves the old. In which mode the database was served is no
 * part of it: see {@link keepServedMode}.
 *
 * @throws ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS
 */
export async function replaceAll(options: ReplaceOptions): Promise<Replaced> {
  const { database, source, desired, allowLoss, told } = options;
  if (database.restructure === undefined) throw new Error('The database has no transaction without a limit of time.');
  const work = async (): Promise<Replaced> => {
    const present = await listPresent(database, { source, desired });
    const lost = checkLoss(present, allowLoss);
    const served = await findServedMode(database);
    const load = async (): Promise<Loaded> => {
      const sums = await loadTables({ database, source, ...(told === undefined ? {} : { told }) });
      if (desired === undefined) return { sums, applied: [], refused: [] };
      const { applied, refused } = await migrate(database, desired);
      return { sums, applied, refused };
    };
    const replace = database.dialect === 'sqlite' ? replaceInPlace : replaceBeside;
    const loaded = await replace(database, present, load);
    await keepServedMode(database, served);
    await options.beforeCommit?.(loaded.sums);
    return { ...loaded, lost, served };
  };
  return database.restructure(work, true, 'migration');
}
