// Also on PostgreSQL: the database computes the values.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Reply, type Shop, startShop } from './_shop.ts';

type Row = Readonly<Record<string, unknown>>;

const flags = { filterable: true, sortable: true };
const computed = (name: string, expression: string, more: object = {}): object => ({
  ...{ name, type: 'computed', expression },
  ...flags,
  ...more,
});

const talk = {
  fields: [
    { name: 'title', type: 'text', required: true, ...flags },
    { name: 'capacity', type: 'number', ...flags },
    { name: 'price', type: 'decimal', scale: 2, ...flags },
    { name: 'secret', type: 'text' },
    computed('left', 'capacity - ticket.count'),
    computed('taken', 'ticket.count', { stored: true }),
    computed('worth', 'price * capacity'),
    computed('label', "concat(title, ' (', secret, ')')"),
    computed('key', "concat(title, '/', capacity)", { stored: true, unique: true }),
  ],
};

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.post('/form', async (request, response) => {
    await app.emit('system-model-update', request.setStage('schema', 'talk'), response);
  });
}
`;

const guest = (data: object): object => ({ slug: 'guest', name: 'Guest', permissions: [], data });

const test = suite('computed fields over HTTP');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

test.before(async () => {
  world.shop = await startShop({ code, talk });
});
test.after(() => shop().site.close());

const send = async (method: string, path: string, json?: unknown): Promise<Row> => {
  const { status, body } = await shop().send(method, `/rest/public/${path}`, json);
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
  return body.results as Row;
};
const values = (row: Row | undefined, ...names: readonly string[]): unknown[] =>
  names.map((name) => row?.[`talk_${name}`]);
const listRows = ({ body }: Reply): readonly Row[] => (body.results?.rows ?? []) as Row[];
const NAMES = ['left', 'taken', 'worth', 'label', 'key'] as const;

const A = { talk_title: 'A', talk_capacity: 3, talk_price: '12.50', talk_secret: 'x' };

test('an answer to a write has the values, and so has each row that shows them', async () => {
  const made = await send('POST', 'talk/create', A);
  const id = made.talk_id;
  assert.equal(values(made, ...NAMES), [3, 0, '37.50', 'A (x)', 'A/3']);
  const changed = await send('PATCH', `talk/update/${id}`, { talk_capacity: 5 });
  assert.equal(values(changed, ...NAMES), [5, 0, '62.50', 'A (x)', 'A/5']);
  const ticket = await send('POST', 'ticket/create', { ticket_seat: '1', talk_id: id });
  assert.equal(values(ticket, ...NAMES), [4, 1, '62.50', 'A (x)', 'A/5']);
  const detail = await send('GET', `talk/detail/${id}`);
  assert.equal(values(detail, ...NAMES), [4, 1, '62.50', 'A (x)', 'A/5']);
  await send('DELETE', `ticket/remove/${ticket.ticket_id}`);
  assert.equal(values(await send('GET', `talk/detail/${id}`), ...NAMES), [5, 0, '62.50', 'A (x)', 'A/5']);
});

test('a cached answer is outdated by a write of what it counts', async () => {
  const { talk_id } = await send('POST', 'talk/create', { ...A, talk_title: 'Cached' });
  const paths = [`talk/detail/${talk_id}`, `talk/search?filter[talk_title]=Cached&fields=talk_left,talk_taken`];
  const read = async (): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (const path of paths) {
      const results = await send('GET', path);
      const row = (results.rows as Row[] | undefined)?.[0] ?? results;
      found.push(values(row, 'left', 'taken'));
    }
    return found;
  };
  for (let taken = 0; taken < 3; taken += 1) {
    // Twice: the second answer may be a cached one.
    for (const _ of [1, 2])
      assert.equal(await read(), [
        [3 - taken, taken],
        [3 - taken, taken],
      ]);
    await send('POST', 'ticket/create', { ticket_seat: `c${taken}`, talk_id });
  }
});

test('nobody writes them: 400 in a body, nothing by a form or by code', async () => {
  const { talk_id } = await send('POST', 'talk/create', { ...A, talk_title: 'Closed' });
  for (const [name, value] of [
    ['talk_left', 9],
    ['talk_taken', 9],
    ['talk_worth', '1.00'],
  ] as const) {
    for (const [method, path] of [
      ['POST', 'talk/create'],
      ['PATCH', `talk/update/${talk_id}`],
    ] as const) {
      const { status, body } = await shop().send(method, `/rest/public/${path}`, { talk_title: 'No', [name]: value });
      assert.is(status, 400);
      assert.match(String(body.message), `"${name}" is set by the site`);
    }
  }
  await shop()
    .site.browser()
    .post('/form', { talk_id: String(talk_id), talk_taken: '9', talk_left: '9', talk_secret: 'y' });
  await shop().emit('system-model-update', { schema: 'talk', talk_id, talk_taken: 9, talk_left: 9 });
  const row = await send('GET', `talk/detail/${talk_id}`);
  assert.equal(values(row, 'left', 'taken', 'label'), [3, 0, 'Closed (y)']);
});

test('a value that must be unique is refused by its field', async () => {
  await send('POST', 'talk/create', { ...A, talk_title: 'Once' });
  const { status, body } = await shop().send('POST', '/rest/public/talk/create', { ...A, talk_title: 'Once' });
  assert.is(status, 409);
  assert.equal(Object.keys(body.validation ?? {}), ['talk_key']);
});

test('a search filters, sorts, groups and pages by them', async () => {
  const { rows } = await send(
    'GET',
    'talk/search?filter[talk_left][gte]=3&filter[talk_worth]=37.5&sort=-talk_label&limit=2',
  );
  const titles = (rows as Row[]).map(({ talk_title }) => talk_title);
  assert.equal(titles, ['Once', 'Closed']);
  const refused = await shop().send('GET', '/rest/public/talk/search?filter[talk_lef]=3');
  assert.is(refused.status, 400);
  assert.match(String(refused.body.message), /Did you mean "talk_left"/);
});

test('what is exported comes back: files may have the columns, and their values are not taken', async () => {
  const { project } = shop().site;
  const { out } = await project.cli('export', 'talk', '--out', 'talks.ndjson');
  assert.ok(out !== undefined);
  const lines = project.read('talks.ndjson').trim().split('\n');
  const [first] = lines.map((line) => JSON.parse(line) as Row);
  assert.is(first?.talk_worth, '62.50');
  project.write('in.ndjson', `${JSON.stringify({ ...first, talk_worth: '1.00', talk_taken: 7, talk_capacity: 6 })}\n`);
  await project.cli('import', 'talk', 'in.ndjson');
  const row = await send('GET', `talk/detail/${first?.talk_id}`);
  assert.equal(values(row, 'worth', 'taken', 'key'), ['75.00', 0, 'A/6']);
});

test('a value shows only with all that it is computed of, and counts only what may be seen', async () => {
  const ruled = await startShop({
    code,
    talk,
    files: {
      'config/role/guest.json': guest({
        talk: { search: { read: ['title', 'left', 'worth', 'label', 'secret', 'taken'] }, detail: true, create: true },
        ticket: {
          search: { filter: { ticket_seat: 'seen' } },
          detail: { filter: { ticket_seat: 'seen' } },
          create: true,
        },
      }),
    },
  });
  try {
    const { talk_id } = (await ruled.send('POST', '/rest/public/talk/create', A)).body.results as Row;
    for (const ticket_seat of ['seen', 'hidden'])
      await ruled.send('POST', '/rest/public/ticket/create', { ticket_seat, talk_id });
    const [row] = listRows(await ruled.send('GET', '/rest/public/talk/search'));
    // The capacity and the price are hidden.
    assert.equal(Object.keys(row ?? {}).sort(), ['talk_id', 'talk_label', 'talk_secret', 'talk_taken', 'talk_title']);
    for (const query of ['sort=talk_worth', 'filter[talk_left]=1', 'fields=talk_left', 'filter[talk_worth][gt]=1'])
      assert.is((await ruled.send('GET', `/rest/public/talk/search?${query}`)).status, 400, query);
    const detail = (await ruled.send('GET', `/rest/public/talk/detail/${talk_id}`)).body.results as Row;
    // Only one of two tickets may be seen; what is stored counts both.
    assert.equal(values(detail, 'left', 'taken', 'worth'), [2, 2, '37.50']);
  } finally {
    await ruled.site.close();
  }
});

test('writes of a schema that counts nothing return its values: alone, with words and in a batch of writes', async () => {
  const fields = [
    { name: 'title', type: 'text', searchable: true },
    { name: 'capacity', type: 'number' },
    computed('double', 'capacity * 2'),
    computed('half', 'capacity / 2'),
    computed('name', "concat(title, '!')"),
    computed('cost', 'round(capacity * 0.25, 2)', { stored: true }),
  ];
  const site = await startShop({ code, talk: { fields } });
  try {
    const names = ['double', 'half', 'name', 'cost'];
    const made = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (size) => {
        const body = { talk_title: `T${size}`, talk_capacity: size };
        return (await site.send('POST', '/rest/public/talk/create', body)).body.results as Row;
      }),
    );
    for (const row of made) {
      const size = Number(row.talk_capacity);
      assert.equal(values(row, ...names), [size * 2, size / 2, `T${size}!`, (size / 4).toFixed(2)]);
    }
    const [first] = made;
    const changed = await site.send('PATCH', `/rest/public/talk/update/${first?.talk_id}`, { talk_capacity: 9 });
    assert.equal(values(changed.body.results as Row, ...names), [18, 4.5, `${first?.talk_title}!`, '2.25']);
    const gone = await site.send('DELETE', `/rest/public/talk/remove/${first?.talk_id}`);
    assert.equal(values(gone.body.results as Row, ...names), [18, 4.5, `${first?.talk_title}!`, '2.25']);
  } finally {
    await site.site.close();
  }
});

test('a value of a private field is private', async () => {
  const fields = talk.fields.map((field) =>
    'name' in field && field.name === 'secret' ? { ...field, private: true } : field,
  );
  const site = await startShop({ code, talk: { fields } });
  try {
    const made = (await site.send('POST', '/rest/public/talk/create', A)).body.results as Row;
    assert.is(Object.hasOwn(made, 'talk_label'), false);
    assert.is(made.talk_worth, '37.50');
    const [row = {}] = listRows(await site.send('GET', '/rest/public/talk/search'));
    assert.is(Object.hasOwn(row, 'talk_label'), false);
    assert.is((await site.send('GET', '/rest/public/talk/search?filter[talk_label]=A')).status, 400);
  } finally {
    await site.site.close();
  }
});

test.run();
