import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnerAccess, SYSTEM } from '../../../src/core/access.ts';
import { type Bench, onBench, told } from './_bench.ts';

/** A write that nobody hears of is one statement. It must answer and leave what a unit of several does. */
const test = suite('one statement');
type Row = Record<string, unknown>;

/** Emits once with a commit listener and once without; gives both answers without their ids. */
async function both({ emit, commits }: Bench, event: string, stages: readonly [Row, Row], access = SYSTEM) {
  const answers: unknown[] = [];
  for (const [index, isHeard] of [true, false].entries()) {
    commits.isHeard = isHeard;
    const answer = told(await emit(event, stages[index] as Row, access));
    answers.push(JSON.parse(JSON.stringify(answer).replace(/"(article|comment)_id":\d+/g, '"$1_id":0')));
  }
  return answers;
}

const COMMENT = { schema: 'comment', comment_detail: 'Fine warp', profile_id: 2 };
const WRITES: readonly (readonly [string, string, Row, Row])[] = [
  ['a row with a 1:1 relation', 'system-model-create', COMMENT, COMMENT],
  [
    'a row with JSON, a slug and a date',
    'system-model-create',
    { schema: 'article', article_title: 'A', article_slug: 'a-1', article_tags: ['x', 'y'], article_rank: 1.5 },
    { schema: 'article', article_title: 'A', article_slug: 'a-1', article_tags: ['x', 'y'], article_rank: 1.5 },
  ],
  ['a missing 1:1 row', 'system-model-create', { ...COMMENT, profile_id: 77 }, { ...COMMENT, profile_id: 77 }],
  ['a missing value', 'system-model-create', { schema: 'comment' }, { schema: 'comment' }],
  [
    'a change',
    'system-model-update',
    { schema: 'comment', comment_id: 1, comment_detail: 'Changed' },
    { schema: 'comment', comment_id: 2, comment_detail: 'Changed' },
  ],
  [
    'a change of a missing row',
    'system-model-update',
    { schema: 'comment', comment_id: 99, comment_detail: 'Changed' },
    { schema: 'comment', comment_id: 99, comment_detail: 'Changed' },
  ],
];

for (const [title, event, one, other] of WRITES) {
  test(`answers as several do: ${title}`, () =>
    onBench(async (bench) => {
      if (event === 'system-model-update') {
        // Both rows begin alike.
        const { kysely } = bench.database;
        const alike = {
          comment_detail: 'Before',
          comment_created: '2026-01-01 00:00:00',
          profile_id: 1,
          article_id: 1,
        };
        await kysely.updateTable('comment').set(alike).where('comment_id', 'in', [1, 2]).execute();
      }
      const [unit, single] = await both(
        bench,
        event,
        one.article_slug === undefined ? [one, other] : [one, { ...other, article_slug: 'a-2' }],
      );
      assert.equal(JSON.stringify(single).replace('a-2', 'a-1'), JSON.stringify(unit));
    }));
}

test('a value that is taken is refused, and the others of the commit stay', () =>
  onBench(async ({ emit, commits }) => {
    commits.isHeard = false;
    const slugs = ['one', 'two', 'one', 'three', 'two', 'four'];
    const answers = await Promise.all(
      slugs.map((slug) =>
        emit('system-model-create', { schema: 'article', article_title: `Spool ${slug}`, article_slug: slug }),
      ),
    );
    assert.equal(answers.map((answer) => answer.getStatus()).sort(), [200, 200, 200, 200, 409, 409]);
    const found = await emit('system-model-search', { schema: 'article', q: 'spool' });
    assert.is(found.getResults('total'), 4);
  }));

test('words of several rows of one commit are found at once, and follow a change and a removal in the same turn', () =>
  onBench(async ({ emit, commits, database }) => {
    commits.isHeard = false;
    const create = (detail: string) =>
      emit('system-model-create', { schema: 'comment', comment_detail: detail, profile_id: 1 });
    const find = async (q: string) =>
      (await emit('system-model-search', { schema: 'comment', q })).getResults('rows') as Row[];
    await Promise.all(['loom a', 'loom b', 'loom c'].map(create));
    const rows = await find('loom');
    assert.is(rows.length, 3);
    const ids = rows.map((row) => Number(row.comment_id));
    const [first, second, third] = ids;
    const change = (id: unknown, detail: string) =>
      emit('system-model-update', { schema: 'comment', comment_id: id, comment_detail: detail });
    await Promise.all([
      change(first, 'heddle one'),
      change(first, 'heddle two'),
      change(second, 'heddle three'),
      database.kysely.deleteFrom('comment').where('comment_id', '=', second).execute(),
      change(third, 'heddle four'),
    ]);
    assert.equal(
      // On PostgreSQL either of two changes at the same moment may be the last.
      (await find('heddle')).map((row) => String(row.comment_detail).replace(/one|two/, 'last')),
      ['heddle last', 'heddle four'],
    );
    assert.equal(await find('loom'), []);
    assert.equal(await find('three'), []);
  }));

test('changes of two searchable columns at the same moment leave the words of both', () =>
  onBench(async ({ emit, commits }) => {
    commits.isHeard = false;
    const created = Array.from({ length: 8 }, (_, n) =>
      emit('system-model-create', {
        schema: 'article',
        article_title: `plain ${n}`,
        article_slug: `both-${n}`,
        article_detail: '<p>plain</p>',
      }),
    );
    const ids = (await Promise.all(created)).map((answer) => answer.getResults('article_id'));
    const change = (id: unknown, values: Row) =>
      emit('system-model-update', { schema: 'article', article_id: id, ...values });
    const answers = await Promise.all(
      ids.flatMap((id) => [
        change(id, { article_title: 'selvage' }),
        change(id, { article_detail: '<p>treadle</p>' }),
        change(id, { article_rank: 2 }),
      ]),
    );
    assert.equal(new Set(answers.map((answer) => answer.getStatus())), new Set([200]));
    const found = await emit('system-model-search', { schema: 'article', q: 'selvage treadle' });
    assert.is(found.getResults('total'), 8);
    assert.is((await emit('system-model-search', { schema: 'article', q: 'plain' })).getResults('total'), 0);
  }));

