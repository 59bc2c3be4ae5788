import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { type PrivateWorld, startPrivateWorld } from './_private.ts';
import { writeRoles } from './_site.ts';

/**
 * Private fields by what reads rows beside a search and a detail, and by every name and form of question that a request has for
 * a column.
 */
const test = suite('roles: private fields by other readers');

const flags = { filterable: true, sortable: true };
/** Private fields of profiles, whose values begin with their owner's mark. */
const FIELDS: readonly Row[] = [
  { name: 'born', type: 'date', private: true, ...flags },
  { name: 'score', type: 'number', private: true, ...flags },
  { name: 'data', type: 'rawjson', private: true, filterable: true },
  { name: 'hobby', type: 'tag', private: true, filterable: true },
  { name: 'bio', type: 'markdown', private: true },
  { name: 'sites', type: 'textlist', private: true, filterable: true },
];
const SCORES: Readonly<Record<string, number>> = { ann: 7701, ben: 7702, cleo: 7703, ada: 7704 };
const BORN: Readonly<Record<string, string>> = {
  ann: '1901-01-01',
  ben: '1902-02-02',
  cleo: '1903-03-03',
  ada: '1904-04-04',
};
const PEOPLE = Object.keys(SCORES);

/** The people of whom an answer holds something private. */
function listTold(text: string): string[] {
  return PEOPLE.filter((name) =>
    [`P-${name}`, `N-${name}`, `S-${name}`, String(SCORES[name]), BORN[name]].some((mark) =>
      text.includes(mark as string),
    ),
  );
}

const at = {} as { world: PrivateWorld; hook: Row[] };

test('a world', async () => {
  at.world = await startPrivateWorld({}, [], (project) => {
    project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => void fields.push(...FIELDS));
    // Another's review, by way of a relation, and a profile by a relation with a name.
    project.write('config/schema/memo.json', {
      name: 'memo',
      singular: 'Memo',
      plural: 'Memos',
      display: '{{memo_title}} {{review_note}}',
      fields: [{ name: 'title', type: 'text', ...flags }],
      relations: [
        { schema: 'review', kind: '1:1' },
        { schema: 'profile', kind: '1:1', name: 'editor' },
      ],
    });
    const calls = ['search', 'detail', 'create', 'update', 'batch', 'remove', 'restore'];
    const names: string[] = [];
    for (const schema of ['review', 'memo', 'profile'])
      for (const action of calls) {
        const name = `w-${schema}-${action}`;
        const isRead = action === 'search' || action === 'detail';
        if (action === 'restore' && schema === 'memo') continue;
        names.push(name);
        const key = ['search', 'create', 'batch'].includes(action) ? '' : `/:${schema}_id`;
        project.write(`config/rest/${name}.json`, {
          title: name,
          access: 'user',
          own: false,
          method: isRead ? 'get' : action === 'update' ? 'put' : 'post',
          path: `/user/w/${schema}/${action}${key}`,
          event: `system-model-${action}`,
          parameters: { schema },
          ...(action === 'search' ? { aggregate: ['group', 'sum', 'count'] } : {}),
        });
      }
    project.edit<{ calls: string[] }>('config/scope/all.json', (scope) => void scope.calls.push(...names));
    writeRoles(project, [{ slug: 'clerk', permissions: ['all:/admin/**'] }]);
  });
  const { app } = at.world.world.site;
  for (const name of PEOPLE) {
    const id = at.world.profiles[name];
    const values = {
      profile_born: BORN[name],
      profile_score: SCORES[name],
      profile_data: { key: `P-${name}` },
      profile_hobby: [`P-${name}`],
      profile_bio: `P-${name}`,
      profile_sites: [`P-${name}`],
    };
    await app.emit('system-model-update', { schema: 'profile', profile_id: id, ...values });
  }
  await app.emit('system-model-create', {
    schema: 'memo',
    memo_title: 'one',
    review_id: 1,
    editor_id: at.world.profiles.ben,
  });
});

