import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Json, type JsonAnswer, type Orders, SECRET, startOrders } from './_orders.ts';

const test = suite('rest: the batch of an access');
const at = {} as { site: Orders; una: string; vic: string };
test.before(async () => {
  at.site = await startOrders();
  at.una = await at.site.token();
  at.vic = await at.site.token({ profile: at.site.vic });
});
test.after(() => at.site.close());

const BATCH = '/rest/user/batch';
const send = (json: unknown, headers: Record<string, string> = {}, token = at.una): Promise<JsonAnswer> =>
  at.site.send('POST', BATCH, { token, json, headers });

/** Rows, history and hooks: what a refused request must not have written. */
async function countAll(): Promise<Record<string, number>> {
  const tables = ['order', 'line', 'seat', 'part', 'tag', 'treadle_history', 'treadle_event', 'treadle_idempotency'];
  await at.site.echoes();
  const counts = await Promise.all(tables.map(async (table) => [table, await at.site.count(table)] as const));
  return Object.fromEntries(counts);
}

const order = (title = 'An order', more: object = {}) => ({
  call: 'user-order-create',
  body: { order_title: title, ...more },
});

async function make(schema: string, values: object, token = at.una): Promise<number> {
  const made = await at.site.send('POST', `/rest/user/${schema}/create`, { token, json: values });
  assert.is(made.status, 201, JSON.stringify(made.json));
  return made.json.results[`${schema}_id`];
}

test('rows of several schemas with references between them, in one transaction', async () => {
  const done = await send([
    { id: 'a', ...order('Big') },
    { id: 'b', call: 'user-line-create', body: { line_text: 'One', order_id: { $ref: 'a.order_id' } } },
    { call: 'user-line-update', path: { line_id: { $ref: 'b.line_id' } }, body: { line_text: 'Two' } },
    { id: 't', call: 'user-tag-create', body: { tag_word: 'red' } },
    { call: 'user-order-link-tag', path: { order_id: { $ref: 'a.order_id' }, tag_id: { $ref: 't.tag_id' } } },
    {
      call: 'user-order-update',
      path: { order_id: { $ref: 'a.order_id' } },
      body: { order_data: { deep: [{ $ref: 'b.line_text' }] } },
    },
    { call: 'user-line-remove', path: { line_id: { $ref: 'b.line_id' } } },
    { call: 'user-line-restore', path: { line_id: { $ref: 'b.line_id' } } },
    { call: 'user-order-unlink-tag', path: { order_id: { $ref: 'a.order_id' }, tag_id: { $ref: 't.tag_id' } } },
  ]);
  assert.is(done.status, 200, JSON.stringify(done.json));
  assert.is(done.json.error, false);
  const { results } = done.json;
  assert.equal(
    results.map(({ id, call, status }: Json) => [id, call, status]),
    [
      ['a', 'user-order-create', 201],
      ['b', 'user-line-create', 201],
      [undefined, 'user-line-update', 200],
      ['t', 'user-tag-create', 201],
      [undefined, 'user-order-link-tag', 200],
      [undefined, 'user-order-update', 200],
      [undefined, 'user-line-remove', 200],
      [undefined, 'user-line-restore', 200],
      [undefined, 'user-order-unlink-tag', 200],
    ],
  );
  const { order_id } = results[0].results;
  assert.is(results[0].results.profile_id, at.site.una);
  assert.is(results[1].results.order_id, order_id);
  assert.is(results[2].results.line_text, 'Two');
  assert.equal(results[5].results.order_data, { deep: ['One'] });
  assert.is(results[7].results.line_active, 1);
  // The version that an item tells is that of the row.
  const held = await send([
    { call: 'user-order-held', path: { order_id }, body: { order_title: 'C' }, ifMatch: results[5].etag },
  ]);
  assert.is(held.status, 200, JSON.stringify(held.json));
});

