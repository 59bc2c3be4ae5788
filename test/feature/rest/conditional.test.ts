import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bearer, results, startWorld, type World } from './_server.ts';

const test = suite('rest: conditional requests');
const at: { world?: World } = {};
const world = (): World => at.world as World;
test.before(async () => {
  at.world = await startWorld();
});
test.after(() => world().close());

const DETAIL = '/rest/public/note/detail';
const UPDATE = '/rest/public/note/update';

async function addNote(more: object = {}): Promise<number> {
  const made = await world().send('POST', '/rest/public/note/create', { note_title: 'A', profile_id: 1, ...more });
  assert.is(made.status, 201, made.text);
  return results(made).note_id as number;
}

test('H3: a detail has a strong tag, a search a weak one; each gives 304 while nothing changes, and not after', async () => {
  const id = await addNote();
  for (const [path, form] of [
    [`${DETAIL}/${id}`, /^"[\w-]{16}\.[\w-]+"$/],
    ['/rest/public/note/search', /^W\/"[\w-]+"$/],
    [`/rest/user/note/detail/${id}`, /^"[\w-]{16}\.[\w-]+"$/],
    ['/rest/user/note/search', /^W\/"[\w-]+"$/],
  ] as const) {
    const first = await world().ask(path, { headers: bearer });
    const etag = String(first.headers.etag);
    assert.match(etag, form, path);
    for (let round = 0; round < 3; round += 1) {
      const again = await world().ask(path, { headers: { ...bearer, 'if-none-match': etag } });
      assert.is(again.status, 304, path);
      assert.is(again.text, '');
      assert.is(again.headers.etag, etag);
      assert.is(again.headers['cache-control'], 'private, no-cache');
    }
    assert.is((await world().ask(path, { headers: { ...bearer, 'if-none-match': '"other"' } })).status, 200);
    await world().send('PATCH', `${UPDATE}/${id}`, { note_text: `changed for ${path}` });
    const after = await world().ask(path, { headers: { ...bearer, 'if-none-match': etag } });
    assert.is(after.status, 200, path);
    assert.is.not(after.headers.etag, etag);
  }
});

test('H3: 304 says of caching what the whole answer says, however short the way to it was', async () => {
  const names = ['cache-control', 'vary', 'deprecation', 'sunset'];
  const id = await addNote();
  for (const path of [`/rest/public/kept/${id}`, `/rest/user/note/detail/${id}`]) {
    const whole = await world().ask(path, { headers: bearer });
    for (let round = 0; round < 3; round += 1) {
      const again = await world().ask(path, { headers: { ...bearer, 'if-none-match': String(whole.headers.etag) } });
      assert.is(again.status, 304);
      for (const name of names) assert.equal(again.headers[name], whole.headers[name], `${path} ${name}`);
    }
  }
});

test('H3: 304 depends on query and user, not only on what is remembered', async () => {
  for (const profile_id of [1, 1, 2]) await addNote({ profile_id });
  const search = '/rest/user/note/search';
  const tags = new Map<string, string>();
  for (let round = 0; round < 3; round += 1) {
    for (const query of ['', '?limit=1', '?sort=-note_id']) {
      const known = tags.get(query);
      const answer = await world().ask(search + query, {
        headers: { ...bearer, ...(known === undefined ? {} : { 'if-none-match': known }) },
      });
      assert.is(answer.status, known === undefined ? 200 : 304);
      tags.set(query, String(answer.headers.etag));
    }
  }
  const [first = ''] = tags.values();
  assert.is((await world().ask(`${search}?limit=1`, { headers: { ...bearer, 'if-none-match': first } })).status, 200);
  assert.is((await world().ask(search, { headers: { 'if-none-match': first } })).status, 401);
});

