import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { listRuled } from '../../../src/model/role/role.ts';
import { ask, bearer } from '../../client.ts';
import { startWorld, type World } from '../../security/_world.ts';
import { writeRules } from './_site.ts';
import { startEmptyWorld } from './_world.ts';

/** Doors that the drawn requests do not take: batches, hand-written calls, hooks, commands, counts of what refers to a row. */
const test = suite('roles: doors');
const state = {} as { world: World; token: string };

const ROLES = {
  guest: { article: { search: { read: ['title'] }, detail: true } },
  user: {
    article: {
      search: { read: ['title'] },
      create: { write: ['title'] },
      update: { filter: { article_title: { starts: 'A' } }, write: ['title'] },
      remove: true,
      link: { filter: { article_title: 'Mine' } },
    },
    comment: { detail: { filter: { profile_id: '$me.profile_id' } }, create: true, search: true },
  },
  editor: { article: { update: { filter: { article_title: { starts: 'B' } }, write: ['*', '-title'] } } },
};

test.before(async () => {
  const world = await startWorld((project) => {
    writeRules(project, ROLES);
    const base = { access: 'user', own: false, parameters: { schema: 'article' } };
    const write = (name: string, call: Row): void =>
      project.write(`config/rest/${name}.json`, { title: name, ...base, ...call });
    write('batch', { method: 'post', path: '/user/batch', event: 'system-model-batch' });
    write('change', { method: 'put', path: '/user/change/:article_id', event: 'system-model-update' });
    project.write('config/scope/all.json', { slug: 'all', name: 'All', access: 'user', calls: ['batch', 'change'] });
    project.addController(
      'hand',
      `export default function hand(app) {
        app.rest({ access: 'public', method: 'get', path: '/public/hand' }, async (request, response) => {
          request.setStage('schema', 'article');
          await app.emit('system-model-search', request, response);
        });
      }\n`,
    );
  });
  const { app } = world.site;
  for (const title of ['A one', 'B two', 'Mine'])
    await app.emit('system-model-create', { schema: 'article', article_title: title, article_detail: 'secret text' });
  state.world = world;
  state.token = (await world.authorize(world.ann)).access;
});
test.after(() => state.world.close());

async function send(method: string, path: string, json?: unknown): Promise<{ status: number; json: Row }> {
  const answer = await ask(state.world.url + path, { method, json, headers: bearer(state.token) });
  return { status: answer.status, json: answer.json() };
}
const find = async (id: number): Promise<Row> => {
  const { kysely } = state.world.site.app.services.database;
  return (await kysely.selectFrom('article').selectAll().where('article_id', '=', id).executeTakeFirst()) as Row;
};

test('a batch keeps to the rules in each operation, and is undone as a whole', async () => {
  const create = { action: 'create', values: { article_title: 'New' } };
  const refused = await send('POST', '/rest/user/batch', {
    operations: [create, { action: 'update', id: 2, values: { article_detail: 'mine' } }],
  });
  assert.is(refused.status, 403);
  assert.match(String(refused.json.message), 'article_detail');
  assert.match(String((await find(2)).article_detail), 'secret text');
  const hidden = await send('POST', '/rest/user/batch', {
    operations: [create, { action: 'update', id: 3, values: { article_title: 'Other' } }],
  });
  assert.is(hidden.status, 404, 'a row outside the filter is not there');
  const done = await send('POST', '/rest/user/batch', {
    operations: [create, { action: 'update', id: 2, values: { article_title: 'A more' } }],
  });
  assert.is(done.status, 200);
  assert.is((await find(2)).article_title, 'A more');
});

test('null is a value: a column that may not be written is not emptied', async () => {
  const single = await send('PUT', '/rest/user/change/2', { article_detail: null });
  assert.is(single.status, 403, JSON.stringify(single.json));
  const operations = [{ action: 'update', id: 2, values: { article_detail: null } }];
  assert.is((await send('POST', '/rest/user/batch', { operations })).status, 403);
  assert.match(String((await find(2)).article_detail), 'secret text');
});

