// Compares a page of the admin section's list with the same REST search (same columns, rows, sort and total), in one round:
// by a token of the same person, the rights of both being read for each request; and by a public call, which reads none.
// Usage: node --import tsx test/bench/admin-list.mjs [--rows 1000000] [--rounds 30]
// Prints medians of the server's processor time and of the time that the client waits, for each request, and the ratios
// of the list to the other two. The list may take twice the time of the call with the token.
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
const toCall = (access) => ({
  title: 'Search things',
  access,
  method: 'get',
  path: `/${access}/thing/search`,
  event: 'system-model-search',
  parameters: { schema: 'thing' },
  ...(access === 'user' ? { own: false } : {}),
});
const SCOPE = { slug: 'thing_read', name: 'Read things', access: 'user', calls: ['user-thing-search'] };

const fill = ({ kysely }) =>
  sql`insert into thing (thing_name, thing_kind, thing_rank, thing_at, thing_active, thing_created)
    with recursive c(n) as (select 1 union all select n + 1 from c where n < ${ROWS})
    select 'Thing ' || n, 'k' || (n % 50), (n * 7919) % 1000003,
      datetime(1500000000 + ((n * 7919) % 1000003) * 200, 'unixepoch'), 1, '2026-01-01 00:00:00' from c`.execute(
    kysely,
  );

/** Requests of a round for each side. */
const EACH = 10;
const WARM = 60;

/** Each request asks something else, because a call keeps its answers and would not search again. */
const QUERIES = {
  all: (number) => `?offset=${number * 5}`,
  'newest first': (number) => `?sort=-thing_at&offset=${number * 5}`,
  'one of 50, sorted': (number) => `?filter[thing_kind]=k${number % 50}&sort=-thing_rank&offset=${number % 900}`,
  'half of the rows': (number) => `?filter[thing_rank][gte]=${500000 + number}`,
};

const site = await boot({
  template: 'blog',
  settings: { limits: { perMinute: 1_000_000 } },
  files: {
    'config/schema/thing.json': THING,
    'config/rest/public-thing-search.json': toCall('public'),
    'config/rest/user-thing-search.json': toCall('user'),
    'config/scope/thing_read.json': SCOPE,
  },
  async change(project) {
    await project.cli('api', 'populate');
    await project.cli(
      'app',
      'create',
      'reader',
      '--title',
      'Reader',
      '--redirect-uri',
      'http://127.0.0.1:4999/cb',
      '--scope',
      'thing_read',
    );
  },
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
  const [account] = await site.rows('treadle_auth');
  const token = await site.token({ profile: Number(account.profile_id), scopes: ['thing_read'] });
  const SIDES = {
    public: { path: '/rest/public/thing/search', headers: {} },
    token: { path: '/rest/user/thing/search', headers: { authorization: `Bearer ${token}` } },
    list: { path: '/admin/system/model/thing/search', headers: { cookie: admin.cookie() } },
  };
  const names = Object.keys(SIDES);
  for (const [title, toQuery] of Object.entries(QUERIES)) {
    const seen = { public: [], token: [], list: [] };
    for (let round = 0; round < ROUNDS + WARM; round += 1) {
      const queries = Array.from({ length: EACH }, (_, index) => toQuery(round * EACH + index));
      // The first finds less in the caches of the database, so each is first in every third round.
      for (const [index] of names.entries()) {
        const name = names[(index + round) % names.length];
        const { path, headers } = SIDES[name];
        const paths = queries.map((query) => `${path}${query}`);
        seen[name].push(await take(paths, headers));
      }
    }
    for (const name of names) seen[name].splice(0, WARM);
    const middle = (name, what) => median(seen[name].map((taken) => taken[what])).toFixed(2);
    const ratio = (name, what) =>
      median(seen.list.map((taken, index) => taken[what] / seen[name][index][what])).toFixed(2);
    for (const [what, words] of [
      ['cpu', 'processor'],
      ['wait', 'wait'],
    ])
      out(
        `${title.padEnd(18)} ${words.padEnd(9)} ms: public ${middle('public', what)}, token ${middle('token', what)}, list ${middle('list', what)}; ` +
          `list to public ${ratio('public', what)}, list to token ${ratio('token', what)}`,
      );
  }
} finally {
  asker.disconnect();
  await site.close();
}
