import { systemClock } from '../core/clock.ts';
import { silentLog } from '../core/log/log.ts';
import type { Database } from '../database/database.ts';
import { isDatabaseThere } from '../database/file.ts';
import type { Settings } from '../model/shape.ts';
import { overrideSettings, readEnvironment } from '../project/environment.ts';
import { readProject } from '../project/read.ts';
import type { Invocation } from './spec.ts';

/** The project's settings with the overrides of its environment; the definitions may be invalid. */
export async function readSettings({ root, env }: Pick<Invocation, 'root' | 'env'>): Promise<Settings> {
  const { definitions } = await readProject(root());
  return overrideSettings(definitions.settings.value, readEnvironment(root(), env));
}

/**
 * Opens a database and closes it afterwards. If it may not be created, an empty database in memory replaces a missing
 * file.
 */
export async function withDatabase<T>(
  { root, url, isMaking }: { readonly root: string; readonly url: string; readonly isMaking: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { openDatabase } = await import('../database/open.ts');
  const usedUrl = isMaking || isDatabaseThere(url, root) ? url : 'sqlite::memory:';
  const database = await openDatabase({ url: usedUrl, root, log: silentLog, clock: systemClock, isMaking });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Reads from the project's database; from an empty one if it does not exist. */
export async function askDatabase<T>(invocation: Invocation, ask: (database: Database) => Promise<T>): Promise<T> {
  const { url } = (await readSettings(invocation)).database;
  return withDatabase({ root: invocation.root(), url, isMaking: false }, ask);
}
