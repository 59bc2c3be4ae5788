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
const WITHOUT_DATABASE = /^(core|docs|edit|model|outbound|package|plan|project|scaffold|structure|types)\//;
/**
 * Folders that test what builds SQL, or who reaches which rows. Documents, pages and the admin's editor of definitions ask
 * the database nothing else.
 */
const WITH_SQL = /^(database|query|queue|limit)\/|^feature\/(?!docs\/|www\/|admin\/(?!data\/|people\/))/;
/** What a suite of another folder says if a database may make a difference to it, with the reason. */
const ALSO = /^\/\/ Also on PostgreSQL: \S/m;

/** One process each: they start processes, limit or time the process itself, or take longest. */
const ALONE =
  /^package\/|^cli\/(worker\/|archive|code-cache|data|definition-save|deploy|dev|demo|import|life|log|migrate|rows|serve|types)|^e2e\/(client|docs|first-api|ticket-shop|metrics|oauth-clients|oauth-conformance|oauth-race|reload)|^security\/(fuzz|input|search)|^runtime\/(connections|reads|worker-metrics)/;

/** Folders with little to run, which share one process: what it loads takes as long as they do. */
const SMALL =
  /^(edit|limit|outbound|scaffold|testing)\/|^feature\/(history|mail|www)\/|^feature\/admin\/(go\/|people\/|[\w-]+\.test\.)/;

/** The rest shares one process per folder, because a start takes a second. */
function toBatch({ file, isInBrowser }) {
  // A walk takes as long as all other suites in the browser.
  if (file.startsWith('e2e/admin-walk-')) return file;
  // They share a Chromium and the packages around it.
  if (isInBrowser) return 'e2e in Chromium';
  if (ALONE.test(file)) return file;
  if (SMALL.test(file)) return 'small';
  const [top, name, room] = file.split('/');
  // Two halves, so that no process runs a whole long folder alone at the end.
  if (top === 'cli' || top === 'e2e') return `${top} ${name < (top === 'cli' ? 'f' : 'oauth-b') ? 'first' : 'second'}`;
  if (top === 'feature' && name === 'admin') return `${top}/${name}/${room}`;
  return top === 'feature' ? `${top}/${name}` : top;
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
 */
export function listBatches({ pattern, isPostgres, isData }) {
  const batches = new Map();
  for (const file of readdirSync(folder, { recursive: true }).map(String).sort()) {
    if (!file.endsWith('.test.ts') || file.startsWith('fixture') || !pattern.test(file)) continue;
    const text = readWithShared(join(folder, file));
    const suite = { file, text, isInBrowser: text.includes("from './_browser.ts'") };
    if (isPostgres && !isForPostgres(suite, isData)) continue;
    const batch = toBatch(suite);
    batches.set(batch, [...(batches.get(batch) ?? []), file]);
  }
  return batches;
}

/** True if suites of this batch need a Chromium. */
export const needsChromium = (batch) => batch === 'e2e in Chromium' || batch.startsWith('e2e/admin-walk-');
