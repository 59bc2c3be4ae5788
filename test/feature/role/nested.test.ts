// What `expand` shows at the second and third level is what the first level shows of the same rows.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';
import { bearer } from '../../client.ts';
import type { Project } from '../../project.ts';
import { createRandom, type Random } from './_world.ts';

const test = suite('roles: relations of related rows');

const SEEDS = [2, 3, 5, 7, 11];
const flags = { filterable: true, sortable: true };
const text = (name: string, more: Row = {}): Row => ({ name, type: 'text', ...flags, ...more });
const active = { name: 'active', type: 'active' };
const SCHEMAS: readonly (Row & { readonly name: string })[] = [
  { name: 'board', fields: [text('title'), text('secret'), active], relations: [{ schema: 'card', kind: '1:N' }] },
  {
    name: 'card',
    fields: [text('title'), text('state'), text('hint', { private: true }), active],
    relations: [
      { schema: 'label', kind: 'N:N' },
      { schema: 'profile', kind: '1:1' },
      { schema: 'shade', kind: '1:0' },
    ],
  },
  {
    name: 'label',
    fields: [text('word'), text('mark', { private: true }), active],
    relations: [{ schema: 'shade', kind: '1:0' }],
  },
  { name: 'shade', fields: [text('hue'), text('note'), active] },
];
const NAMES = SCHEMAS.map(({ name }) => name);
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  board: ['title', 'secret'],
  card: ['title', 'state', 'hint'],
  label: ['word', 'mark'],
  shade: ['hue', 'note'],
};
const VALUES = ['a', 'b', 'c'];

/** A rule of rows and columns, of which a search and a detail have the same. */
function drawRule(random: Random, schema: string): unknown {
  if (random.chance(0.2)) return true;
  if (random.chance(0.1)) return false;
  const columns = COLUMNS[schema] ?? [];
  const column = `${schema}_${random.pick(columns)}`;
  const own = schema === 'card' && random.chance(0.3) ? { profile_id: '$me.profile_id' } : undefined;
  return {
    ...(random.chance(0.8) ? { filter: own ?? { [column]: { ne: random.pick(VALUES) } } } : {}),
    ...(random.chance(0.6) ? { read: columns.filter(() => random.chance(0.6)) } : {}),
  };
}

function writeConfig(project: Project, random: Random): void {
  const write = (file: string, value: unknown): void => project.write(`config/${file}`, value);
  for (const schema of SCHEMAS)
    write(`schema/${schema.name}.json`, { singular: schema.name, plural: `${schema.name}s`, ...schema });
  const calls: string[] = [];
  for (const access of ['public', 'user'])
    for (const schema of NAMES)
      for (const [action, end] of [
        ['search', ''],
        ['detail', `/:${schema}_id`],
      ]) {
        const title = `${access}-t-${schema}-${action}`;
        if (access === 'user') calls.push(title);
        write(`rest/${title}.json`, {
          ...{ title, access, open: true, method: 'get', path: `/${access}/t/${schema}/${action}${end}` },
          ...{ event: `system-model-${action}`, parameters: { schema } },
          ...(access === 'user' ? { own: false } : {}),
        });
      }
  write('scope/all.json', { slug: 'all', name: 'All', access: 'user', calls });
  const app = { title: 'Reader', clientId: 'reader', redirectUris: ['https://app.example/cb'], scopes: ['all'] };
  write('app/reader.json', { ...app, owner: 'owen@example.org', website: 'https://app.example' });
  const ruled = NAMES.filter(() => random.chance(0.85));
  for (const slug of ['guest', 'user']) {
    const data = Object.fromEntries(
      ruled.map((schema) => {
        const rule = drawRule(random, schema);
        return [schema, { search: rule, detail: rule }];
      }),
    );
    write(`role/${slug}.json`, { slug, name: slug, permissions: [], data });
  }
}

