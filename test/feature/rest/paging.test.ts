// Pages, alternatives, relations of related rows and groups, as a client of the API asks for them.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';

const test = suite('rest: paging');

const flags = { filterable: true, sortable: true };
const toSchema = (name: string, fields: readonly Row[], relations: readonly Row[] = []): Row => ({
  ...{ name, singular: name, plural: `${name}s` },
  fields: [...fields, { name: 'active', type: 'active' }, { name: 'updated', type: 'updated' }],
  relations,
});

const SCHEMAS = [
  toSchema(
    'talk',
    [
      { name: 'title', type: 'text', ...flags },
      { name: 'rank', type: 'number', ...flags },
      { name: 'fee', type: 'decimal', ...flags },
      { name: 'day', type: 'datetime', ...flags },
      { name: 'note', type: 'text', private: true, ...flags },
    ],
    [
      { schema: 'or', kind: '1:N' },
      { schema: 'room', kind: '1:0' },
    ],
  ),
  toSchema('or', [{ name: 'text', type: 'text', ...flags }], [{ schema: 'room', kind: '1:0' }]),
  toSchema('room', [
    { name: 'name', type: 'text', ...flags },
    { name: 'seats', type: 'number', ...flags },
  ]),
  toSchema(
    'pin',
    [
      { name: 'size', type: 'number', ...flags },
      { name: 'note', type: 'text', private: true, ...flags },
    ],
    [{ schema: 'room', kind: '1:0' }],
  ),
];

const call = (schema: string, action: string, more: Row = {}): Row => ({
  ...{ title: `${schema} ${action}`, access: 'public', open: true, method: 'get', parameters: { schema } },
  ...{ path: `/public/${schema}/${action}${action === 'detail' ? `/:${schema}_id` : ''}` },
  ...{ event: `system-model-${action}`, ...more },
});

const CODE = `
export default function pages(app) {
  app.get('/loop', async (request, response) => {
    const rows = [];
    const filter = { or: [{ pin_size: { lt: 2 } }, { pin_size: 7 }] };
    for await (const row of app.rows('pin', { filter, expand: 'room' })) rows.push([row.pin_id, row.room?.room_name]);
    response.succeed({ rows, count: await app.count('pin', { filter }) });
  });
}
`;

const state = {} as { site: Site };
const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await state.site.get(path, headers);
  const json = (answer.status === 304 ? {} : answer.json()) as { results: Row; message: string; validation: Row };
  return { ...answer, ...json };
};

test.before(async () => {
  const files: Record<string, string> = {
    'app/www/src/controller/pages.ts': CODE,
    'app/www/.treadle.ts':
      "import pages from './src/controller/pages';\nexport default function (app) { pages(app); }\n",
  };
  for (const schema of SCHEMAS) files[`config/schema/${schema.name}.json`] = JSON.stringify(schema);
  const aggregate = ['group', 'count', 'sum', 'average', 'least', 'greatest'];
  const calls: Readonly<Record<string, Row>> = {
    'talk-search': call('talk', 'search'),
    'talk-detail': call('talk', 'detail'),
    'pin-search': call('pin', 'search'),
    'pin-post': call('pin', 'search', { path: '/public/pin/post', method: 'post' }),
    groups: call('talk', 'search', { path: '/public/talk/groups', aggregate }),
    fixed: call('talk', 'search', {
      path: '/public/talk/fixed',
      parameters: { schema: 'talk', filter: { talk_rank: 2 } },
    }),
  };
  for (const [name, definition] of Object.entries(calls))
    files[`config/rest/${name}.json`] = JSON.stringify(definition);
  state.site = await boot({ template: 'bare', files });
  const make = async (schema: string, row: Row): Promise<void> => {
    const made = await state.site.emit('system-model-create', { schema, ...row });
    assert.is(made.isError(), false, made.getMessage());
  };
  for (const [index, name] of ['Attic', 'Barn'].entries())
    await make('room', { room_name: name, room_seats: index + 1 });
  const days = [
    '2026-11-28 22:10:00',
    '2026-11-28 22:50:00',
    '2027-01-01 00:00:00',
    '2027-01-03 23:59:59',
    '2027-01-04 00:00:00',
  ];
  for (const [index, day] of days.entries())
    await make('talk', {
      ...{ talk_title: `Talk ${index}`, talk_rank: index, talk_fee: `${index}.50`, talk_day: day },
      ...{ talk_note: `n${index}`, room_id: index === 4 ? null : 1 + (index % 2) },
    });
  for (const [index, talk] of [1, 1, 2].entries())
    await make('or', { or_text: `or ${index}`, talk_id: talk, room_id: 1 + (index % 2) });
  for (let size = 0; size < 9; size += 1) await make('pin', { pin_size: size, pin_note: `n${size}`, room_id: 1 });
});
test.after(() => state.site.close());

/** The targets of a `Link`, by relation. */
const readLinks = (link: unknown): Record<string, string> =>
  Object.fromEntries(
    String(link ?? '')
      .split(', ')
      .flatMap((part) => {
        const [, target, relation] = /^<([^>]+)>; rel="(\w+)"$/.exec(part) ?? [];
        return target === undefined || relation === undefined ? [] : [[relation, target]];
      }),
  );
