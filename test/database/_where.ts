import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { type OpenOptions, openDatabase } from '../../src/database/open.ts';

/** Where a test keeps its data. */
export interface Place {
  readonly url: string;
  readonly dialect: 'sqlite' | 'postgres';
  /** Removes its data on the database server; a file is removed with its folder. */
  remove(): Promise<void>;
}

/** The server that `npm run test:pg` found or started; undefined in `npm test`, which runs on SQLite. */
export const SERVER: string | undefined = process.env.TREADLE_TEST_POSTGRES;
export const DIALECT = SERVER === undefined ? 'sqlite' : 'postgres';
/** One process in memory with one session: tests that need two at once are left out. */
const isAlone = process.env.TREADLE_TEST_POSTGRES_KIND === 'pglite';
/** A common prefix of the schemas of a run, so that the runner finds leftovers. */
const RUN = process.env.TREADLE_TEST_RUN ?? 'single';

function toUrl(server: string, schema: string): string {
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  return String(url);
}

/** The URL of a place that is created when first opened: SQLite in memory (or in `file`), or a schema on PostgreSQL. */
export function placeUrl(file?: string): string {
  if (SERVER === undefined) return file === undefined ? 'sqlite::memory:' : `sqlite:${file}`;
  return toUrl(SERVER, `treadle_test_${RUN}_${randomBytes(6).toString('hex')}`);
}

/**
 * A new, empty place: SQLite in memory (or in `file`, relative to the project's root), or a new schema on PostgreSQL.
 */
export async function placeDatabase(file?: string): Promise<Place> {
  const url = placeUrl(file);
  if (SERVER === undefined) return { url, dialect: 'sqlite', async remove() {} };
  const schema = new URL(url).searchParams.get('schema');
  await onServer(`create schema "${schema}"`);
  return { url, dialect: 'postgres', remove: () => onServer(`drop schema "${schema}" cascade`) };
}

/** Removes the schema of a URL of {@link placeUrl}, if it was created. */
export async function removePlace(url: string): Promise<void> {
  if (SERVER !== undefined)
    await onServer(`drop schema if exists "${new URL(url).searchParams.get('schema')}" cascade`);
}

/** Runs a statement on the test's server, on a separate connection. */
export async function onServer(text: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: SERVER, options: '-c client_min_messages=error' });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

export interface PlacedOptions extends Partial<Omit<OpenOptions, 'url'>> {
  /** SQLite file, relative to `root`; default: in memory. */
  readonly file?: string;
  readonly clock?: Clock;
}

/** Opens a new place, which is removed when the database closes. */
export async function openPlaced({ file, ...options }: PlacedOptions = {}): Promise<Database> {
  const url = placeUrl(file);
  const database = await openDatabase({ root: '/', log: silentLog, clock: systemClock, ...options, url });
  if (SERVER === undefined) return database;
  const close = database.close.bind(database);
  return Object.assign(database, {
    async close() {
      await close();
      await removePlace(url);
    },
  });
}

type Add = (title: string, run: () => Promise<void> | void) => void;

/**
 * Adds a test where it can run, and reports it as skipped elsewhere. `server` is a PostgreSQL server with
 * several concurrent connections.
 */
export function only(where: 'sqlite' | 'postgres' | 'server', suite: string, add: Add): Add {
  const isHere = where === 'server' ? DIALECT === 'postgres' && !isAlone : where === DIALECT;
  if (isHere) return add;
  const needs = { sqlite: 'SQLite', postgres: 'PostgreSQL', server: 'a PostgreSQL server' }[where];
  const state = { isTold: false };
  return (title) => {
    if (DIALECT === 'postgres') process.stdout.write(`skipped: ${suite}: ${title} (needs ${needs})\n`);
    else if (!state.isTold) process.stdout.write(`skipped: ${suite} (needs ${needs}: npm run test:pg)\n`);
    state.isTold = true;
  };
}

/** As {@link only}, for a test that PGlite cannot run. */
export function unlessAlone(suite: string, add: Add): Add {
  return isAlone ? only('server', suite, add) : add;
}