async function fill(site: Site, random: Random): Promise<void> {
  const make = async (schema: string, count: number, more: () => Row = () => ({})): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const own = (COLUMNS[schema] ?? []).map((name) => [`${schema}_${name}`, random.pick(VALUES)]);
      const made = await site.emit('system-model-create', { schema, ...Object.fromEntries(own), ...more() });
      assert.is(made.isError(), false, made.getMessage());
    }
  };
  await make('shade', 4);
  await make('label', 6, () => ({ shade_id: random.chance(0.8) ? 1 + random.below(4) : null }));
  await make('board', 4);
  await make('card', 14, () => ({
    ...{ board_id: 1 + random.below(4), profile_id: 1 + random.below(2) },
    shade_id: random.chance(0.8) ? 1 + random.below(4) : null,
  }));
  for (let index = 0; index < 24; index += 1)
    await site.emit('system-relation-link', {
      ...{ schema1: 'card', schema2: 'label', card_id: 1 + random.below(14), label_id: 1 + random.below(6) },
    });
  for (const [schema, id] of [
    ['card', 1],
    ['label', 2],
    ['shade', 3],
  ] as const)
    await site.emit('system-model-remove', { schema, [`${schema}_id`]: id });
}

type Get = (path: string) => Promise<{ readonly status: number; readonly results: Row }>;

/** All rows of a search by their keys; none where the rules refuse it. */
async function readAll(get: Get, schema: string, expand: string): Promise<Map<unknown, Row>> {
  const { status, results } = await get(`${schema}/search?limit=100&expand=${expand}`);
  if (status === 403) return new Map();
  assert.is(status, 200);
  return new Map((results.rows as Row[]).map((row) => [row[`${schema}_id`], row]));
}

/** What two and three levels must show, put together from answers of one level. */
async function compose(get: Get): Promise<Row[]> {
  const boards = await readAll(get, 'board', 'card');
  const cards = await readAll(get, 'card', 'label,shade');
  const labels = await readAll(get, 'label', 'shade');
  return [...boards.values()].map((board) => ({
    ...board,
    card: (board.card as Row[]).map((row) => {
      const card = cards.get(row.card_id) as Row;
      return { ...card, label: (card.label as Row[]).map((label) => labels.get(label.label_id)) };
    }),
  }));
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

/** The same with `fields=board_title,card.card_title,card.label.label_word`, where all of them are shown. */
const narrow = (board: Row): Row => ({
  ...pick(board, ['board_id', 'board_title']),
  card: (board.card as Row[]).map((card) => ({
    ...pick(card, ['card_id', 'card_title']),
    label: (card.label as Row[]).map((label) => pick(label, ['label_id', 'label_word', 'shade'])),
  })),
});

const EXPAND = 'expand=card.label.shade,card.shade';

async function compare(get: Get, told: string): Promise<void> {
  const wanted = await compose(get);
  const found = await get(`board/search?limit=20&${EXPAND}`);
  if (found.status === 403) return;
  assert.equal(found.results.rows, wanted, told);
  for (const board of wanted) {
    const detail = await get(`board/detail/${board.board_id}?${EXPAND}`);
    assert.equal(detail.results, board, `${told}: detail ${board.board_id}`);
  }
  const fields = 'fields=board_title,card.card_title,card.label.label_word';
  const picked = await get(`board/search?limit=20&expand=card.label.shade&${fields}`);
  // A column that is not shown cannot be named.
  assert.ok(picked.status === 200 || picked.status === 400);
  if (picked.status === 200) assert.equal(picked.results.rows, wanted.map(narrow), `${told}: fields`);
  for (const board of wanted) {
    const detail = await get(`board/detail/${board.board_id}?expand=card.label.shade&${fields}`);
    assert.is(detail.status, picked.status, `${told}: fields of detail`);
    if (detail.status === 200) assert.equal(detail.results, narrow(board), `${told}: fields of detail`);
  }
}

for (const seed of SEEDS)
  test(`each level obeys the rules of its schema, as seed ${seed} draws them`, async () => {
    const random = createRandom(seed);
    const limits = { perMinute: 1_000_000, expandRows: 1_000_000 };
    const change = (project: Project): void => writeConfig(project, random);
    const site = await boot({ template: 'blog', settings: { limits }, change });
    try {
      const tokens: string[] = [];
      for (const [index, name] of ['Ann', 'Bob'].entries()) {
        await site.as(name);
        tokens.push(await site.token({ client: 'reader', profile: index + 1, scopes: ['all'] }));
      }
      await fill(site, random);
      for (const token of [undefined, ...tokens]) {
        const get: Get = async (path) => {
          const access = token === undefined ? 'public' : 'user';
          const answer = await site.get(`/rest/${access}/t/${path}`, token === undefined ? {} : bearer(token));
          return { status: answer.status, results: (answer.json() as { results: Row }).results };
        };
        await compare(get, `seed ${seed} ${token === undefined ? 'visitor' : 'user'}`);
      }
    } finally {
      await site.close();
    }
  });

test.run();