type Person = 'visitor' | 'ann' | 'ben' | 'cleo' | 'ada';
/** Reads as somebody: a page with the browser of the person, or a call with the token. */
type Read = (person: Person) => Promise<{ status: number; text: string }>;

const page =
  (path: string | ((person: Person) => string)): Read =>
  async (person) => {
    const url = typeof path === 'string' ? path : path(person);
    const browser = person === 'visitor' ? at.world.world.site.browser() : at.world.browsers[person];
    return (await browser?.get(url)) as { status: number; text: string };
  };
const event = (name: string, stage: Row): Read =>
  page(`/door/${name}?${new URLSearchParams(stage as Record<string, string>)}`);
const call =
  (path: string, json?: unknown, method = 'POST'): Read =>
  (person) =>
    at.world.call(`/rest/user/w/${path}`, person, json === undefined ? {} : { method, json });

interface Reader {
  readonly read: Read;
  /** Who reads; default everybody. */
  readonly people?: readonly Person[];
  /** Of whom each person is told; default of themselves at most. Administrators are told everything. */
  readonly told?: Partial<Record<Person, readonly string[]>>;
}

const STAFF: readonly Person[] = ['cleo', 'ada'];
const OWN = { ann: ['ann'], ben: ['ben'], cleo: ['cleo'] };
const LOGGED: readonly Person[] = ['ann', 'ben', 'cleo', 'ada'];
const EVERYBODY: readonly Person[] = ['visitor', ...LOGGED];
const MEMO = { ann: ['ann'], ben: ['ben'], cleo: [] };
const BATCH = { operations: [{ action: 'update', id: 1, values: { review_title: 'in a batch' } }] };
const rows = '/admin/system/model';

const READERS: Readonly<Record<string, Reader>> = {
  'a memo by its relations': { read: event('system-model-detail', { schema: 'memo', memo_id: '1' }), told: MEMO },
  'memos by a call': { read: call('memo/search'), people: LOGGED, told: MEMO },
  'an update of a memo': { read: call('memo/update/1', { memo_title: 'two' }, 'PUT'), people: LOGGED, told: MEMO },
  'an update of a review': {
    read: call('review/update/1', { review_title: 'wool two' }, 'PUT'),
    people: LOGGED,
    told: { ann: ['ann'], ben: [], cleo: [] },
  },
  'a batch': { read: call('review/batch', BATCH), people: LOGGED, told: { ann: ['ann'], ben: [], cleo: [] } },
  'the creation of a review': { read: call('review/create', { review_title: 'new' }), people: LOGGED, told: OWN },
  'a removal and a restoration': {
    read: async (person) => {
      const removed = await call('review/remove/1', {})(person);
      const restored = await call('review/restore/1', {})(person);
      return { status: restored.status, text: removed.text + restored.text };
    },
    people: LOGGED,
    told: { ann: ['ann'], ben: [], cleo: [] },
  },
  'the file of one’s own data': { read: page('/auth/data'), people: LOGGED, told: { ...OWN, ada: ['ada'] } },
  'an account by its e-mail': {
    read: event('auth-detail', { auth_slug: 'ann@example.org' }),
    told: { visitor: [], ann: ['ann'], ben: [], cleo: [] },
  },
  'an account by its id': {
    read: page((person) => `/door/auth-detail?auth_id=${person === 'ann' ? 2 : 1}`),
    people: ['visitor', 'cleo'],
    told: { cleo: [] },
  },
  'a list of accounts': { read: event('auth-search', { limit: '50' }), told: OWN },
  'the history': { read: event('history-search', { limit: '100' }), told: {} },
  'the history of profiles': { read: event('history-search', { schema: 'profile', limit: '100' }), told: {} },
  'a list in the admin section': { read: page(`${rows}/profile/search`), people: STAFF, told: { cleo: ['cleo'] } },
  'a list with chosen columns': {
    read: page(`${rows}/profile/search?columns=profile_phone,profile_born,profile_score&columns[]=profile_phone`),
    people: STAFF,
  },
  'a page of a row': {
    read: page(() => `${rows}/profile/detail/${at.world.profiles.ann}`),
    people: STAFF,
    told: { cleo: [] },
  },
  'a page of a related row': { read: page(`${rows}/review/detail/1`), people: STAFF, told: { cleo: [] } },
  'a page of a memo': { read: page(`${rows}/memo/detail/1`), people: STAFF, told: { cleo: [] } },
  'a form': { read: page(() => `${rows}/profile/update/${at.world.profiles.ann}`), people: STAFF, told: { cleo: [] } },
  'a form with choices of reviews': { read: page(`${rows}/memo/create`), people: STAFF, told: { cleo: [] } },
  'a page of a person': { read: page('/admin/user/search'), people: STAFF },
  'one person': { read: page('/admin/user/detail/1'), people: STAFF, told: { cleo: [] } },
  'the palette': { read: page('/admin/go.json?q=P-'), people: STAFF, told: { cleo: [] } },
  'the palette for a memo': { read: page('/admin/go.json?q=one'), people: STAFF, told: { cleo: [] } },
  'the page of history': { read: page('/admin/history'), people: STAFF },
  'the history of a row': {
    read: page(() => `/admin/history?schema=profile&id=${at.world.profiles.ann}`),
    people: STAFF,
    told: { cleo: [] },
  },
  'the docs': { read: page('/developer/docs/schemas/profile'), people: ['visitor', 'cleo'], told: { cleo: [] } },
  ...Object.fromEntries(
    ['csv', 'json', 'ndjson'].flatMap((format) =>
      ['profile', 'review', 'memo'].map((schema) => [
        `an export of ${schema} as ${format}`,
        {
          read: page(`${rows}/${schema}/export?format=${format}`),
          people: STAFF,
          told: schema === 'memo' ? { cleo: [] } : OWN,
        },
      ]),
    ),
  ),
};

