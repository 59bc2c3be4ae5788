import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { ProblemsError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { Database } from '../../database/database.ts';
import type { Table } from '../../database/table.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import { compilePlan } from '../application.ts';
import type { Invocation } from '../spec.ts';

/** File of a SQLite URL, absolute; undefined for one in memory and for another database. */
function findFile(root: string, url: string): string | undefined {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  return path === undefined || path === ':memory:' ? undefined : resolve(root, path);
}

/** Whether a URL names a file that is there, or what is no file. */
export function isThere(root: string, url: string): boolean {
  const file = findFile(root, url);
  return file === undefined ? url !== 'sqlite::memory:' : existsSync(file);
}

/** Opens the project's database and closes it after. Where nothing is to be made, an empty one stands for what is missing. */
export async function withDatabase<T>(
  { root, url, isMaking }: { readonly root: string; readonly url: string; readonly isMaking: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { openDatabase } = await import('../../database/open.ts');
  const asked = isMaking || isThere(root, url) ? url : 'sqlite::memory:';
  const database = await openDatabase({ url: asked, root, log: silentLog, clock: systemClock, isMaking });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The tables that the definitions ask of a database. */
export async function listDesired(plan: CompiledPlan, { dialect }: Database): Promise<Table[]> {
  const { toTables } = await import('../../database/table.ts');
  return toTables(plan.model, plan.tables, { dialect });
}

/** The plan of the definitions; undefined where one is broken. */
export async function findPlan(invocation: Invocation): Promise<CompiledPlan | undefined> {
  try {
    return await compilePlan(invocation);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
