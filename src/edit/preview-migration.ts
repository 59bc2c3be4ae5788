import { systemClock } from '../core/clock.ts';
import { silentLog } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { findDatabaseFile, isDatabaseThere } from '../database/file.ts';
import { migrate, planMigration } from '../database/migration.ts';
import type { MigrationStep } from '../database/migration-step.ts';
import { openDatabase } from '../database/open.ts';
import { createTables } from '../database/table.ts';
import type { Definitions } from '../model/definitions.ts';
import { linkModel } from '../model/link.ts';
import { readEnvironment } from '../project/environment.ts';
import type { EditedProject } from './project.ts';

/**
 * Additional migration steps after a change of the definitions, in words. It compares with the project's own SQLite
 * file, if that exists, otherwise with an empty database migrated to the current definitions. It changes no stored
 * data. Undefined if it cannot be determined, for example without sqlite3's binding.
 */
export async function previewMigration(
  project: EditedProject,
  before: Definitions,
  after: Definitions,
): Promise<string[] | undefined> {
  try {
    return await plan(project, before, after);
  } catch {
    return undefined;
  }
}

async function plan(project: EditedProject, before: Definitions, after: Definitions): Promise<string[] | undefined> {
  const [present, next] = [linkModel(before).model, linkModel(after).model];
  if (present === undefined || next === undefined) return undefined;
  const root = project.root();
  const own = readEnvironment(root, project.env).databaseUrl ?? present.settings.database.url;
  // Reading makes no file, and contacts no server.
  const isRead = findDatabaseFile(own, root) !== undefined && isDatabaseThere(own, root);
  const url = isRead ? own : 'sqlite::memory:';
  const database = await openDatabase({ url, root, log: silentLog, clock: systemClock });
  try {
    const list = async (model: typeof present): Promise<readonly MigrationStep[]> =>
      (await planMigration(database, createTables(model, [], { dialect: database.dialect }))).steps;
    if (!isRead) await migrate(database, createTables(present, [], { dialect: database.dialect }));
    const known = new Set((await list(present)).map(({ words }) => words));
    return (await list(next)).filter(({ words }) => !known.has(words)).map(toLine);
  } finally {
    await closeQuietly(database);
  }
}

const toLine = ({ words, refusal }: MigrationStep): string =>
  refusal === undefined ? words : `${words} It would be refused: ${refusal.message} ${refusal.hint ?? ''}`.trimEnd();

const closeQuietly = (database: Database): Promise<void> => database.close().catch(() => {});