test('the owner is held in the one statement', () =>
  onBench(async ({ emit, commits }) => {
    commits.isHeard = false;
    const ann = createOwnerAccess({ kind: 'user' }, 1);
    const comments = (await emit('system-model-search', { schema: 'comment' })).getResults('rows') as Row[];
    for (const { comment_id, profile_id } of comments) {
      const stage = { schema: 'comment', comment_id, comment_detail: 'mine' };
      const answer = await emit('system-model-update', stage, ann);
      assert.is(answer.getStatus(), profile_id === 1 ? 200 : 404);
    }
    const created = await emit('system-model-create', { ...COMMENT, profile_id: 2 }, ann);
    assert.is((created.getResults() as Row).profile_id, 1);
  }));

test('rows of several owners are changed at once, each by its own only', () =>
  onBench(async ({ emit, commits, database }) => {
    commits.isHeard = false;
    const create = (n: number) =>
      emit('system-model-create', { schema: 'comment', comment_detail: `of ${n % 2}`, profile_id: 1 + (n % 2) });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n)));
    const rows = answers.map((answer) => answer.getResults() as Row);
    assert.equal(
      rows.map((row) => row.comment_detail),
      rows.map((_, n) => `of ${n % 2}`),
      'each caller has its own row',
    );
    const changed = await Promise.all(
      rows.flatMap(({ comment_id }) =>
        [1, 2].map((owner) => {
          const stage = { schema: 'comment', comment_id, comment_detail: `by ${owner} ${comment_id}` };
          return emit('system-model-update', stage, createOwnerAccess({ kind: 'user' }, owner));
        }),
      ),
    );
    assert.equal(
      changed.map((answer) => answer.getStatus()),
      rows.flatMap((_, n) => (n % 2 === 0 ? [200, 404] : [404, 200])),
    );
    const stored = await database.kysely.selectFrom('comment').selectAll().execute();
    const details = new Map(stored.map((row) => [row.comment_id, row.comment_detail]));
    for (const [n, { comment_id }] of rows.entries()) {
      const text = `by ${1 + (n % 2)} ${comment_id}`;
      assert.is(details.get(comment_id), text);
      const answer = changed[n * 2 + (n % 2)]?.getResults() as Row;
      assert.is(answer.comment_detail, text, 'each caller has the row that it changed');
      assert.is((answer.original as Row).comment_detail, `of ${n % 2}`);
    }
  }));

test('a change that leaves the searchable text as it is keeps its words', () =>
  onBench(async ({ emit, commits }) => {
    commits.isHeard = false;
    const find = async (q: string) =>
      (await emit('system-model-search', { schema: 'comment', q })).getResults('total') as number;
    const made = await emit('system-model-create', { ...COMMENT, comment_detail: 'heddle bar' });
    const stage = { schema: 'comment', comment_id: made.getResults('comment_id') };
    await emit('system-model-update', { ...stage, comment_detail: 'heddle bar' });
    assert.is(await find('heddle'), 1);
    await emit('system-model-update', { ...stage, comment_detail: 'heddle Bar' });
    await emit('system-model-update', { ...stage, profile_id: 1 });
    assert.is(await find('heddle bar'), 1);
    await emit('system-model-update', { ...stage, comment_detail: 'reed' });
    assert.is(await find('heddle'), 0);
    assert.is(await find('reed'), 1);
  }));

const field = (name: string) => ({ name, label: name, type: 'text', searchable: true });
const LOOMS = [
  { name: 'loom', singular: 'Loom', plural: 'Looms', fields: [field('name')], relations: [] },
  {
    name: 'thread',
    singular: 'Thread',
    plural: 'Threads',
    fields: [field('color')],
    relations: [{ schema: 'loom', kind: '1:0', onRemove: 'restrict' }],
  },
];

for (const isHeard of [true, false]) {
  test(`rows are removed at once, each with its own answer: ${isHeard ? 'in units' : 'by one statement'}`, () =>
    onBench(async ({ emit, commits }) => {
      commits.isHeard = isHeard;
      for (let n = 1; n <= 10; n += 1) await emit('system-model-create', { schema: 'loom', loom_name: `Loom ${n}` });
      await emit('system-model-create', { schema: 'thread', thread_color: 'red', loom_id: 3 });
      const remove = async (id: number) => {
        const answer = told(await emit('system-model-remove', { schema: 'loom', loom_id: id }));
        return [answer.status, (answer.results as Row | undefined)?.loom_name];
      };
      const answers = await Promise.all([1, 2, 3, 4, 5, 99, 6, 7].map(remove));
      const gone = (id: number) => [200, `Loom ${id}`];
      assert.equal(answers, [gone(1), gone(2), [409, undefined], gone(4), gone(5), [404, undefined], gone(6), gone(7)]);
      const twice = await Promise.all([8, 8].map(remove));
      assert.equal(twice.map(([status]) => status).sort(), [200, 404]);
      const found = await emit('system-model-search', { schema: 'loom', q: 'loom' });
      assert.equal(
        (found.getResults('rows') as Row[]).map((row) => row.loom_id),
        [3, 9, 10],
      );
    }, LOOMS));
}

test.run();
