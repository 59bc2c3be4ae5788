import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask as send } from '../../client.ts';
import { startWorld, type World } from '../../security/_world.ts';
import { writeRules } from './_site.ts';

/** What is remembered of an answer, and who is told what: a role's view is part of it. */
const test = suite('roles: remembered');
const state = {} as { world: World; tokens: Record<string, string> };

const ROLES = {
  guest: { article: { search: { filter: { article_title: { starts: 'A' } } } } },
  user: { article: { search: { filter: { article_title: { contains: '$me.profile_name' } } }, detail: true } },
  late: { thing: { search: { filter: { thing_day: { lte: '$now' } } } } },
};

test.before(async () => {
  const world = await startWorld((project) => {
    writeRules(project, ROLES);
    for (const schema of ['article', 'thing'])
      project.write(`config/rest/user-${schema}-all.json`, {
        title: 'All',
        access: 'user',
        method: 'get',
        path: `/user/all/${schema}`,
        event: 'system-model-search',
        parameters: { schema },
        own: false,
      });
    const scope = { slug: 'all', name: 'All', access: 'user', calls: ['user-article-all', 'user-thing-all'] };
    project.write('config/scope/all.json', scope);
    project.addController(
      'whole',
      `export default function whole(app) {
        app.get('/whole', async (request, response) => {
          request.setStage('schema', 'article');
          await app.asSystem(() => app.emit('system-model-search', request, response));
        });
        app.get('/mine', async (request, response) => {
          request.setStage('schema', 'article');
          await app.emit('system-model-search', request, response);
        });
        app.post('/closed', async (request, response) => {
          request.setStage('schema', 'article');
          await app.emit('system-model-create', request, response);
        });
      }\n`,
    );
  });
  const { app } = world.site;
  for (const title of ['A for Ann', 'B for Ben', 'A for Ben'])
    await app.emit('system-model-create', { schema: 'article', article_title: title, article_detail: 'x' });
  state.world = world;
  state.tokens = { ann: (await world.authorize(world.ann)).access, ben: (await world.authorize(world.ben)).access };
});
test.after(() => state.world.close());

async function ask(path: string, who: string | undefined, tag?: string) {
  const headers = {
    ...(who === undefined ? {} : { authorization: `Bearer ${state.tokens[who]}` }),
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  };
  const answer = await send(state.world.url + path, { headers });
  const results: { total: number; rows: { article_title: string }[] } | undefined = answer.json()?.results;
  return {
    status: answer.status,
    tag: answer.headers.etag ?? '',
    total: results?.total,
    titles: results?.rows.map((row) => row.article_title),
  };
}

test('of one address everybody gets their own rows, totals and 304s', async () => {
  const path = '/rest/user/all/article';
  const [ann, ben] = [await ask(path, 'ann'), await ask(path, 'ben')];
  assert.equal(ann.titles, ['A title', 'A for Ann', 'A for Ben'], 'those of guest, and those that name her');
  assert.equal(ben.titles, ['A title', 'A for Ann', 'B for Ben', 'A for Ben']);
  assert.equal([ann.total, ben.total], [3, 4]);
  assert.is((await ask(path, 'ann', ann.tag)).status, 304);
  assert.is((await ask(path, 'ann', ann.tag)).status, 304, 'from what is remembered');
  assert.is((await ask(path, 'ben', ann.tag)).status, 200);
  assert.is((await ask(path, 'ben', ben.tag)).status, 304);
});

test('a change of what the rule takes from the person changes the answer, although no article was written', async () => {
  const path = '/rest/user/all/article';
  const before = await ask(path, 'ann');
  await ask(path, 'ann', before.tag);
  assert.is((await ask(path, 'ann', before.tag)).status, 304);
  const { kysely } = state.world.site.app.services.database;
  const rename = (name: string) =>
    kysely.updateTable('profile').set({ profile_name: name }).where('profile_id', '=', 1).execute();
  await rename('B for');
  const after = await ask(path, 'ann', before.tag);
  assert.equal([after.status, after.total], [200, 4]);
  await rename('Ann');
});

test('a role that is taken away takes its rows away at the next request', async () => {
  const { kysely } = state.world.site.app.services.database;
  const give = (type: string) =>
    kysely.updateTable('treadle_auth').set({ auth_type: type }).where('auth_id', '=', 2).execute();
  const path = '/rest/user/all/thing';
  assert.is((await ask(path, 'ben')).status, 403);
  await give('late');
  assert.is((await ask(path, 'ben')).status, 200);
  await give('');
  assert.is((await ask(path, 'ben')).status, 403);
});

test('with the time in a rule neither a total nor a 304 is remembered', async () => {
  const { app } = state.world.site;
  const { kysely } = app.services.database;
  await kysely.updateTable('treadle_auth').set({ auth_type: 'late' }).where('auth_id', '=', 2).execute();
  const path = '/rest/user/all/thing';
  const first = await ask(path, 'ben');
  assert.is(first.total, 0);
  await ask(path, 'ben', first.tag);
  const database = app.services.database as unknown as { tableVersions?: () => unknown };
  const kept = database.tableVersions;
  let asked = 0;
  database.tableVersions = function count(this: unknown) {
    asked += 1;
    return kept?.call(this);
  };
  try {
    const again = await ask(path, 'ben', first.tag);
    // The bytes are the same, so the answer is 304; it was made in full.
    assert.equal([again.status, asked], [304, 0]);
    await ask('/rest/user/all/article', 'ann', first.tag);
    assert.is(asked > 0, true);
  } finally {
    database.tableVersions = kept as never;
  }
});

test('a page acts as its visitor, asSystem acts for all, and a refused page is logged', async () => {
  const accept = { accept: 'application/json' };
  const read = async (path: string): Promise<number> =>
    (await send(state.world.url + path, { headers: accept })).json().results.total;
  assert.equal([await read('/mine'), await read('/whole')], [3, 4]);
  const closed = await send(`${state.world.url}/closed`, { method: 'POST', headers: accept });
  assert.is(closed.status, 403);
  assert.ok(state.world.log.some((line) => line.includes('refused-by-roles') && line.includes('"create"')));
});

test.run();