test('a hand-written call acts as its caller', async () => {
  const { json } = await send('GET', '/rest/public/hand');
  assert.is(json.error, false, JSON.stringify(json));
  const [row = {}] = (json.results as { rows: Row[] }).rows;
  assert.equal(Object.keys(row).includes('article_title'), true);
  assert.equal(Object.keys(row).includes('article_detail'), false);
});

test('one rule must allow the whole write: what two allow in part is refused', async () => {
  await state.world.site.as('eddy', ['editor']);
  const account = await state.world.site.app.emit('auth-detail', { auth_slug: 'eddy@example.org' });
  const as = Number(account.getResults('auth_id'));
  const change = (id: number, values: Row) =>
    state.world.site.app.emit('system-model-update', { schema: 'article', article_id: id, ...values }, { as });
  // Code sets these values, so that rows alone are asked.
  assert.is((await change(4, { article_title: 'C none' })).getStatus(), 404, 'the rules are for A and B');
  const inA = await change(2, { article_detail: 'by code' });
  assert.is(inA.isError(), false, inA.getMessage());
  assert.is((await change(2, { article_title: 'D away' })).getStatus(), 403, 'nobody moves a row out of the rules');
});

test('a comment of somebody else is not counted, shown or named where it may not be seen', async () => {
  const { app } = state.world.site;
  const made = await app.emit('system-model-create', { schema: 'comment', comment_detail: 'hidden', profile_id: 2 });
  const id = made.getResults('comment_id') as number;
  await app.emit('system-relation-link', { schema1: 'article', schema2: 'comment', article_id: 4, comment_id: id });
  const ann = { as: 1 };
  const article = await app.emit('system-model-detail', { schema: 'article', article_id: 4 }, ann);
  assert.equal(article.getResults('comment'), []);
  const found = await app.emit('system-model-search', { schema: 'article', filter: { comment: { null: 0 } } }, ann);
  assert.is(found.getResults('total'), 0);
  const pair = { schema1: 'article', schema2: 'comment', article_id: 4 };
  const linked = await app.emit('system-relation-link', { ...pair, comment_id: id }, ann);
  assert.is(linked.getStatus(), 404, 'not even that it is linked');
  const parted = await app.emit('system-relation-unlink-all', pair, ann);
  assert.equal([parted.getStatus(), parted.getResults('removed')], [200, 0]);
  const row = await app.services.database.kysely
    .selectFrom('comment')
    .select('article_id')
    .where('comment_id', '=', id)
    .executeTakeFirst();
  assert.is(row?.article_id, 4, 'the hidden comment stays where it is');
});

test('linking is asked even where a new row names what it is linked with', async () => {
  const { app } = state.world.site;
  const made = await app.emit('system-model-create', { schema: 'comment', comment_detail: 'own', profile_id: 1 });
  const stage = { schema: 'article', article_title: 'Other', comment_id: made.getResults('comment_id') as number };
  const refused = await app.emit('system-model-create', stage as never, { as: 1 });
  assert.is(refused.getStatus(), 403, refused.getMessage());
});

test('an import asks the rules for links, and leaves links with hidden rows', async () => {
  const { world } = await startEmptyWorld({
    user: {
      note: { import: true, link: { filter: { note_state: 'open' } }, detail: true },
      tag: { detail: { filter: { tag_level: 1 } } },
    },
  });
  const { app } = world.site;
  const { kysely } = app.services.database;
  try {
    for (const level of [1, 1, 2])
      await app.emit('system-model-create', { schema: 'tag', tag_word: 'w', tag_level: level });
    for (const state of ['open', 'done'])
      await app.emit('system-model-create', { schema: 'note', note_title: state, note_state: state, profile_id: 1 });
    for (const tag of [1, 3])
      await app.emit('system-relation-link', { schema1: 'note', schema2: 'tag', note_id: 1, tag_id: tag });
    const load = (row: Row) => app.emit('system-model-import', { schema: 'note', rows: [row] }, { as: 1 });
    const tags = async () => (await kysely.selectFrom('note_tag').selectAll().orderBy('tag_id').execute()) as Row[];
    assert.is((await load({ note_id: 1, tag: [3] })).getStatus(), 422, 'a hidden tag is not there');
    assert.is((await load({ note_id: 2, tag: [1] })).getStatus(), 422, 'the rule is for open notes');
    assert.is((await load({ title: 'New', state: 'done', profile_id: 1, tag: [1] })).getStatus(), 422);
    const done = await load({ note_id: 1, tag: [2] });
    assert.is(done.isError(), false, done.getMessage());
    assert.equal(
      (await tags()).map((row) => [row.note_id, row.tag_id]),
      [
        [1, 2],
        [1, 3],
      ],
    );
  } finally {
    await world.close();
  }
});