const listIds = ({ results }: { results: Row }): unknown[] => (results.rows as Row[]).map((row) => row.pin_id);

test('every page links to the first, and by cursor to those around it', async () => {
  const first = '/rest/public/pin/search?limit=4&sort=-pin_size';
  const pages: (readonly [unknown[], string[]])[] = [];
  for (let path: string | undefined = `${first}&offset=1`; path !== undefined; ) {
    const answer = await get(path);
    const { next, prev, ...others } = readLinks(answer.headers.link);
    assert.equal(others, { first });
    pages.push([listIds(answer), Object.keys(readLinks(answer.headers.link)).sort()]);
    for (const link of [next, prev]) assert.not.match(link ?? '', 'offset');
    if (next === undefined && prev !== undefined) {
      assert.equal(listIds(await get(prev)), [8, 7, 6, 5], 'the page before');
    }
    path = next;
  }
  assert.equal(pages, [
    [
      [8, 7, 6, 5],
      ['first', 'next', 'prev'],
    ],
    [
      [4, 3, 2, 1],
      ['first', 'prev'],
    ],
  ]);
  const whole = await get('/rest/public/pin/search?limit=50');
  assert.equal(readLinks(whole.headers.link), { first: '/rest/public/pin/search?limit=50' });
  const bare = await get('/rest/public/pin/search');
  assert.equal(readLinks(bare.headers.link), { first: '/rest/public/pin/search' });
  const beyond = await get('/rest/public/pin/search?limit=4&offset=40');
  assert.equal(readLinks(beyond.headers.link), {
    first: '/rest/public/pin/search?limit=4',
    prev: '/rest/public/pin/search?offset=36&limit=4',
  });
  const groups = await get('/rest/public/talk/groups?group=talk_day:year&limit=1');
  assert.is(groups.status, 200);
  assert.is(groups.headers.link, undefined, 'groups have none');
});

test('a cursor and an offset exclude each other', async () => {
  const { results } = await get('/rest/public/pin/search?limit=2');
  for (const cursor of ['after', 'before'])
    for (const skip of ['offset', 'start']) {
      const answer = await get(`/rest/public/pin/search?limit=2&${cursor}=${results.next}&${skip}=1`);
      assert.is(answer.status, 400);
      assert.match(answer.text, `"${cursor}" and "${skip}" exclude each other`.replaceAll('"', '\\"'));
      assert.equal(Object.keys(answer.validation).sort(), [cursor, skip].sort());
    }
  assert.is((await get(`/rest/public/pin/search?after=${results.next}&limit=2`)).status, 200);
});

test('alternatives come by the query, and code gives a list', async () => {
  const cases: readonly (readonly [query: string, ids: readonly number[] | RegExp])[] = [
    ['filter[or][0][pin_size][lt]=2&filter[or][1][pin_size]=7', [1, 2, 8]],
    ['filter[or][5][pin_size]=3', [4]],
    // A plain value beside an operator holds, too.
    ['filter[pin_size]=3&filter[pin_size][gte]=2', [4]],
    ['filter[pin_size][gte]=4&filter[pin_size]=3', []],
    ['filter[pin_size]=&filter[pin_size][gte]=7', [8, 9]],
    ['filter[or][][pin_size]=3&filter[or][][pin_size]=4', [4, 5]],
    ['filter[or][0][pin_size][gte]=3&filter[or][0][pin_size][lte]=4&filter[or][1][pin_id]=1', [1, 4, 5]],
    ['filter[or][0][room.room_name]=Attic&filter[pin_size][gt]=6', [8, 9]],
    ['filter[or][0][room][room_seats]=2&filter[or][1][pin_size]=0', [1]],
    ['filter[or]=1', /numbered alternatives/],
    ['filter[or][pin_size]=1', /numbered alternatives/],
    ['filter[or][0]=1', /has no condition/],
    ['filter[or][0][or][0][pin_size]=1', /stands once/],
    ['filter[or][0][pin_active]=any&filter[or][0][pin_size]=1', /cannot stand within/],
    ['filter[or][0][pin_siez]=1', /Did you mean \\"pin_size\\"/],
    ['filter[or][0][pin_size][gt]=x', /filter\[or\]\[0\]\[pin_size\]\[gt\]/],
  ];
  for (const [query, wanted] of cases) {
    const answer = await get(`/rest/public/pin/search?${query}`);
    assert.is(answer.status, wanted instanceof RegExp ? 400 : 200, query);
    if (wanted instanceof RegExp) assert.match(answer.text, wanted, query);
    else assert.equal(listIds(answer), wanted, query);
  }
  assert.equal((await get('/loop')).results, {
    rows: [
      [1, 'Attic'],
      [2, 'Attic'],
      [8, 'Attic'],
    ],
    count: 3,
  });
});

