import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Json, type JsonAnswer, type Orders, startOrders } from './_orders.ts';

const test = suite('rest: children in the body of their row');
const at = {} as { site: Orders; una: string; vic: string };
test.before(async () => {
  at.site = await startOrders();
  at.una = await at.site.token();
  at.vic = await at.site.token({ profile: at.site.vic });
});
test.after(() => at.site.close());

const send = (method: string, path: string, json: unknown, headers = {}, token = at.una): Promise<JsonAnswer> =>
  at.site.send(method, `/rest/user${path}`, { token, json, headers });
const create = (body: object, headers = {}, token = at.una) =>
  send('POST', '/order/create', { order_title: 'x', ...body }, headers, token);
const update = (id: number, body: object, headers = {}, token = at.una) =>
  send('PATCH', `/order/update/${id}`, body, headers, token);

async function countAll(): Promise<Record<string, number>> {
  await at.site.echoes();
  const tables = ['order', 'line', 'seat', 'part', 'treadle_history', 'treadle_event', 'treadle_idempotency'];
  const counts = await Promise.all(tables.map(async (table) => [table, await at.site.count(table)] as const));
  return Object.fromEntries(counts);
}

async function find(schema: string, id: number): Promise<Record<string, unknown>> {
  const found = await at.site.emit('system-model-detail', { schema, [`${schema}_id`]: id });
  return found.getResults();
}

const pointers = ({ json }: JsonAnswer): string[] => (json.errors ?? []).map(({ pointer }: Json) => pointer);

test('a create brings its children, and the answer shows them as expand does', async () => {
  const made = await create({
    line: [{ line_text: 'One' }, { line_text: 'Two', line_price: '1.50' }],
    seat: [{ seat_row: 'A' }],
  });
  assert.is(made.status, 201, made.text);
  const { order_id, line, seat } = made.json.results;
  assert.is(made.headers.etag !== undefined, true);
  assert.equal(
    line.map((row: Json) => [row.line_text, row.order_id, row.profile_id]),
    [
      ['One', order_id, at.site.una],
      ['Two', order_id, at.site.una],
    ],
  );
  assert.is(seat[0].seat_row, 'A');
  // What is computed of the children knows them.
  assert.is(made.json.results.order_lines, 2);
  // A column that a rule hides is absent.
  assert.not.ok(Object.hasOwn(seat[0], 'seat_code'));
  const read = await at.site.send('GET', `/rest/user/order/detail/${order_id}?expand=line,seat`, { token: at.una });
  assert.equal(
    read.json.results.line.map((row: Json) => row.line_id),
    line.map((row: Json) => row.line_id),
  );
  assert.equal(new Set(Object.keys(read.json.results.seat[0])), new Set(Object.keys(seat[0])));
  const few = await at.site.send('PATCH', `/rest/user/order/update/${order_id}`, {
    token: at.una,
    json: { order_title: 'y' },
    headers: { 'if-match': String(made.headers.etag) },
  });
  assert.is(few.status, 200, few.text);
});

test('an update changes children by their id, creates those without, and leaves the others', async () => {
  const made = (await create({ line: [{ line_text: 'One' }, { line_text: 'Two' }] })).json.results;
  const [one, two] = made.line.map((row: Json) => row.line_id);
  const done = await update(made.order_id, {
    order_title: 'y',
    line: [{ line_id: two, line_text: '2' }, { line_text: 'Three' }],
  });
  assert.is(done.status, 200, done.text);
  assert.is(done.json.results.order_title, 'y');
  assert.equal(
    done.json.results.line.map((row: Json) => row.line_text),
    ['2', 'Three'],
  );
  assert.not.ok(Object.hasOwn(done.json.results.line[0], 'original'));
  assert.is((await find('line', one)).line_text, 'One');
  assert.is((await find('line', two)).line_text, '2');
  // Children alone are an update, too.
  const only = await update(made.order_id, { line: [{ line_id: one, line_text: '1' }] });
  assert.is(only.status, 200, only.text);
  assert.is((await find('line', one)).line_text, '1');
});