test('the list may come under "operations"', async () => {
  const done = await send({ operations: [order('Wrapped')] });
  assert.is(done.status, 200, JSON.stringify(done.json));
  assert.is(done.json.results[0].results.order_title, 'Wrapped');
  const failed = await send({ operations: [order('Wrapped'), { call: 'user-line-create', body: {} }] });
  assert.is(failed.status, 422);
  assert.equal(
    failed.json.errors.map(({ pointer }: Json) => pointer),
    ['/operations/1/body/line_text'],
  );
});

test('an item that fails takes everything back: rows, history, hooks and jobs', async () => {
  const theirs = await make('line', { line_text: 'Vic' }, at.vic);
  const mine = await make('order', { order_title: 'Mine' });
  const before = await countAll();
  const cases: [unknown, number, string][] = [
    [{ call: 'user-line-create', body: {} }, 422, '/1/body/line_text'],
    [{ call: 'user-line-update', path: { line_id: theirs }, body: { line_text: 'Una' } }, 404, '/1'],
    [{ call: 'user-line-create', body: { line_text: 'x', line_txt: 'y' } }, 400, '/1/body/line_txt'],
    [{ call: 'user-line-create', body: { line_text: 'x', order_id: 99_999 } }, 422, '/1/body/order_id'],
    [{ call: 'user-order-link-tag', path: { order_id: mine, tag_id: 99_999 } }, 404, '/1/path/tag_id'],
    [{ call: 'user-order-held', path: { order_id: mine }, body: { order_title: 'x' } }, 428, '/1/ifMatch'],
    [
      { call: 'user-order-held', path: { order_id: mine }, body: { order_title: 'x' }, ifMatch: '"old"' },
      412,
      '/1/ifMatch',
    ],
    [{ call: 'user-seat-create', body: { seat_row: 'B' } }, 403, '/1'],
    [{ call: 'user-part-create', body: { part_text: 'guarded' } }, 403, '/1'],
    [{ call: 'user-part-create', body: { part_text: 'page' } }, 400, '/1'],
    [order('vetoed'), 409, '/1'],
    [{ call: 'user-line-create', body: { line_text: { $ref: 'a.order_state' } } }, 422, '/1/body/line_text'],
  ];
  for (const [item, status, pointer] of cases) {
    const failed = await send([{ id: 'a', ...order('Not kept') }, item, order('Never run')]);
    const told = JSON.stringify(failed.json);
    assert.is(failed.status, status, told);
    assert.is(failed.json.error, true);
    assert.ok(
      failed.json.errors.some((error: Json) => error.pointer === pointer),
      told,
    );
    assert.match(failed.json.detail, /^1 \(user-/, told);
    assert.is(failed.json.results, undefined);
  }
  assert.equal(await countAll(), before);
});

test('what is wrong with the items is told before anything is written, each at its place', async () => {
  const before = await countAll();
  const first = { id: 'a', ...order() };
  const line = (body: object, more: object = {}) => ({
    call: 'user-line-create',
    body: { line_text: 'x', ...body },
    ...more,
  });
  const cases: [unknown, string, RegExp][] = [
    [[], '', /1 to 100/],
    ['text', '', /1 to 100/],
    [{}, '', /1 to 100/],
    [{ operations: [first], other: 1 }, '/other', /not a key of a batch/],
    [[7], '/0', /must be an object/],
    [[{ call: 'user-order-creat', body: {} }], '/0/call', /Did you mean "user-order-create"/],
    [[{ call: 'constructor' }], '/0/call', /no user call/],
    [[{ call: 'app-order-create', body: {} }], '/0/call', /no user call/],
    [[{ call: 'user-order-search' }], '/0/call', /reads/],
    [[{ call: 'user-order-import', body: {} }], '/0/call', /system-model-import/],
    [[{ call: 'user-order-batch', body: {} }], '/0/call', /system-model-batch/],
    [[{ call: 'user-order-wild', body: {} }], '/0/call', /wildcard/],
    [[{ call: 'hand', body: {} }], '/0/call', /by hand/],
    [[{ call: 7 }], '/0/call', /name of a call/],
    [[{ ...first, bod: {} }], '/0/bod', /Did you mean "body"/],
    [[{ ...first, id: 'a b' }], '/0/id', /1 to 64/],
    [[first, { ...first }], '/1/id', /Two items/],
    [[{ ...first, body: [1] }], '/0/body', /must be an object/],
    [[{ ...first, ifMatch: 7 }], '/0/ifMatch', /ETag/],
    [[{ call: 'user-line-remove' }], '/0/path', /needs "line_id"/],
    [[{ call: 'user-line-remove', path: [1] }], '/0/path', /must be an object/],
    [[{ call: 'user-line-remove', path: { line_id: { a: 1 } } }], '/0/path/line_id', /text or a number/],
    [[{ call: 'user-line-remove', path: { line_id: '' } }], '/0/path/line_id', /text or a number/],
    [[{ call: 'user-line-remove', path: { line_id: '\ud800' } }], '/0/path/line_id', /text or a number/],
    [[{ call: 'user-line-remove', path: { line_id: 1, x: 2 } }], '/0/path/x', /not in the path/],
    [[first, line({ order_id: { $ref: 'b.order_id' } })], '/1/body/order_id', /No earlier item/],
    [[line({ order_id: { $ref: 'a.order_id' } }), first], '/0/body/order_id', /No earlier item/],
    [[{ ...first, body: { order_title: { $ref: 'a.order_title' } } }], '/0/body/order_title', /No earlier item/],
    [[first, line({ order_id: { $ref: 'a' } })], '/1/body/order_id', /not a reference/],
    [[first, line({ order_id: { $ref: 'a.b.c' } })], '/1/body/order_id', /not a reference/],
    [[first, line({ order_id: { $ref: 'a.constructor' } })], '/1/body/order_id', /not a reference/],
    [
      [first, { call: 'user-line-remove', path: { line_id: { $ref: 'x.line_id' } } }],
      '/1/path/line_id',
      /No earlier item/,
    ],
    // No listener of the project hears of lines… but one does of creates: the rest is told when the item runs.
    [
      [first, { call: 'user-line-remove', id: 'r', path: { line_id: 1 } }, line({ order_id: { $ref: 'r.line_word' } })],
      '/2/body/order_id',
      /have no "line_word"/,
    ],
  ];
  for (const [json, pointer, text] of cases) {
    const failed = await send(json);
    const told = `${JSON.stringify(json)}: ${JSON.stringify(failed.json)}`;
    assert.is(failed.status, 400, told);
    assert.match(failed.json.detail, text, told);
    assert.is(failed.json.code, 'REST_BATCH_INVALID', told);
    if (pointer !== '') assert.is(failed.json.errors[0].pointer, pointer, told);
  }
  assert.equal(await countAll(), before);
});

test('a reference reads what the answer of its item shows, and nothing else', async () => {
  const before = await countAll();
  const seat = { id: 's', call: 'user-seat-create', body: { seat_row: 'A' } };
  const line = { id: 'l', call: 'user-line-create', body: { line_text: 'x', line_word: 'a long password 7' } };
  const hidden: [unknown[], string][] = [
    [[seat, order('x', { order_state: { $ref: 's.seat_code' } })], '/1/body/order_state'],
    [[line, order('x', { order_state: { $ref: 'l.line_word' } })], '/1/body/order_state'],
    [[line, order('x', { order_data: [{ a: { $ref: 'l.toString' } }] })], '/1/body/order_data/0/a'],
  ];
  for (const [items, pointer] of hidden) {
    const failed = await send(items);
    assert.is(failed.status, 400, JSON.stringify(failed.json));
    assert.is(failed.json.errors[0].pointer, pointer);
  }
  const json = { id: 'o', ...order('x', { order_data: { a: 1 } }) };
  const inPath = await send([json, { call: 'user-line-remove', path: { line_id: { $ref: 'o.order_data' } } }]);
  assert.is(inPath.status, 400, JSON.stringify(inPath.json));
  assert.is(inPath.json.errors[0].pointer, '/1/path/line_id');
  const toNull = await send([json, { call: 'user-line-remove', path: { line_id: { $ref: 'o.order_state' } } }]);
  assert.is(toNull.status, 400, JSON.stringify(toNull.json));
  assert.equal(await countAll(), before);
  // An object that is no reference is data.
  const schema = { $ref: '#/a', more: 1 };
  const kept = await send([order('x', { order_data: { schema } })]);
  assert.equal(kept.json.results[0].results.order_data, { schema });
});

test('a parameter leads to no other call', async () => {
  const before = await countAll();
  for (const order_state of ['create', 'a/../create', '..', 'create?x=1', '%63reate']) {
    const answer = await send([{ call: 'user-order-any', path: { order_state }, body: { order_title: 'x' } }]);
    assert.is(answer.json.results?.[0].call, 'user-order-any', answer.text);
    assert.is(answer.json.results[0].results.order_state, order_state, answer.text);
  }
  assert.is(await at.site.count('order'), (before.order as number) + 5);
});

test('prototype names are refused', async () => {
  const body = '[{"call":"user-order-create","body":{"order_title":"x","__proto__":{"profile_id":7}}}]';
  const headers = { 'content-type': 'application/json' };
  const answer = await at.site.send('POST', BATCH, { token: at.una, body, headers });
  assert.is(answer.status, 400, answer.text);
});

test('a number of a decimal keeps its digits, or is refused', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = '[{"call":"user-line-create","body":{"line_text":"x","line_price":0.12345678901234567891}}]';
  const answer = await at.site.send('POST', BATCH, { token: at.una, body, headers });
  assert.is(answer.status, 422, answer.text);
  assert.is(answer.json.errors[0].pointer, '/0/body/line_price');
});

