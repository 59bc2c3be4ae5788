import { randomBytes } from 'node:crypto';
import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../database.ts';
import { journalTable, memoryTable } from '../migration/journal.ts';
import { migrate } from '../migration.ts';
import type { MigrationStep } from '../migration-step.ts';
import { readStructure } from '../read-structure.ts';
import { runText } from '../run-text.ts';
import { findServedMode, keepServedMode, type ServedMode, servingTable } from '../served-mode.ts';
import { listCounted, type Table } from '../table.ts';
import { quote } from '../table-sql.ts';
import { CHANGE_TABLE } from '../version/table-version.ts';
import { isWordsTable } from '../words/word-table.ts';
import { loadTables } from './load.ts';
import type { RowSource, TableSum } from './shape.ts';
import { isLeftOut } from './tables.ts';
import { countRows } from './write.ts';

/** An existing table with its rows. */
export interface Present {
  readonly name: string;
  readonly rows: number;
}

export interface ReplaceOptions {
  readonly database: Database;
  readonly source: RowSource;
  /** Tables of the current model, to which the loaded data is migrated; undefined to leave it as it was. */
  readonly desired: readonly Table[] | undefined;
  /** Whether existing rows may be lost. */
  readonly allowLoss: boolean;
  readonly told?: (rows: number, table: string) => void;
  /** Called before the commit with everything loaded; an error rolls everything back. */
  readonly beforeCommit?: (sums: readonly TableSum[]) => Promise<void>;
}

export interface ReplaceResult {
  readonly sums: readonly TableSum[];
  /** Number of former rows that are gone. */
  readonly lost: number;
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
  /**
   * The mode in which the database was last served; it is kept. Undefined if never served, which then
   * counts as production.
   */
  readonly served: ServedMode | undefined;
}

/** Tables that have rows in every database that was ever served: losing only these is no loss. */
const KEPT_BY_TREADLE: ReadonlySet<string> = new Set([
  journalTable.name,
  memoryTable.name,
  servingTable.name,
  'treadle_definition_file',
  'treadle_session',
]);

/** Tables to replace: those of the source, of the model, and Treadle's own. Others stay. */
export async function listPresent(
  database: Database,
  { source, desired }: Pick<ReplaceOptions, 'source' | 'desired'>,
): Promise<Present[]> {
  const { tables } = await readStructure(database);
  const coming = new Set([...source.tables, ...(desired ?? [])].map(({ name }) => name));
  const present: Present[] = [];
  for (const name of tables.keys()) {
    if (!coming.has(name) && !name.startsWith('treadle_')) continue;
    // Its numbers only ever grow, and triggers of tables that stay write it.
    if (name === CHANGE_TABLE) continue;
    present.push({ name, rows: isLeftOut(name) ? 0 : await countRows(database, { name }) });
  }
  return present;
}

/**
 * Number of rows that would be lost. @throws ARCHIVE_TARGET_LOSS if there are any and loss is not allowed.
 */
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

async function dropWords(database: Database): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  // Dropping the virtual table also drops its shadow tables.
  const text =
    "select type, name from sqlite_schema where type in ('table', 'view') order by sql not like 'create virtual table%'";
  for (const { type, name } of await runText(database, text)) {
    if (isWordsTable(String(name))) await runText(database, `drop ${String(type)} if exists ${quote(String(name))}`);
  }
}

/** The functions of the search indexes name their schema in their text; triggers keep the function. */
async function moveFunctions(database: Database, staging: string, home: string): Promise<void> {
  const list =
    'select proname::text as name, pg_get_functiondef(oid) as text from pg_proc where pronamespace = current_schema()::regnamespace';
  for (const { name, text } of await runText(database, list)) {
    const own = quote(String(name));
    await runText(database, `drop function if exists ${home}.${own}() cascade`);
    await runText(database, `alter function ${staging}.${own}() set schema ${home}`);
    const bare = staging.slice(1, -1);
    await runText(database, String(text).replaceAll(staging, home).replaceAll(`${bare}.`, `${home}.`));
  }
}

/** SQLite's readers see the former data until the commit, so its tables are changed in place. */
async function replaceInPlace(
  database: Database,
  present: readonly Present[],
  load: () => Promise<LoadResult>,
): Promise<LoadResult> {
  await dropWords(database);
  for (const { name } of present) await runText(database, `drop table if exists ${quote(name)}`);
  return load();
}

interface LoadResult {
  readonly sums: readonly TableSum[];
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

/**
 * PostgreSQL blocks reads of a dropped table until the commit. So everything is created in a separate
 * schema, which replaces the other at the end.
 */
async function replaceThroughSchema(
  database: Database,
  present: readonly Present[],
  load: () => Promise<LoadResult>,
): Promise<LoadResult> {
  const [found] = await runText(database, 'select current_schema() as name');
  const home = quote(String(found?.name));
  const staging = quote(`treadle_restore_${randomBytes(6).toString('hex')}`);
  await runText(database, `create schema ${staging}`);
  await runText(database, `set local search_path to ${staging}`);
  const loaded = await load();
  const list =
    "select c.relname::text as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')";
  const made = await runText(database, list);
  if (present.length > 0) {
    const names = present.map(({ name }) => `${home}.${quote(name)}`).join(', ');
    await runText(database, `drop table ${names}`);
  }
  for (const { name } of made)
    await runText(database, `alter table ${staging}.${quote(String(name))} set schema ${home}`);
  await moveFunctions(database, staging, home);
  await runText(database, `set local search_path to ${home}`);
  await runText(database, `drop schema ${staging}`);
  return loaded;
}

/** Rows that are below themselves are refused as those that break any other rule. @throws ARCHIVE_ROW_REFUSED (409) */
function checkTrees(refused: readonly MigrationStep[]): void {
  const broken = refused.find(({ kind }) => kind === 'create-tree')?.refusal;
  if (broken === undefined) return;
  const hint = 'Nothing was changed. Correct the rows at their source, and try again.';
  throw new TreadleError('ARCHIVE_ROW_REFUSED', broken.message, { status: 409, hint });
}

/**
 * Replaces the data of a database with the rows of a source in one transaction: readers see either all old
 * or all new data, and an error keeps the old. The served mode is not part of it: see {@link
 * keepServedMode}.
 * @throws ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS
 */
export async function replaceAll(options: ReplaceOptions): Promise<ReplaceResult> {
  const { database, source, desired, allowLoss, told } = options;
  if (database.restructure === undefined) throw new Error('The database has no transaction without a limit of time.');
  const work = async (): Promise<ReplaceResult> => {
    const present = await listPresent(database, { source, desired });
    const lost = checkLoss(present, allowLoss);
    const served = await findServedMode(database);
    const load = async (): Promise<LoadResult> => {
      const sums = await loadTables({ database, source, ...(told === undefined ? {} : { told }) });
      if (desired === undefined) return { sums, applied: [], refused: [] };
      const { applied, refused } = await migrate(database, desired, { isCarried: true });
      checkTrees(refused);
      return { sums, applied, refused };
    };
    const replace = database.dialect === 'sqlite' ? replaceInPlace : replaceThroughSchema;
    const loaded = await replace(database, present, load);
    await keepServedMode(database, served);
    if (desired !== undefined) await database.trackTables(listCounted(desired));
    await options.beforeCommit?.(loaded.sums);
    return { ...loaded, lost, served };
  };
  return database.restructure(work, true, 'migration');
}