for (const [label, { read, people = EVERYBODY, told = {} }] of Object.entries(READERS))
  test(`${label} tells nobody what is private to another`, async () => {
    for (const person of people) {
      const { status, text } = await read(person);
      assert.ok(status < 404, `${person}: ${status} ${text.slice(0, 200)}`);
      const found = listTold(text);
      const wanted = told[person];
      const who = `${person} (${status}): ${text.slice(0, 1500)}`;
      if (wanted !== undefined) assert.equal(found, wanted, who);
      else if (person !== 'ada')
        assert.equal(
          found.filter((name) => name !== person),
          [],
          who,
        );
    }
  });

test('entries and versions of history tell of a private column to its owner only', async () => {
  const { kysely } = at.world.world.site.app.services.database;
  const entries = (await kysely.selectFrom('treadle_history').selectAll().execute()) as Row[];
  const profiles = at.world.profiles;
  const owners = new Map(PEOPLE.map((name) => [profiles[name], name]));
  let count = 0;
  for (const entry of entries.filter(({ subject }) => subject === 'profile')) {
    const owner = owners.get(Number(entry.row_id)) as string;
    for (const person of ['visitor', 'ann', 'ben', 'cleo'] as const)
      for (const reader of ['history-detail', 'history-model-versions']) {
        const { text } = await event(reader, { history_id: String(entry.history_id) })(person);
        const others = listTold(text).filter((name) => name !== person);
        assert.equal(others, [], `${person} ${reader} of ${owner}: ${text}`);
        if (person !== owner) assert.not.match(text, /profile_(?:phone|born|score|data|hobby|bio|sites)/);
        if (person === owner && listTold(text).length > 0) count += 1;
      }
    const shown = await page(`/admin/history/${entry.history_id}`)('cleo');
    assert.equal(
      listTold(shown.text).filter((name) => name !== 'cleo'),
      [],
      shown.text.slice(0, 500),
    );
  }
  assert.ok(count >= 4, String(count));
});

