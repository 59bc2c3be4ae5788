import { systemClock } from '../../core/clock.ts';
import { type Problem, ProblemsError, TreadleError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { Database, Dialect } from '../../database/database.ts';
import { findDatabaseFile, isDatabaseThere } from '../../database/file.ts';
import { type Table, toTables } from '../../database/table.ts';
import { readSettings } from '../database.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { Invocation } from '../spec.ts';

/** Folder of the uploaded files, from the project's root. */
export const UPLOADS = 'var/upload';

/** Said where rows came into a database that no server had noted its mode in. */
export const UNSERVED =
  'No server had served this database. Commands take it for production’s until "treadle dev" has served it.';

/** What the commands need to know of a project that move its rows as a whole. */
export interface ProjectData {
  readonly root: string;
  /** Name of the site. */
  readonly name: string;
  /** Address of its database. */
  readonly url: string;
  /** Tables of its model; undefined where its definitions are broken. */
  readonly tables: ((dialect: Dialect) => readonly Table[]) | undefined;
  /** What is broken. */
  readonly problems: readonly Problem[];
}

export async function readProjectData(invocation: Invocation): Promise<ProjectData> {
  const root = invocation.root();
  const { compileProject } = await import('../../boot.ts');
  const { plan, problems } = await compileProject(root, invocation.env);
  const settings = await readSettings(invocation);
  return {
    root,
    name: settings.name,
    url: settings.database.url,
    tables: plan && ((dialect) => toTables(plan.model, plan.tables, { dialect })),
    problems: problems.filter(({ severity }) => severity !== 'advice'),
  };
}

/** The tables of a project whose definitions must be whole. @throws PROJECT_DEFINITIONS_INVALID */
export function needTables({ tables, problems }: ProjectData): NonNullable<ProjectData['tables']> {
  if (tables === undefined) throw new ProblemsError([...problems]);
  return tables;
}

/** The project's database, which must be there: looking makes none. @throws ARCHIVE_SOURCE_MISSING */
export function openSource({ url, root }: ProjectData): Promise<Database> {
  if (isDatabaseThere(url, root)) return openAt(url, root);
  const file = findDatabaseFile(url, root) ?? url;
  throw new TreadleError('ARCHIVE_SOURCE_MISSING', `There is no database yet: ${file} is not there.`, {
    hint: 'Look at DATABASE_URL and at "database" in config/settings.json; treadle migrate makes an empty one.',
  });
}

/** A database to write into. A dry run makes no file: an empty one in memory says the same. */
export function openTarget(url: string, root: string, isDryRun: boolean): Promise<Database> {
  return openAt(isDryRun && !isDatabaseThere(url, root) ? 'sqlite::memory:' : url, root);
}

async function openAt(url: string, root: string): Promise<Database> {
  const { openDatabase } = await import('../../database/open.ts');
  return openDatabase({ url, root, log: silentLog, clock: systemClock });
}

/** A database's address without its password, to be shown. */
export function toShownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?#@:]*):[^@/?#]*@/i, '$1:***@').replace(/([?&]password=)[^&#]*/i, '$1***');
}

/** A line of progress that learns the whole when it is first told of a part. */
export function createRowProgress({ terminal }: Invocation, label: string) {
  const state: { bar: Progress | undefined; done: number } = { bar: undefined, done: 0 };
  return {
    tell({ total, done }: { readonly total: number; readonly done: number }): void {
      state.bar ??= createProgress(terminal, label, total === 0 ? undefined : total);
      const more = done - state.done;
      state.done = done;
      state.bar.advance(more);
      state.bar.count(more);
    },
    end: (): void => state.bar?.end(),
  };
}

export const toRows = (count: number): string => `${count.toLocaleString('en')} row${count === 1 ? '' : 's'}`;

/** Bytes as a person reads them: `12.3 MB`. */
export function toBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