/** RFC 9110 section 13.2.2 for a read and a write: headers with the row's ETag and another, and the status. */
const ORDER: [name: string, method: string, headers: (tag: string) => Record<string, string>, status: number][] = [
  ['a read without conditions', 'GET', () => ({}), 200],
  ['a read of what matches', 'GET', (tag) => ({ 'if-match': tag }), 200],
  ['a read of whatever is there', 'GET', () => ({ 'if-match': '*' }), 200],
  ['a read of what does not match', 'GET', () => ({ 'if-match': '"other"' }), 412],
  ['a read of a weak tag', 'GET', (tag) => ({ 'if-match': `W/${tag}` }), 412],
  ['a read of what the client has', 'GET', (tag) => ({ 'if-none-match': tag }), 304],
  ['a read of what the client has, weakly', 'GET', (tag) => ({ 'if-none-match': `W/${tag}` }), 304],
  ['a read of what the client has, among others', 'GET', (tag) => ({ 'if-none-match': `"x", W/"y,z", ${tag}` }), 304],
  ['a read by a client that has anything', 'GET', () => ({ 'if-none-match': '*' }), 304],
  ['a read by a client that has another', 'GET', () => ({ 'if-none-match': '"other"' }), 200],
  ['If-Match before If-None-Match', 'GET', (tag) => ({ 'if-match': '"other"', 'if-none-match': tag }), 412],
  ['both met', 'GET', (tag) => ({ 'if-match': tag, 'if-none-match': tag }), 304],
  ['a write without conditions', 'PATCH', () => ({}), 200],
  ['a write of what matches', 'PATCH', (tag) => ({ 'if-match': tag }), 200],
  ['a write of what matches, among others', 'PATCH', (tag) => ({ 'if-match': `"x", ${tag}` }), 200],
  ['a write of whatever is there', 'PATCH', () => ({ 'if-match': '*' }), 200],
  ['a write of what does not match', 'PATCH', () => ({ 'if-match': '"other"' }), 412],
  ['a write of an empty tag', 'PATCH', () => ({ 'if-match': '' }), 412],
  ['a write of a tag without quotes', 'PATCH', (tag) => ({ 'if-match': tag.replaceAll('"', '') }), 412],
  ['a write of a weak tag', 'PATCH', (tag) => ({ 'if-match': `W/${tag}` }), 412],
  ['a write where nothing may be', 'PATCH', () => ({ 'if-none-match': '*' }), 412],
  ['a write where this may not be', 'PATCH', (tag) => ({ 'if-none-match': tag }), 412],
  ['a write where another may not be', 'PATCH', () => ({ 'if-none-match': '"other"' }), 200],
  ['both on a write', 'PATCH', (tag) => ({ 'if-match': tag, 'if-none-match': tag }), 412],
  ['a removal of what does not match', 'DELETE', () => ({ 'if-match': '"other"' }), 412],
  ['a removal of what matches', 'DELETE', (tag) => ({ 'if-match': tag }), 200],
];
const PATHS: Record<string, string> = { GET: DETAIL, PATCH: UPDATE, DELETE: '/rest/public/note/remove' };

for (const [name, method, headers, status] of ORDER) {
  test(`H3, RFC 9110 13.2.2: ${name} is ${status}`, async () => {
    const id = await addNote();
    const tag = String((await world().ask(`${DETAIL}/${id}`)).headers.etag);
    const body = method === 'PATCH' ? { note_text: name } : undefined;
    const answer = await world().send(method, `${PATHS[method]}/${id}`, body, headers(tag));
    assert.is(answer.status, status, answer.text);
    const row = results(await world().ask(`${DETAIL}/${id}`));
    if (method === 'PATCH') assert.is(row.note_text, status === 200 ? name : null);
    if (status !== 412) return;
    assert.match(String(answer.headers.etag), /^"/);
    assert.is(JSON.parse(answer.text).status, 412);
  });
}

test('H3: a missing row is 404 under any condition; restore checks the version too', async () => {
  const id = await addNote();
  for (const [name, value] of [
    ['if-match', '"x"'],
    ['if-match', '*'],
    ['if-none-match', '*'],
  ] as const) {
    const answer = await world().send('PATCH', `${UPDATE}/99999`, { note_text: 'x' }, { [name]: value });
    assert.is(answer.status, 404);
  }
  await world().send('DELETE', `/rest/public/note/remove/${id}`);
  assert.is((await world().send('PATCH', `${UPDATE}/${id}`, { note_text: 'x' }, { 'if-match': '"x"' })).status, 404);
  const restore = `/rest/public/note/restore/${id}`;
  const refused = await world().send('POST', restore, undefined, { 'if-match': '"x"' });
  assert.is(refused.status, 412);
  assert.is((await world().send('POST', restore, undefined, { 'if-match': String(refused.headers.etag) })).status, 200);
});

test('H3: the tag of a write goes on: create, then update after update; a row of another user stays hidden', async () => {
  const made = await world().send('POST', '/rest/public/note/create', { note_title: 'chain', profile_id: 2 });
  const id = results(made).note_id;
  let tag = String(made.headers.etag);
  for (const text of ['one', 'two', 'three']) {
    const answer = await world().send('PATCH', `${UPDATE}/${id}`, { note_text: text }, { 'if-match': tag });
    assert.is(answer.status, 200, text);
    assert.is.not(answer.headers.etag, tag);
    tag = String(answer.headers.etag);
  }
  const detail = await world().ask(`${DETAIL}/${id}?fields=note_title`);
  assert.is(
    (await world().send('PATCH', `${UPDATE}/${id}`, { note_text: 'x' }, { 'if-match': String(detail.headers.etag) }))
      .status,
    200,
  );
  const foreign = await world().send(
    'PATCH',
    `/rest/user/note/update/${id}`,
    { note_text: 'x' },
    { ...bearer, 'if-match': '"x"' },
  );
  assert.is(foreign.status, 404);
  assert.is(foreign.headers.etag, undefined);
});

test('H3: what is renamed elsewhere changes the tag of the page, not the version of the row', async () => {
  const id = await addNote();
  const before = String((await world().ask(`${DETAIL}/${id}`)).headers.etag);
  await world().app.emit('system-model-update', { schema: 'profile', profile_id: 1, profile_name: `Una ${id}` });
  const after = await world().ask(`${DETAIL}/${id}`, { headers: { 'if-none-match': before } });
  assert.is(after.status, 200);
  assert.is.not(after.headers.etag, before);
  assert.is((await world().send('PATCH', `${UPDATE}/${id}`, { note_text: 'x' }, { 'if-match': before })).status, 200);
});

test('H3: "concurrency": "required" refuses a write without If-Match: 428', async () => {
  const id = await addNote();
  const path = `/rest/public/held/${id}`;
  const refused = await world().send('PATCH', path, { note_text: 'x' });
  assert.is(refused.status, 428);
  assert.match(JSON.parse(refused.text).detail, /If-Match/);
  assert.is((await world().send('PATCH', path, { note_text: 'x' }, { 'if-none-match': '"x"' })).status, 428);
  assert.is((await world().send('PATCH', path, { note_text: 'x' }, { 'if-match': '*' })).status, 200);
});

test('H3: of 50 writers with one tag, one changes the row', async () => {
  const id = await addNote();
  const tag = String((await world().ask(`${DETAIL}/${id}`)).headers.etag);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      world().send('PATCH', `${UPDATE}/${id}`, { note_text: `writer ${n}` }, { 'if-match': tag }),
    ),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.is(won.length, 1);
  assert.is(answers.filter(({ status }) => status === 412).length, 49);
  const row = await world().ask(`${DETAIL}/${id}`);
  assert.is(results(row).note_text, results(won[0] as (typeof answers)[0]).note_text);
  // The losers get the winner's version.
  const lost = answers.find(({ status }) => status === 412);
  assert.is(String(lost?.headers.etag).slice(1, 17), String(row.headers.etag).slice(1, 17));
});

