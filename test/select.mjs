// Which suites a run takes, and which of them share a process. A new suite needs no entry here, unless it must run alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** A suite's text, and those of the files of its folder that it imports and that several suites share. */
function readWithShared(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const shared = [...text.matchAll(/from '\.\/(_[\w-]+\.ts)'/g)].map(([, name]) => join(dirname(file), name));
  return [text, ...shared.map((name) => readWithShared(name, seen))].join('\n');
}

/** Folders without a database: their suites give the same result on every one. */
const WITHOUT_DATABASE =
  /^(access|bench|core|docs|edit|model|outbound|package|plan|project|scaffold|structure|types)\//;
/**
 * Folders that test what builds SQL, or who reaches which rows. Documents, pages and the admin's editor of definitions ask
 * the database nothing else.
 */
const WITH_SQL =
  /^(database|store|queue|limit)\/|^feature\/(?!docs\/|www\/|admin-definition\/|admin-operation\/(?!people\.))/;
/** What a suite of another folder says if a database may make a difference to it, with the reason. */
const ALSO = /^\/\/ Also on PostgreSQL: \S/m;

/** One process each: they limit or time the process itself, install packages, or load what changes it. */
const ALONE = /^package\/|^cli\/worker\/|^e2e\/(docs|metrics|reload)|^runtime\/(connections|reads|worker-metrics)/;

/** Suites of commands that start processes: while they wait, other batches have the processor. */
const PROCESSES = /^cli\/(code-cache|definition-save|deploy|dev|demo|import|life|log|serve)\./;

/** Commands with much data, which take longest. */
const MUCH_DATA = /^cli\/(archive|data|migrate|rows|types)\./;

/** Folders of one process: what several load, and what V8 compiles for them, takes as long as their suites do. */
const SHARED = new Map(
  Object.entries({
    core: ['access', 'core', 'model', 'plan'],
    data: [
      'bench',
      'database',
      'edit',
      'limit',
      'outbound',
      'project',
      'queue',
      'app',
      'check',
      'http',
      'pages',
      'scaffold',
      'store',
      'testing',
    ],
    docs: ['docs', 'structure', 'types'],
  }).flatMap(([batch, folders]) => folders.map((name) => [name, batch])),
);

/** Parts of long folders, so that no process runs a whole one alone at the end: the names at which another part begins. */
const PARTS = { cli: ['f'], e2e: ['oauth-b'], feature: ['oauth', 'role'] };
const ORDINALS = ['first', 'second', 'third'];

/** The rest shares processes: a start, and the first seconds in which V8 compiles, cost two seconds. */
function toBatch({ file, isInBrowser }) {
  // A walk takes as long as all other suites in the browser.
  if (file.startsWith('e2e/admin-walk-')) return file;
  // They share a Chromium and the packages around it.
  if (isInBrowser) return 'e2e in Chromium';
  if (ALONE.test(file)) return file;
  if (PROCESSES.test(file)) return 'cli processes';
  if (MUCH_DATA.test(file)) return 'cli data';
  const [top, name] = file.split('/');
  const begins = PARTS[top];
  if (begins !== undefined) return `${top} ${ORDINALS[begins.filter((begin) => name >= begin).length]}`;
  return SHARED.get(top) ?? top;
}

/** Whether a run on PostgreSQL takes a suite. */
function isForPostgres({ file, text, isInBrowser }, isData) {
  if (ALSO.test(text)) return true;
  if (isInBrowser) return false;
  return isData ? WITH_SQL.test(file) : !WITHOUT_DATABASE.test(file);
}

/**
 * The suites of a run by the process that they share.
 *
 * @param pattern Suites to take.
 * @param isPostgres True on PostgreSQL.
 * @param isData True for `--data`: only suites to which the database makes a difference.
 * @param isBrowser True for `--browser`: only suites that need Chromium.
 */
export function listBatches({ pattern, isPostgres, isData, isBrowser }) {
  const batches = new Map();
  for (const file of readdirSync(folder, { recursive: true }).map(String).sort()) {
    if (!file.endsWith('.test.ts') || file.startsWith('fixture') || !pattern.test(file)) continue;
    const text = readWithShared(join(folder, file));
    const suite = { file, text, isInBrowser: text.includes("from './_browser.ts'") };
    if (isPostgres && !isForPostgres(suite, isData)) continue;
    if (isBrowser && !suite.isInBrowser) continue;
    const batch = toBatch(suite);
    batches.set(batch, [...(batches.get(batch) ?? []), file]);
  }
  return batches;
}

/** True if suites of this batch need a Chromium. */
export const needsChromium = (batch) => batch === 'e2e in Chromium' || batch.startsWith('e2e/admin-walk-');