test('a call for own rows gives own rows only, whichever call of the same rule ran first', async () => {
  const open = { note: { search: { filter: { note_state: 'open' } }, detail: { filter: { note_state: 'open' } } } };
  const { world } = await startEmptyWorld({ user: open }, (project) => {
    const calls = ['all', 'own'].flatMap((kind) =>
      [
        { name: `${kind}-search`, path: `/user/${kind}/search`, event: 'system-model-search' },
        { name: `${kind}-detail`, path: `/user/${kind}/detail/:note_id`, event: 'system-model-detail' },
      ].map((call) => ({ ...call, own: kind === 'own' })),
    );
    for (const { name, ...call } of calls) {
      const more = { title: name, access: 'user', method: 'get', open: true, parameters: { schema: 'note' } };
      project.write(`config/rest/${name}.json`, { ...more, ...call, aggregate: ['group', 'sum', 'count'] });
    }
    const names = calls.map(({ name }) => name);
    project.edit<{ calls: string[] }>('config/scope/all.json', (scope) => void scope.calls.push(...names));
  });
  try {
    const { app } = world.site;
    const token = (await world.authorize(world.ann)).access;
    const add = async (profile_id: number, note_state: string): Promise<number> => {
      const stage = { schema: 'note', note_title: 'wool', note_state, note_rank: 1, profile_id };
      return Number((await app.emit('system-model-create', stage)).getResults('note_id'));
    };
    const mine = await add(1, 'open');
    const theirs = await add(2, 'open');
    await add(1, 'draft');
    const send = async (path: string) => ask(world.url + path, { headers: bearer(token) });
    const search = async (kind: string, query: string): Promise<unknown> => {
      const answer = await send(`/rest/user/${kind}/search?${query}`);
      assert.is(answer.status, 200, answer.text);
      return answer.json().results;
    };
    // Each query has statements of its own: rows, counts, groups and words.
    const queries = ['', 'q=wool', 'filter[note_rank]=1', 'expand=tag', 'sort=-note_title', 'limit=1'];
    const orders = [
      ['all', 'own'],
      ['own', 'all'],
    ] as const;
    for (const [index, query] of [...queries, ...queries.map((text) => `${text}&total=1000`)].entries())
      for (const kind of orders[index % 2] ?? []) {
        const { rows, total } = (await search(kind, query)) as { rows: Row[]; total: number };
        const wanted = kind === 'own' ? [mine] : [mine, theirs];
        const name = `${kind} ${query}`;
        if (!query.startsWith('limit')) assert.equal(rows.map(({ note_id }) => note_id).sort(), wanted, name);
        assert.is(total, wanted.length, name);
      }
    for (const kind of ['all', 'own']) {
      const { rows } = (await search(kind, 'group=note_state')) as { rows: Row[] };
      assert.equal(rows, [{ note_state: 'open', count: kind === 'own' ? 1 : 2 }], kind);
    }
    for (const [kind, id, status] of [
      ['all', theirs, 200],
      ['own', theirs, 404],
      ['own', mine, 200],
    ] as const)
      assert.is((await send(`/rest/user/${kind}/detail/${id}`)).status, status, `${kind} ${id}`);
  } finally {
    await world.close();
  }
});

test('start tells which schemas are ruled', () => {
  assert.equal(listRuled(state.world.site.app.plan.model).sort(), ['article', 'comment']);
});

test.run();