test('H4, H12: a definition opens its answer to caches, and tells of its end', async () => {
  const { headers } = await world().ask(`/rest/public/kept/${await addNote()}`);
  assert.is(headers['cache-control'], 'public, max-age=60');
  assert.is(headers.deprecation, '@1769817600');
  assert.is(headers.sunset, 'Thu, 31 Dec 2026 00:00:00 GMT');
});

/** Roles of a site of its own: visitors read without the text, and may change open notes only. */
const RULES = {
  guest: {
    note: {
      search: true,
      detail: { read: ['*', '-text'] },
      update: { filter: { note_code: { ends: 'open' } }, write: ['title', 'text'] },
      remove: { filter: { note_code: { ends: 'open' } } },
    },
  },
  user: { note: { detail: { filter: { note_title: 'A' }, read: ['text'] } } },
};

test('H3: under roles the tag of what one may see changes what one may change, and a refusal tells no tag', async () => {
  const files = Object.fromEntries(
    Object.entries(RULES).map(([slug, data]) => [
      `config/role/${slug}.json`,
      { slug, name: slug, permissions: [], data },
    ]),
  );
  const own = await startWorld({ files });
  try {
    const add = async (note_title: string, note_code: string): Promise<number> => {
      const made = await own.app.emit('system-model-create', {
        schema: 'note',
        note_title,
        note_text: 'hidden',
        note_code: note_title + note_code,
        profile_id: 1,
      });
      return Number(made.getResults('note_id'));
    };
    const ids = { open: await add('A', 'open'), masked: await add('B', 'open'), closed: await add('A', 'closed') };
    const detail = (id: number) => own.ask(`${DETAIL}/${id}`);
    const change = (id: number, tag: string, text = 'new') =>
      own.send('PATCH', `${UPDATE}/${id}`, { note_text: text }, { 'if-match': tag });
    const first = await detail(ids.open);
    assert.not.ok('note_text' in results(first));
    const done = await change(ids.open, String(first.headers.etag));
    assert.is(done.status, 200, done.text);
    // The tag of an answer to a write, and that of a detail after it, go on in the same way.
    for (const tag of [String(done.headers.etag), String((await detail(ids.open)).headers.etag)])
      assert.is((await change(ids.open, tag, 'new')).status, 200, tag);
    // A user sees the text of some rows only, and changes each with what the own detail told.
    for (const [id, text] of [
      [ids.open, 'new'],
      [ids.masked, undefined],
    ] as const) {
      const seen = await own.ask(`/rest/user/note/detail/${id}`, { headers: bearer });
      assert.is(results(seen).note_text, text);
      const headers = { ...bearer, 'if-match': String(seen.headers.etag) };
      const changed = await own.send('PATCH', `/rest/user/note/update/${id}`, { note_text: 'u' }, headers);
      assert.is(changed.status, 200, changed.text);
    }
    assert.is((await change(ids.open, '"other"')).status, 412);
    for (const tag of [String((await detail(ids.closed)).headers.etag), '"other"', '*']) {
      const closed = [
        await change(ids.closed, tag),
        await own.send('DELETE', `/rest/public/note/remove/${ids.closed}`, undefined, { 'if-match': tag }),
      ];
      for (const answer of closed) assert.equal([answer.status, answer.headers.etag], [404, undefined], answer.text);
      // No rule lets anybody restore.
      const restore = `/rest/public/note/restore/${ids.open}`;
      const refused = await own.send('POST', restore, undefined, { 'if-match': tag });
      assert.equal([refused.status, refused.headers.etag], [403, undefined], refused.text);
    }
  } finally {
    await own.close();
  }
});

test.run();