test('what fails in a child takes the row back, and is told at its place', async () => {
  const mine = (await create({ line: [{ line_text: 'One' }] })).json.results;
  const other = (await create({ line: [{ line_text: 'Other order' }] })).json.results;
  const theirs = (await create({ line: [{ line_text: 'Vic' }] }, {}, at.vic)).json.results;
  const before = await countAll();
  const [id] = [mine.order_id];
  const child = (more: object) => ({ order_title: 'y', line: [{ line_text: 'kept?' }, more] });
  const cases: [object, number, string][] = [
    [child({}), 422, '/line/1/line_text'],
    [child({ line_text: 'x', line_txt: 'x' }), 400, '/line/1/line_txt'],
    [child({ line_text: 'x', order_id: other.order_id }), 400, '/line/1/order_id'],
    [child({ line_id: other.line[0].line_id, line_text: 'x' }), 404, '/line/1/line_id'],
    [child({ line_id: theirs.line[0].line_id, line_text: 'x' }), 404, '/line/1/line_id'],
    [child({ line_id: 99_999, line_text: 'x' }), 404, '/line/1/line_id'],
    [child({ line_id: 'x', line_text: 'x' }), 400, '/line/1/line_id'],
    [child({ line_id: { a: 1 }, line_text: 'x' }), 400, '/line/1/line_id'],
    [child({ line_text: 'x', part: [{ part_text: 'deep' }] }), 400, '/line/1'],
    [{ line: [7] }, 400, '/line/0'],
    [{ line: { line_text: 'x' } }, 400, '/line'],
    [{ line: null }, 400, '/line'],
    [{ seat: [{ seat_row: 'B' }] }, 403, '/seat/0'],
    [{ seat: [{ seat_row: 'A', seat_code: 'x' }] }, 403, '/seat/0'],
    [{ tag: [{ tag_word: 'x' }] }, 400, '/tag'],
    [{ line: Array.from({ length: 101 }, () => ({ line_text: 'x' })) }, 400, '/line'],
  ];
  for (const [body, status, pointer] of cases) {
    const told = JSON.stringify(body);
    const failed = await update(id, body);
    assert.is(failed.status, status, `${told}: ${failed.text}`);
    assert.ok(
      pointers(failed).some((found) => found.startsWith(pointer)),
      `${told}: ${failed.text}`,
    );
    assert.is(failed.headers.etag, undefined);
  }
  assert.equal(await countAll(), before);
  const fresh = await create({ line: [{ line_id: mine.line[0].line_id, line_text: 'x' }] });
  assert.is(fresh.status, 400, fresh.text);
  const bad = await create({ line: [{ line_text: 'x' }, {}] });
  assert.is(bad.status, 422, bad.text);
  assert.equal(pointers(bad), ['/line/1/line_text']);
  assert.is(bad.headers.location, undefined);
  assert.equal(await countAll(), before);
});

test('a caller needs the call of the child', async () => {
  const before = await countAll();
  const few = await at.site.token({ scopes: ['few'] });
  const refused = await create({ line: [{ line_text: 'x' }] }, {}, few);
  assert.is(refused.status, 403, refused.text);
  assert.match(String(refused.headers['www-authenticate']), /scope="orders"/);
  assert.equal(await countAll(), before);
  // Of an access without such a call the key is no column.
  const link = {
    title: 'x',
    access: 'public',
    method: 'post',
    path: '/public/x',
    event: 'system-model-create',
    parameters: { schema: 'order' },
  };
  const site = await startOrders({ files: { 'config/rest/public-line-create.json': link } });
  try {
    const none = await site.send('POST', '/rest/public/order/create', { json: { order_title: 'x', line: [] } });
    assert.is(none.status, 400, none.text);
    assert.match(none.json.detail, 'No public call creates or changes line.');
  } finally {
    await site.close();
  }
});

test('a child is written as its call alone would: what the definition fixes and requires holds', async () => {
  const line = (method: string, path: string, action: string, more: object, parameters: object = {}) => ({
    title: path,
    access: 'user',
    method,
    path,
    event: `system-model-${action}`,
    parameters: { schema: 'line', ...parameters },
    ...more,
  });
  const site = await startOrders({
    files: {
      // The key of the parent may be in the path.
      'config/rest/user-line-create.json': line(
        'post',
        '/user/order/:order_id/line',
        'create',
        {},
        { line_text: 'fixed' },
      ),
      'config/rest/user-line-update.json': line('patch', '/user/line/update/:line_id', 'update', {
        concurrency: 'required',
      }),
      // A call that chooses the parent itself writes no children.
      'config/rest/user-seat-create.json': {
        ...line('post', '/user/seat/create', 'create', {}),
        parameters: { schema: 'seat', order_id: 1 },
      },
    },
  });
  try {
    const token = await site.token();
    const path = '/rest/user/order/create';
    const made = await site.send('POST', path, { token, json: { order_title: 'x', line: [{ line_text: 'sent' }] } });
    assert.is(made.status, 201, made.text);
    const [child] = made.json.results.line;
    assert.equal([child.line_text, child.order_id], ['fixed', made.json.results.order_id]);
    const json = { line: [{ line_id: child.line_id, line_text: 'y' }] };
    const unversioned = await site.send('PATCH', `/rest/user/order/update/${child.order_id}`, { token, json });
    assert.is(unversioned.status, 428, unversioned.text);
    const none = await site.send('POST', path, { token, json: { order_title: 'x', seat: [{ seat_row: 'A' }] } });
    assert.is(none.status, 400, none.text);
    assert.match(none.json.detail, 'No user call creates seat.');
    // As one request, a token in the query only reads.
    const query = await site.send('POST', `${path}?access_token=${token}`, { json: { order_title: 'x', line: [{}] } });
    assert.is(query.status, 403, query.text);
    const suspended = await site.token({ client: 'suspended' });
    assert.is((await site.send('POST', path, { token: suspended, json })).status, 401);
  } finally {
    await site.close();
  }
});