test('an item is authorized as its call alone', async () => {
  const theirs = await make('order', { order_title: 'Vic’s' }, at.vic);
  const few = await at.site.token({ scopes: ['few'] });
  const title = { order_title: 'x' };
  const ways: [string, string, string, unknown, string, object][] = [
    [
      'no scope',
      few,
      '/user/line/create',
      { line_text: 'x' },
      'POST',
      { call: 'user-line-create', body: { line_text: 'x' } },
    ],
    [
      'another’s row',
      at.una,
      `/user/order/update/${theirs}`,
      title,
      'PATCH',
      { call: 'user-order-update', path: { order_id: theirs }, body: title },
    ],
    [
      'another’s row, removed',
      at.una,
      `/user/order/remove/${theirs}`,
      undefined,
      'DELETE',
      { call: 'user-order-remove', path: { order_id: theirs } },
    ],
    [
      'a rule for rows',
      at.una,
      '/user/seat/create',
      { seat_row: 'B' },
      'POST',
      { call: 'user-seat-create', body: { seat_row: 'B' } },
    ],
    [
      'a rule for columns',
      at.una,
      '/user/seat/create',
      { seat_row: 'A', seat_code: 'x' },
      'POST',
      { call: 'user-seat-create', body: { seat_row: 'A', seat_code: 'x' } },
    ],
    [
      'no version',
      at.una,
      `/user/held/${theirs}`,
      title,
      'PATCH',
      { call: 'user-order-held', path: { order_id: theirs }, body: title },
    ],
    [
      'the project’s guard',
      at.una,
      '/user/part/create',
      { part_text: 'guarded' },
      'POST',
      { call: 'user-part-create', body: { part_text: 'guarded' } },
    ],
  ];
  for (const [way, token, path, json, method, item] of ways) {
    const alone = await at.site.send(method, `/rest${path}`, { token, ...(json === undefined ? {} : { json }) });
    const together = await send([item], {}, token);
    assert.ok(alone.status >= 400, `${way}: ${alone.text}`);
    assert.is(together.status, alone.status, `${way}: ${together.text}`);
    assert.ok(together.json.detail.endsWith(alone.json.detail), `${way}: ${together.text}`);
    assert.is(together.headers['www-authenticate'], alone.headers['www-authenticate'], way);
  }
  // The profile of the token, and what a definition fixes, win over what is sent.
  const fixed = { call: 'user-order-fixed', body: { order_title: 'x', order_state: 'sent', profile_id: at.site.vic } };
  const { results } = (await send([fixed])).json.results[0];
  assert.equal([results.order_state, results.profile_id], ['new', at.site.una]);
});

