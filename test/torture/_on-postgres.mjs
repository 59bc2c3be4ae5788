import process from 'node:process';
import { parseArgs } from 'node:util';
import { ask } from '../database/_server.mjs';

/** Options of a storm that runs on several databases. */
export const readOptions = () =>
  parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '20261121' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
    },
  }).values;

/** True if a server answers; else says that the storm is skipped there. */
async function isAnswering(storm, url) {
  try {
    await ask(url, 'select 1');
    return true;
  } catch (error) {
    process.stdout.write(`skipped: ${storm} on PostgreSQL (no server answers: ${error.code ?? error.message})\n`);
    return false;
  }
}

/** Runs a storm with the address of a schema of its own, which is dropped at the end. Skipped if no server answers. */
export async function onSchema(storm, server, run) {
  if (!(await isAnswering(storm, server))) return;
  const schema = `treadle_torture_${storm.replaceAll('-', '_')}_${process.pid}`;
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  try {
    await run(String(url));
  } finally {
    await ask(server, `drop schema if exists ${schema} cascade`);
  }
}

/** Runs a storm with the address and the name of a database of its own, which is dropped at the end. Skipped if no server answers. */
export async function onDatabase(storm, server, run) {
  if (!(await isAnswering(storm, server))) return;
  const database = `treadle_torture_${storm.replaceAll('-', '_')}_${process.pid}`;
  await ask(server, `create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  try {
    await run(String(url), database);
  } finally {
    await ask(server, `drop database ${database} with (force)`);
  }
}
