// Another process renames a column while `treadle start` serves with the old definitions: each request that needs the
// column is answered with 503 and Retry-After, never with 500, readiness is 503, and the log has the remedy once. A
// process with the new definitions serves. On SQLite, and on PostgreSQL if a cluster can be created.
// Usage: node --import tsx test/torture/restructure.mjs [--short]
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Cluster, missingReason } from './_cluster.mjs';
import { createAgent, readNotes, StartSite, send, summarize, writeNote, writeSite } from './_start-site.mjs';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' } },
});
const CLIENTS = 8;
const LONG = values.short ? 1500 : 5000;

async function put(url) {
  const agent = createAgent(CLIENTS);
  const answers = [];
  const until = performance.now() + LONG;
  const go = async (_, index) => {
    while (performance.now() < until) {
      answers.push(await (index % 2 ? writeNote(url, `old ${answers.length}`, { agent }) : readNotes(url, { agent })));
      await pause(10);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, go));
  agent.destroy();
  return answers;
}

async function storm(name, databaseUrl) {
  const site = await StartSite.make();
  try {
    const env = { DATABASE_URL: databaseUrl ?? `sqlite:${join(site.root, 'var/app.db')}` };
    await site.migrate(env);
    const old = await site.start({ env });
    assert.equal((await writeNote(old.url, 'before')).status, 201);
    const next = join(site.folder, 'next');
    writeSite(next, {}, (schema) => {
      Object.assign(schema.fields[0], { name: 'body', was: 'detail' });
      return schema;
    });
    await site.migrate(env, next);
    const answers = await put(old.url);
    const { counts } = summarize(answers);
    process.stdout.write(`restructure ${name}: the old process answered ${JSON.stringify(counts)}\n`);
    assert.deepEqual(Object.keys(counts), ['503']);
    assert.ok(answers.every(({ headers }) => headers['retry-after'] !== undefined));
    assert.equal((await send(`${old.url}/health/ready`)).status, 503);
    assert.equal(old.log.split('"event":"database-structure"').length - 1, 1, 'the remedy is logged once');
    const fresh = await site.start({ env, cwd: next });
    assert.equal((await readNotes(fresh.url)).status, 200);
    assert.equal((await send(`${fresh.url}/health/ready`)).status, 200);
    await Promise.all([old.end(), fresh.end()]);
  } finally {
    await site.close();
  }
}

async function stormPostgres() {
  if (missingReason !== undefined) {
    process.stdout.write(`skipped: restructure on PostgreSQL (${missingReason})\n`);
    return;
  }
  const cluster = await Cluster.makeTemporary();
  try {
    await storm('postgres', cluster.site);
  } finally {
    await cluster.remove();
  }
}

async function run() {
  await storm('sqlite');
  await stormPostgres();
}

await run().catch((error) => {
  process.stdout.write(`restructure: ${error.stack}\n`);
  process.exitCode = 1;
});
