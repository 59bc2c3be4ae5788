import { isError, type Problem, ProblemsError, TreadleError } from '../../core/errors.ts';
import type { Database, Dialect } from '../../database/database.ts';
import { findDatabaseFile, isDatabaseThere } from '../../database/file.ts';
import { createTables, type Table } from '../../database/table.ts';
import { readSettings, withDatabase } from '../database.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { Invocation } from '../spec.ts';

/** Folder of the uploaded files, relative to the project's root. */
export const UPLOADS = 'var/upload';

/** Printed after rows were written into a database without a recorded mode. */
export const UNSERVED =
  'No server has used this database. Commands treat it as production until "treadle dev" has served it.';

/** The facts about a project for commands that move all its rows. */
export interface ProjectData {
  readonly root: string;
  /** Name of the site. */
  readonly name: string;
  /** URL of its database. */
  readonly url: string;
  /** Tables of its model; undefined if a definition is invalid. */
  readonly tables: ((dialect: Dialect) => readonly Table[]) | undefined;
  /** Errors in the definitions. */
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
    tables: plan && ((dialect) => createTables(plan.model, plan.tables, { dialect })),
    problems: problems.filter(isError),
  };
}

/** The tables of a project with valid definitions. @throws PROJECT_DEFINITIONS_INVALID */
export function needTables({ tables, problems }: ProjectData): NonNullable<ProjectData['tables']> {
  if (tables === undefined) throw new ProblemsError([...problems]);
  return tables;
}

type Work<T> = (database: Database) => Promise<T>;

/** Works with the project's database, but never creates it. @throws ARCHIVE_SOURCE_MISSING */
export async function withSource<T>({ url, root }: ProjectData, work: Work<T>): Promise<T> {
  if (isDatabaseThere(url, root)) return withDatabase({ root, url, isMaking: true }, work);
  const file = findDatabaseFile(url, root) ?? url;
  throw new TreadleError('ARCHIVE_SOURCE_MISSING', `There is no database yet: ${file} does not exist.`, {
    hint: 'Check DATABASE_URL and "database" in config/settings.json; treadle migrate creates an empty one.',
  });
}

/** Works with the target database. A dry run creates no file: an empty database in memory gives the same result. */
export function withTarget<T>(url: string, { root, isDryRun }: TargetOptions, work: Work<T>): Promise<T> {
  const usedUrl = isDryRun && !isDatabaseThere(url, root) ? 'sqlite::memory:' : url;
  return withDatabase({ root, url: usedUrl, isMaking: true }, work);
}

interface TargetOptions {
  readonly root: string;
  readonly isDryRun: boolean;
}

/** A database URL without its password, for display. */
export function toShownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?#@:]*):[^@/?#]*@/i, '$1:***@').replace(/([?&]password=)[^&#]*/i, '$1***');
}

/** A progress line that learns the total from the first report. */
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

/** Formats a size: `12.3 MB`. */
export function toBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