test('a caller is known as for one call', async () => {
  const item = [order()];
  const suspended = await at.site.token({ client: 'suspended' });
  const expired = await at.site.token({ isExpired: true });
  const ofApp = await at.site.token({ profile: null, scopes: ['shop'] });
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const cases: [string, Record<string, string>, number][] = [
    [BATCH, {}, 401],
    [BATCH, { authorization: `Bearer ${suspended}` }, 401],
    [BATCH, { authorization: `Bearer ${expired}` }, 401],
    [BATCH, { authorization: `Bearer ${ofApp}` }, 403],
    [BATCH, { authorization: 'Bearer nobody' }, 401],
    [`${BATCH}?access_token=${at.una}`, {}, 403],
    ['/rest/app/batch?client_id=full', {}, 401],
    ['/rest/app/batch', basic('full', 'wrong'), 401],
    ['/rest/app/batch', basic('suspended', SECRET), 401],
    ['/rest/app/batch', { authorization: `Bearer ${at.una}` }, 403],
  ];
  const before = await countAll();
  for (const [path, headers, status] of cases) {
    const answer = await at.site.send('POST', path, { json: item, headers });
    assert.is(answer.status, status, `${path} ${JSON.stringify(headers)}: ${answer.text}`);
  }
  assert.equal(await countAll(), before);
  const tag = { call: 'app-tag-create', body: { tag_word: 'app' } };
  for (const headers of [basic('full', SECRET), { authorization: `Bearer ${ofApp}` }]) {
    const answer = await at.site.send('POST', '/rest/app/batch', { json: [tag], headers });
    assert.is(answer.status, 200, answer.text);
  }
  const open = await at.site.send('POST', '/rest/public/batch', {
    json: [{ call: 'public-tag-create', body: { tag_word: 'p' } }],
  });
  assert.is(open.status, 200, open.text);
  for (const call of ['user-tag-create', 'app-tag-create']) {
    const answer = await at.site.send('POST', '/rest/public/batch', { json: [{ call, body: { tag_word: 'p' } }] });
    assert.is(answer.status, 400, answer.text);
  }
});

