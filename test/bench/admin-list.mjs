// Compares a page of the admin section's list with the same REST search, in pairs: the list may take twice the time.
// Usage: node --import tsx test/bench/admin-list.mjs [--rows 1000000] [--rounds 60]
import process from 'node:process';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { boot } from '../boot.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '60' } },
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

const WARM = 10;

/** Each round asks something else, because a call keeps its answers and would not search again. */
const QUERIES = {
  all: (round) => `?offset=${round * 50}`,
  'newest first': (round) => `?sort=-thing_at&offset=${round * 50}`,
  'one of 50, sorted': (round) => `?filter[thing_kind]=k${round % 50}&sort=-thing_rank&offset=${round}`,
  'half of the rows': (round) => `?filter[thing_rank][gte]=${500000 + round}`,
};

async function take(client, path) {
  const begun = performance.now();
  const { status, text } = await client.get(path);
  const milliseconds = performance.now() - begun;
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return { milliseconds, bytes: text.length };
}

const site = await boot({
  template: 'blog',
  files: { 'config/schema/thing.json': THING, 'config/rest/public-thing-search.json': CALL },
});
try {
  const { database } = site.app.services;
  await database.restructure(() => fill(database));
  const admin = await site.as('Ada', ['admin']);
  for (const [name, toQuery] of Object.entries(QUERIES)) {
    const [rest, list] = [[], []];
    let bytes = 0;
    for (let round = 0; round < ROUNDS + WARM; round += 1) {
      const query = toQuery(round);
      const asks = [
        async () => rest.push((await take(site.browser(), `/rest/public/thing/search${query}`)).milliseconds),
        async () => {
          const taken = await take(admin, `/admin/system/model/thing/search${query}`);
          list.push(taken.milliseconds);
          bytes = taken.bytes;
        },
      ];
      // Each of the two is first in every other round, and finds less in the caches of the database then.
      for (const ask of round % 2 === 0 ? asks : asks.reverse()) await ask();
    }
    const ratio = median(list.slice(WARM).map((time, index) => time / rest[index + WARM]));
    const show = (times) => `${median(times.slice(WARM)).toFixed(2).padStart(7)} ms`;
    out(`${name.padEnd(20)} REST ${show(rest)}  list ${show(list)}  ratio ${ratio.toFixed(2)}  ${bytes} characters`);
  }
} finally {
  await site.close();
}
