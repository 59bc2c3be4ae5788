// The blog of the bench on PostgreSQL: its rows are moved there, and the same calls run with one and with two workers.
import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

async function ask(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** @returns what `measure` gives, or undefined if no server answers. */
export async function measurePostgres({ treadle, project, url, out }, measure) {
  const isThere =
    url !== '' &&
    (await ask(url, 'select 1').then(
      () => true,
      () => false,
    ));
  if (!isThere) {
    out('PostgreSQL: skipped, no server answers. Name one: --postgres postgres://user@host/name');
    return undefined;
  }
  const database = `treadle_bench_${process.pid}`;
  await ask(url, `create database ${database}`);
  try {
    const target = new URL(url);
    target.pathname = `/${database}`;
    await run(process.execPath, [treadle, 'move', '--to', String(target), '--yes', '--cwd', project]);
    return await measure({ DATABASE_URL: String(target) });
  } finally {
    await ask(url, `drop database ${database} with (force)`);
  }
}