test('an Idempotency-Key holds over the whole', async () => {
  const headers = { 'idempotency-key': 'one-batch' };
  const items = [
    { id: 'a', ...order('Once') },
    { call: 'user-line-create', body: { line_text: 'x', order_id: { $ref: 'a.order_id' } } },
  ];
  const failed = await send([...items, { call: 'user-line-create', body: {} }], headers);
  assert.is(failed.status, 422);
  const first = await send(items, headers);
  assert.is(first.status, 200, first.text);
  const before = await countAll();
  const again = await send(items, headers);
  assert.is(again.text, first.text);
  assert.is(again.headers['idempotency-replayed'], 'true');
  assert.is((await send([order('Other')], headers)).status, 422);
  assert.equal(await countAll(), before);
});

test('100 rows go, with the children in the items, and no more', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    call: 'user-tag-create',
    body: { tag_word: `w${index}` },
  }));
  const done = await send(many);
  assert.is(done.status, 200, done.text);
  assert.is(done.json.results.length, 100);
  assert.is((await send([...many, many[0]])).status, 400);
  const line = Array.from({ length: 60 }, () => ({ line_text: 'x' }));
  const family = order('x', { line });
  assert.is((await send([family, family])).status, 400);
  const one = await send([family]);
  assert.is(one.status, 200, one.text);
  assert.is(one.json.results[0].results.line.length, 60);
});