test('alternatives reach neither private columns nor what a call fixes', async () => {
  const hidden = await get('/rest/public/talk/fixed?filter[talk_rank]=4');
  assert.equal(
    (hidden.results.rows as Row[]).map((row) => row.talk_id),
    [3],
    'a fixed filter stays',
  );
  for (const query of ['filter[or][0][pin_size]=1&filter[or][1][room.pin]=1', 'filter[or][0][pin_note]=n1'])
    assert.is((await get(`/rest/public/pin/search?${query}`)).status, 400, query);
  const bodies: readonly (readonly [or: unknown, status: number])[] = [
    [[{ pin_size: 1 }], 200],
    [{ 0: { pin_size: 1 } }, 200],
    [[{ pin_note: 'n1' }], 400],
    [[{ pin_size: 1 }, { pin_note: { starts: 'n' } }], 400],
    [{ 1: { pin_note: 'n1' } }, 400],
    [[{ room: { pin: { null: 0 } } }], 400],
    [[{ pin_active: 'any' }], 400],
  ];
  for (const [or, status] of bodies) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ filter: { or } });
    const answer = await state.site.send('POST', '/rest/public/pin/post', { headers, body });
    assert.is(answer.status, status, JSON.stringify(or));
  }
});

test('a relation that is called "or" is that relation', async () => {
  const found = await get('/rest/public/talk/search?filter[or][or_text]=or%202');
  assert.equal(
    (found.results.rows as Row[]).map((row) => row.talk_id),
    [2],
  );
  const none = await get('/rest/public/talk/search?filter[or][null]=1');
  assert.is(none.results.total, 3);
});

test('a detail shows the relations of its rows, and changes with them', async () => {
  const path =
    '/rest/public/talk/detail/1?expand=or.room,room&fields=talk_title,or.or_text,or.room.room_name,room.room_name';
  const answer = await get(path);
  const wanted = (name: string): Row => ({
    talk_id: 1,
    talk_title: 'Talk 0',
    or: [
      { or_id: 1, or_text: 'or 0', room: { room_id: 1, room_name: 'Attic' } },
      { or_id: 2, or_text: 'or 1', room: { room_id: 2, room_name: name } },
    ],
    room: { room_id: 1, room_name: 'Attic' },
  });
  assert.equal(answer.results, wanted('Barn'));
  const tag = { 'if-none-match': String(answer.headers.etag) };
  assert.is((await get(path, tag)).status, 304);
  await state.site.emit('system-model-update', { schema: 'room', room_id: 2, room_name: 'Cellar' });
  const later = await get(path, tag);
  assert.is(later.status, 200);
  assert.equal(later.results, wanted('Cellar'));
  const whole = await get('/rest/public/talk/detail/1?fields=or.or_text');
  assert.is(whole.results.talk_title, 'Talk 0');
  assert.equal(whole.results.or, [
    { or_id: 1, or_text: 'or 0' },
    { or_id: 2, or_text: 'or 1' },
  ]);
  assert.is(whole.results.room, undefined, 'only the relation that "fields" names');
  for (const [query, message] of [
    ['expand=or.rom', /Did you mean/],
    ['expand=room&fields=or.or_text', /which is not expanded/],
    ['fields=or.room.room_name', /Add \\"or.room\\"/],
    ['expand=or.room.pin', /not a relation of room/],
  ] as const) {
    const refused = await get(`/rest/public/talk/detail/1?${query}`);
    assert.is(refused.status, 400, query);
    assert.match(refused.text, message, query);
  }
});

test('groups tell the least and the greatest value, and go by week and hour', async () => {
  const groups = async (query: string): Promise<unknown> =>
    (await get(`/rest/public/talk/groups?${query}`)).results.rows;
  assert.equal(await groups('group=talk_day:week&least=talk_fee&greatest=talk_day'), [
    { talk_day: '2026-W48', count: 2, least: '0.50', greatest: '2026-11-28 22:50:00' },
    { talk_day: '2026-W53', count: 2, least: '2.50', greatest: '2027-01-03 23:59:59' },
    { talk_day: '2027-W01', count: 1, least: '4.50', greatest: '2027-01-04 00:00:00' },
  ]);
  assert.equal(await groups('group=talk_day:hour&count=1&filter[talk_rank][lt]=2'), [
    { talk_day: '2026-11-28 22', count: 2 },
  ]);
  assert.equal(await groups('group=talk_day:year,room_id&sort=-greatest,room_id&greatest=talk_rank'), [
    { talk_day: '2027', room_id: null, count: 1, greatest: 4 },
    { talk_day: '2027', room_id: 2, count: 1, greatest: 3 },
    { talk_day: '2027', room_id: 1, count: 1, greatest: 2 },
    { talk_day: '2026', room_id: 2, count: 1, greatest: 1 },
    { talk_day: '2026', room_id: 1, count: 1, greatest: 0 },
  ]);
  for (const query of ['least=talk_note', 'greatest=talk_title', 'least=talk_nothing'])
    assert.is((await get(`/rest/public/talk/groups?${query}`)).status, 400, query);
  const closed = await get('/rest/public/talk/search?least=talk_rank');
  assert.is(closed.status, 400);
  assert.match(closed.text, 'must list it under');
});

test.run();