test('who may open definitions reads their history, and that of schemas that are gone, beside private fields', async () => {
  const { kysely } = at.world.world.site.app.services.database;
  const subjects = ['schema/article', 'role/clerk', 'gone'];
  for (const subject of subjects)
    await kysely
      .insertInto('treadle_history')
      .values({ subject, created_at: 1, entry: JSON.stringify({ action: 'update', door: 'page' }) })
      .execute();
  for (const [person, wanted] of [
    ['visitor', []],
    ['ann', []],
    ['cleo', subjects],
    ['ada', subjects],
  ] as const) {
    const { text } = await event('history-search', { limit: '100' })(person);
    const found = (JSON.parse(text).results.rows as Row[]).map(({ subject }) => subject);
    assert.equal(
      subjects.filter((subject) => found.includes(subject)),
      wanted,
      person,
    );
    for (const subject of subjects) {
      const one = await event('history-search', { schema: subject })(person);
      const rows = JSON.parse(one.text).results.rows as Row[];
      assert.is(rows.length, wanted.length > 0 ? 1 : 0, `${person} ${subject}`);
    }
  }
});

/** Names of private columns, and forms of a question that could tell of one. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'profile_born',
    'profile_score',
    'profile_data',
    'profile_data.key',
    'profile_hobby',
    'profile_sites',
    'born',
    'score',
    'phone',
    'PROFILE_SCORE',
    'profile_score ',
  ],
  review: ['profile_score', 'profile.profile_score', 'profile.score', 'review_note', 'note', 'profile_data.key'],
  memo: [
    'review_note',
    'review.review_note',
    'profile_score',
    'editor.profile_score',
    'editor_score',
    'review.profile_score',
    'review.profile.profile_score',
  ],
  club: ['profile.profile_score', 'review.review_note', 'review.profile_score', 'profile.profile_hobby', 'club_key'],
};
const FORMS: readonly ((column: string) => Row)[] = [
  (column) => ({ [`filter[${column}]`]: '1' }),
  ...[
    'eq',
    'ne',
    'gt',
    'gte',
    'lt',
    'in',
    'starts',
    'ends',
    'contains',
    'like',
    'null',
    'notnull',
    'between',
    'has',
  ].map((operator) => (column: string) => ({ [`filter[${column}][${operator}]`]: '1' })),
  ...['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'null', 'notnull', 'in', 'range', 'span'].flatMap((key) => [
    (column: string) => ({ [`${key}[${column}]`]: '1' }),
    (column: string) => ({ [key]: column }),
  ]),
  (column) => ({ sort: column }),
  (column) => ({ sort: `-${column}` }),
  (column) => ({ [`sort[${column}]`]: 'ASC' }),
  (column) => ({ [`order[${column}]`]: 'ASC' }),
  (column) => ({ group: column }),
  (column) => ({ group: `${column}:month` }),
  (column) => ({ group: 'profile_id', sum: column }),
  (column) => ({ sum: column }),
  (column) => ({ count: column }),
  (column) => ({ group: 'profile_id', count: column }),
  (column) => ({ fields: column }),
  (column) => ({ expand: column }),
];

for (const [schema, columns] of Object.entries(COLUMNS))
  test(`no form of a question to ${schema} tells of a private column`, async () => {
    const { world } = at;
    const search = async (query: Row) => {
      const text = new URLSearchParams(query as Record<string, string>);
      // Memos have no public call.
      if (schema === 'memo') return world.call(`/rest/user/w/memo/search?${text}`, 'cleo');
      return world.call(`/rest/public/ppublic/${schema}/search?${text}`);
    };
    const { total, rows: all } = (await search({})).results;
    for (const column of columns)
      for (const toQuery of FORMS) {
        const query = toQuery(column);
        const { status, text, results } = await search(query);
        assert.ok(status === 200 || status === 400, `${JSON.stringify(query)}: ${status} ${text}`);
        assert.equal(listTold(text), [], JSON.stringify(query));
        if (status === 400) continue;
        // A question that is not refused is not heard: the same rows in the same order.
        assert.is(results.groups, undefined, JSON.stringify(query));
        const ids = (list: Row[]) => list.map((row) => row[`${schema}_id`]);
        assert.equal([results.total, ids(results.rows)], [total, ids(all)], JSON.stringify(query));
      }
  });

test('is closed', () => at.world.world.close());

test.run();