test('more passwords than there is time for are refused before the first', async () => {
  const items = Array.from({ length: 21 }, () => ({
    call: 'user-line-create',
    body: { line_text: 'x', line_word: 'a long password 7' },
  }));
  const refused = await send(items);
  assert.is(refused.status, 422, refused.text);
  assert.is(refused.json.code, 'REST_PASSWORDS_TOO_MANY');
});

test('hooks and jobs come once for each item that is durable', async () => {
  const before = await countAll();
  assert.is((await send([order('heard 1'), order('heard 2')])).status, 200);
  assert.is((await send([order('unheard'), order('vetoed')])).status, 409);
  const after = await countAll();
  assert.is((after.treadle_event as number) - (before.treadle_event as number), 2);
  const echoes = await at.site.echoes();
  assert.equal(
    echoes.filter((title) => title.includes('heard')),
    ['heard 1', 'heard 2'],
  );
  assert.not.ok(echoes.includes('Not kept'));
});

test('other methods are 405, and what is no JSON list is refused', async () => {
  assert.is((await at.site.send('GET', BATCH, { token: at.una })).status, 405);
  const form = await at.site.send('POST', BATCH, { token: at.una, form: { 'operations[0][call]': 'user-tag-create' } });
  assert.is(form.status, 415, form.text);
  const sendText = (body: string) =>
    at.site.send('POST', BATCH, { token: at.una, body, headers: { 'content-type': 'text/plain' } });
  for (const text of ['A text', '[broken', '7', '"a"']) assert.is((await sendText(text)).status, 415, text);
});

test('JSON that was sent as a text is read', async () => {
  for (const json of [[order('A text')], { operations: [order('A text')] }]) {
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const done = await at.site.send('POST', BATCH, { token: at.una, body: JSON.stringify(json), headers });
    assert.is(done.status, 200, done.text);
    assert.is(done.json.results[0].results.order_title, 'A text');
  }
});

test('each row counts against the limit, and a batch above it writes nothing', async () => {
  const site = await startOrders({ perMinute: 5 });
  try {
    const token = await site.token();
    const tag = { call: 'user-tag-create', body: { tag_word: 'x' } };
    const first = await site.send('POST', BATCH, { token, json: [tag, tag, tag] });
    assert.is(first.status, 200, first.text);
    assert.match(String(first.headers.ratelimit), /r=2;/);
    const second = await site.send('POST', BATCH, { token, json: [tag, tag, tag] });
    assert.is(second.status, 429, second.text);
    assert.is(await site.count('tag'), 3);
  } finally {
    await site.close();
  }
});

test('a call of the project at the path wins, and check says so', async () => {
  const rival = {
    title: 'Mine',
    access: 'user',
    method: 'post',
    path: '/user/:what',
    event: 'system-model-create',
    parameters: { schema: 'tag' },
    own: false,
  };
  const site = await startOrders({ files: { 'config/rest/rival.json': rival } });
  try {
    const answer = await site.send('POST', BATCH, { token: await site.token(), json: [order()] });
    assert.not.equal(answer.status, 200);
    const told = await site.cli('check', '--json');
    assert.match(told.out, 'REST_BATCH_PATH');
  } finally {
    await site.close();
  }
});

test('two batches that change the same rows in another order both succeed', async () => {
  const lines = [await make('line', { line_text: 'One' }), await make('line', { line_text: 'Two' })];
  // A line may bring parts, to whose route the project listens; these bring none.
  const update = (line_id: number) => ({ call: 'user-line-update', path: { line_id }, body: { line_text: 'Changed' } });
  for (let round = 0; round < 3; round += 1) {
    const both = [lines, [...lines].reverse()].map((ids) => send(ids.map(update)));
    for (const done of await Promise.all(both)) assert.is(done.status, 200, JSON.stringify(done.json));
  }
});

test.run();
