// Also on PostgreSQL: reads go to the pool.
import { request as httpRequest } from 'node:http';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Listener } from '../../src/core/bus/followers.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { ReadFigures } from '../../src/database/load/admission.ts';
import { KEYED, type ReadCost } from '../../src/database/load/read-cost.ts';
import { ask } from '../client.ts';
import { createFakeClock } from '../clock.ts';
import { DIALECT } from '../database/_where.ts';
import { createHarness, type Harness } from './_harness.ts';

const test = suite('http/reads');

/** Ends by itself only after minutes. */
const ENDLESS = {
  sqlite:
    'select count(*) as n from (with recursive c(n) as (select 1 union all select n + 1 from c where n < 10000000000) select n from c)',
  postgres: 'select pg_sleep(600)',
}[DIALECT];
const slow = CompiledQuery.raw(ENDLESS);
const quick = CompiledQuery.raw('select 1 as n');
/** Maximum seconds of a read. */
const LIMIT = DIALECT === 'sqlite' ? 5 : 0.5;
const COSTLY: ReadCost = { kind: '', guess: LIMIT * 600 };

/** A server with routes that read: `/slow` and `POST /slow` run forever, `/quick` reads one row. */
async function createCase() {
  // PostgreSQL's pool has limits by the clock, which must not be ahead of its server.
  const fake = createFakeClock();
  const clock = DIALECT === 'sqlite' ? fake : systemClock;
  const advance = (): void => {
    if (clock === fake) fake.advance(100);
  };
  const parts: { harness?: Harness; readSeconds: number } = { readSeconds: LIMIT };
  const read =
    (query: CompiledQuery, about?: ReadCost): Listener =>
    async (_request, response) => {
      const rows = await parts.harness?.database.run(query, [], about);
      response.setError(false).setResults({ rows });
    };
  const harness = await createHarness({
    clock,
    place: { file: 'var/app.db', readSeconds: () => parts.readSeconds },
    // The clock runs ahead of the sockets.
    handlerMs: 1e12,
    routes: {
      'GET /slow': { kind: 'api', listener: read(slow, COSTLY) },
      'POST /slow': { kind: 'api', listener: read(slow, COSTLY) },
      'GET /quick': { kind: 'api', listener: read(quick, KEYED) },
    },
  });
  parts.harness = harness;
  const reads = () => harness.database.reads as ReadFigures;
  /** Advances time until the reads reach a state; threads and sockets report themselves. */
  const until = async (test: () => boolean): Promise<void> => {
    for (const end = Date.now() + 20_000; !test() && Date.now() < end; ) {
      advance();
      await new Promise((done) => setImmediate(done));
    }
    assert.ok(test(), JSON.stringify(reads()));
  };
  return { harness, parts, advance, reads, until, url: harness.url };
}

/** A request that the test can abort. */
function start(url: string, method = 'GET') {
  const sent = httpRequest(url, { method, agent: false });
  sent.on('error', () => {});
  sent.end();
  return sent;
}

test('a read is cut off after limits.readSeconds with 503, and the next one is answered', async () => {
  const { harness, reads, until, url } = await createCase();
  const answer = ask(`${url}/slow`);
  await until(() => reads().cut === 1 && reads().running === 0);
  const { status, headers, text } = await answer;
  assert.equal([status, JSON.parse(text).error], [503, true]);
  assert.ok(Number(headers['retry-after']) >= 1);
  assert.not.match(text, /recursive|pg_sleep/);
  assert.is((await ask(`${url}/quick`)).status, 200);
  assert.equal(
    harness.lines
      .filter(({ level }) => level === 'error')
      .map(({ fields }) => (fields.error as { code?: string }).code),
    ['DATABASE_READ_LONG'],
  );
  await harness.remove();
});

test('the read of a client that leaves is ended at once; that of a request that may write goes on', async () => {
  const { harness, parts, advance, reads, until, url } = await createCase();
  parts.readSeconds = 1e9;
  const get = start(`${url}/slow`);
  await until(() => reads().running === 1);
  get.destroy();
  await until(() => reads().dropped === 1 && reads().running === 0);
  assert.is(reads().cut, 0);
  assert.equal(
    harness.lines.filter(({ level }) => level === 'error'),
    [],
  );
  const post = start(`${url}/slow`, 'POST');
  await until(() => reads().running === 1);
  post.destroy();
  for (let look = 0; look < 10; look += 1) advance();
  assert.equal([reads().running, reads().dropped], [1, 1]);
  parts.readSeconds = LIMIT;
  await until(() => reads().cut === 1 && reads().running === 0);
  await harness.remove();
});

test('too many costly reads are refused with 503 and Retry-After, while cheap ones are answered', async () => {
  const { harness, reads, until, url } = await createCase();
  const answers = Array.from({ length: 24 }, () => ask(`${url}/slow`));
  await Promise.race(answers);
  const quickly = await Promise.all(Array.from({ length: 5 }, () => ask(`${url}/quick`)));
  assert.equal(
    quickly.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.ok(reads().refused > 0);
  assert.ok(reads().running > 0 && reads().waiting > 0);
  await until(() => reads().running === 0 && reads().waiting === 0);
  for (const { status, headers } of await Promise.all(answers)) {
    assert.is(status, 503);
    assert.ok(Number(headers['retry-after']) >= 1);
  }
  const codes = harness.lines.map(({ level, event }) => `${level} ${event}`);
  assert.is(codes.filter((code) => code === 'warn reads are refused').length, 1, 'one line, not one for each');
  assert.is(codes.filter((code) => code === 'error request failed').length, reads().cut);
  await harness.remove();
});

test.run();
