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
  for (const query of [
    '',
    '?sort=-thing_at',
    '?filter[thing_kind]=k7&sort=-thing_rank',
    '?filter[thing_rank][gte]=500000',
  ]) {
    const [rest, list] = [[], []];
    let bytes = 0;
    for (let round = 0; round < ROUNDS + 10; round += 1) {
      const one = await take(site.browser(), `/rest/public/thing/search${query}`);
      const other = await take(admin, `/admin/system/model/thing/search${query}`);
      if (round < 10) continue;
      rest.push(one.milliseconds);
      list.push(other.milliseconds);
      bytes = other.bytes;
    }
    const ratio = median(list.map((time, index) => time / rest[index]));
    const show = (times) => `${median(times).toFixed(2).padStart(7)} ms`;
    out(
      `${(query || 'all').padEnd(44)} REST ${show(rest)}  list ${show(list)}  ratio ${ratio.toFixed(2)}  ${bytes} characters`,
    );
  }
} finally {
  await site.close();
}