test('a version, a key and a preference hold for the row with its children', async () => {
  const made = await create({ line: [{ line_text: 'One' }] });
  const id = made.json.results.order_id;
  const before = await countAll();
  const stale = await update(id, { line: [{ line_text: 'x' }] }, { 'if-match': '"old"' });
  assert.is(stale.status, 412, stale.text);
  assert.equal(await countAll(), before);
  const right = await update(id, { line: [{ line_text: 'x' }] }, { 'if-match': String(made.headers.etag) });
  assert.is(right.status, 200, right.text);
  const headers = { 'idempotency-key': 'family' };
  const first = await create({ line: [{ line_text: 'One' }] }, headers);
  const counted = await countAll();
  const again = await create({ line: [{ line_text: 'One' }] }, headers);
  assert.is(again.text, first.text);
  assert.equal(await countAll(), counted);
  const little = await create({ line: [{ line_text: 'One' }] }, { prefer: 'return=minimal' });
  assert.is(little.status, 204, little.text);
  assert.is(little.json, undefined);
  assert.is((await countAll()).line, (counted.line as number) + 1);
});

test('an item of a batch brings children, and a reference reads no list', async () => {
  const order = { id: 'o', call: 'user-order-create', body: { order_title: 'x', line: [{ line_text: 'One' }] } };
  const done = await at.site.send('POST', '/rest/user/batch', { token: at.una, json: [order] });
  assert.is(done.status, 200, done.text);
  assert.is(done.json.results[0].results.line[0].line_text, 'One');
  const bad = { ...order, body: { order_title: 'x', line: [{}] } };
  const failed = await at.site.send('POST', '/rest/user/batch', { token: at.una, json: [order, { ...bad, id: 'p' }] });
  assert.is(failed.status, 422, failed.text);
  assert.equal(pointers(failed), ['/1/body/line/0/line_text']);
});

test('the profile of the token owns the children, and the guard of the project hears of them', async () => {
  const made = await send('POST', '/line/create', {
    line_text: 'x',
    part: [{ part_text: 'p', profile_id: at.site.vic }],
  });
  assert.is(made.status, 201, made.text);
  assert.is(made.json.results.part[0].profile_id, at.site.una);
  const before = await countAll();
  const guarded = await send('POST', '/line/create', { line_text: 'x', part: [{ part_text: 'guarded' }] });
  assert.is(guarded.status, 403, guarded.text);
  assert.equal(await countAll(), before);
});

test('decimals and passwords of children are those of a call alone', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = '{"order_title":"x","line":[{"line_text":"x","line_price":0.12345678901234567891}]}';
  const long = await at.site.send('POST', '/rest/user/order/create', { token: at.una, body, headers });
  assert.is(long.status, 422, long.text);
  const made = await create({ line: [{ line_text: 'x', line_word: 'a long password 7' }] });
  assert.is(made.status, 201, made.text);
  assert.not.match(made.text, 'line_word');
  const many = await create({
    line: Array.from({ length: 21 }, () => ({ line_text: 'x', line_word: 'a long password 7' })),
  });
  assert.is(many.status, 422, many.text);
  assert.is(many.json.code, 'REST_PASSWORDS_TOO_MANY');
});

test('each child counts against the limit', async () => {
  const site = await startOrders({ perMinute: 5 });
  try {
    const token = await site.token();
    const json = { order_title: 'x', line: [{ line_text: 'a' }, { line_text: 'b' }] };
    const first = await site.send('POST', '/rest/user/order/create', { token, json });
    assert.is(first.status, 201, first.text);
    assert.match(String(first.headers.ratelimit), /r=2;/);
    assert.is((await site.send('POST', '/rest/user/order/create', { token, json })).status, 429);
    assert.is(await site.count('line'), 2);
  } finally {
    await site.close();
  }
});

test('a file in a child of a form is refused, and not left out', async () => {
  const before = await countAll();
  const part = (name: string, value: string, more = ''): string =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const file = part('line[0][line_scan]', 'text', '; filename="a.txt"\r\nContent-Type: text/plain');
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  for (const text of ['', part('line[0][line_text]', 'One')]) {
    const body = Buffer.from(`${part('order_title', 'x')}${text}${file}--edge--\r\n`);
    const failed = await at.site.send('POST', '/rest/user/order/create', { token: at.una, body, headers });
    assert.is(failed.status, 400, failed.text);
    assert.is(failed.json.code, 'REST_CHILDREN_INVALID');
    assert.equal(pointers(failed), ['/line']);
  }
  assert.equal(await countAll(), before);
});

test.run();
