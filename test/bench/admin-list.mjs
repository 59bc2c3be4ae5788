// Compares a page of the admin section's list with the same REST search, in pairs: the list may take twice the time.
// Usage: node --import tsx test/bench/admin-list.mjs [--rows 1000000] [--rounds 30]
// Prints medians of the server's processor time and of the time that the client waits, for each request.
import { fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { boot } from '../boot.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '30' } },
});
const ROWS = Number(values.rows);
const ROUNDS = Number(values.rounds);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const out = (text) => process.stdout.write(`${text}\n`);

const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  display: '{{thing_name}}',
  fields: [
    { name: 'name', type: 'text', filterable: true, sortable: true },
    { name: 'kind', type: 'text', filterable: true },
    { name: 'rank', type: 'number', filterable: true, sortable: true },
    { name: 'at', type: 'datetime', filterable: true, sortable: true },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
  ],
};
const CALL = {
  title: 'Search things',
  access: 'public',
  method: 'get',
  path: '/public/thing/search',
  event: 'system-model-search',
  parameters: { schema: 'thing' },
};

const fill = ({ kysely }) =>
  sql`insert into thing (thing_name, thing_kind, thing_rank, thing_at, thing_active, thing_created)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < ${ROWS})
    select 'Thing ' || n, 'k' || (n % 50), (n * 7919) % 1000003,
      datetime(1500000000 + ((n * 7919) % 1000003) * 200, 'unixepoch'), 1, '2026-01-01 00:00:00' from c`.execute(
    kysely,
  );

/** Requests of a round for each side. */
const EACH = 10;
const WARM = 20;

/** Each request asks something else, because a call keeps its answers and would not search again. */
const QUERIES = {
  all: (number) => `?offset=${number * 5}`,
  'newest first': (number) => `?sort=-thing_at&offset=${number * 5}`,
  'one of 50, sorted': (number) => `?filter[thing_kind]=k${number % 50}&sort=-thing_rank&offset=${number % 900}`,
  'half of the rows': (number) => `?filter[thing_rank][gte]=${500000 + number}`,
};

const site = await boot({
  template: 'blog',
  files: { 'config/schema/thing.json': THING, 'config/rest/public-thing-search.json': CALL },
});
const asker = fork(fileURLToPath(new URL('asker.mjs', import.meta.url)), { execArgv: [] });

/** Milliseconds of processor time, of all threads, and of waiting. */
async function take(paths, headers) {
  const begun = process.cpuUsage();
  asker.send({ url: site.url, paths, headers });
  const { milliseconds, bytes } = await new Promise((done, fail) => {
    asker.once('message', done);
    asker.once('exit', (code) => fail(new Error(`The client ended with ${code}.`)));
  });
  const { user, system } = process.cpuUsage(begun);
  asker.removeAllListeners('exit');
  return { cpu: (user + system) / 1000 / paths.length, wait: median(milliseconds), bytes };
}

try {
  const { database } = site.app.services;
  await database.restructure(() => fill(database));
  const admin = await site.as('Ada', ['admin']);
  for (const [name, toQuery] of Object.entries(QUERIES)) {
    const seen = { rest: [], list: [] };
    for (let round = 0; round < ROUNDS + WARM; round += 1) {
      const queries = Array.from({ length: EACH }, (_, index) => toQuery(round * EACH + index));
      const asks = [
        async () =>
          seen.rest.push(
            await take(
              queries.map((query) => `/rest/public/thing/search${query}`),
              {},
            ),
          ),
        async () => {
          const paths = queries.map((query) => `/admin/system/model/thing/search${query}`);
          seen.list.push(await take(paths, { cookie: admin.cookie() }));
        },
      ];
      // Each of the two is first in every other round, and finds less in the caches of the database then.
      for (const ask of round % 2 === 0 ? asks : asks.reverse()) await ask();
    }
    const [rest, list] = [seen.rest.slice(WARM), seen.list.slice(WARM)];
    const show = (side, what) =>
      `${median(side.map((taken) => taken[what]))
        .toFixed(2)
        .padStart(7)} ms`;
    const ratio = (what) => median(list.map((taken, index) => taken[what] / rest[index][what])).toFixed(2);
    const compare = (what) => `REST ${show(rest, what)}  list ${show(list, what)}  ratio ${ratio(what)}`;
    out(`${name.padEnd(18)} processor: ${compare('cpu')}   wait: ${compare('wait')}   ${list.at(-1).bytes} bytes`);
  }
} finally {
  asker.disconnect();
  await site.close();
}
