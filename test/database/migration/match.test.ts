import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchNames, orderRenames } from '../../../src/database/migration/match.ts';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { SchemaSketch } from '../model.ts';
import { readRows, wants, withSite } from './_site.ts';

const test = suite('database/migration/match');

const toSchema = (name: string, field: string, more: { was?: string; fieldWas?: string } = {}): SchemaSketch => ({
  name,
  ...(more.was === undefined ? {} : { was: more.was }),
  fields: [{ name: field, type: 'text', ...(more.fieldWas === undefined ? {} : { was: more.fieldWas }) }],
});

/** A series of definitions, each migrated; then the place of the row. */
const WAYS: readonly { name: string; steps: readonly SchemaSketch[]; table: string; row: Row }[] = [
  {
    name: 'a schema is renamed again while its file says the first name still',
    steps: [toSchema('post', 'title', { was: 'article' }), toSchema('entry', 'title', { was: 'article' })],
    table: 'entry',
    row: { entry_id: 1, entry_title: 'a' },
  },
  {
    name: 'a schema is renamed again, and its file says the last name',
    steps: [toSchema('post', 'title', { was: 'article' }), toSchema('entry', 'title', { was: 'post' })],
    table: 'entry',
    row: { entry_id: 1, entry_title: 'a' },
  },
  {
    name: 'a field is renamed again while its file says the first name still',
    steps: [
      toSchema('article', 'headline', { fieldWas: 'title' }),
      toSchema('article', 'caption', { fieldWas: 'title' }),
    ],
    table: 'article',
    row: { article_id: 1, article_caption: 'a' },
  },
  {
    name: 'a field is renamed again, and its file says the last name',
    steps: [
      toSchema('article', 'headline', { fieldWas: 'title' }),
      toSchema('article', 'caption', { fieldWas: 'headline' }),
    ],
    table: 'article',
    row: { article_id: 1, article_caption: 'a' },
  },
  {
    name: 'a schema and its field are renamed again while the file says the first names still',
    steps: [
      toSchema('post', 'headline', { was: 'article', fieldWas: 'title' }),
      toSchema('entry', 'caption', { was: 'article', fieldWas: 'title' }),
    ],
    table: 'entry',
    row: { entry_id: 1, entry_caption: 'a' },
  },
  {
    name: 'a schema is renamed back',
    steps: [toSchema('post', 'title', { was: 'article' }), toSchema('article', 'title', { was: 'post' })],
    table: 'article',
    row: { article_id: 1, article_title: 'a' },
  },
  {
    name: 'a schema is renamed there, back, and there again',
    steps: [
      toSchema('post', 'title', { was: 'article' }),
      toSchema('article', 'title', { was: 'post' }),
      toSchema('post', 'title', { was: 'article' }),
    ],
    table: 'post',
    row: { post_id: 1, post_title: 'a' },
  },
  {
    name: 'a field is renamed back',
    steps: [
      toSchema('article', 'headline', { fieldWas: 'title' }),
      toSchema('article', 'title', { fieldWas: 'headline' }),
    ],
    table: 'article',
    row: { article_id: 1, article_title: 'a' },
  },
  {
    name: 'a schema was renamed long ago, and its file says so still',
    steps: [toSchema('post', 'title', { was: 'article' }), toSchema('post', 'title', { was: 'article' })],
    table: 'post',
    row: { post_id: 1, post_title: 'a' },
  },
];

for (const { name, steps, table, row } of WAYS) {
  test(`the rows follow where ${name}`, () =>
    withSite([toSchema('article', 'title')], { article: [{ article_id: 1, article_title: 'a' }] }, async (database) => {
      for (const schema of steps) await migrate(database, wants(database, schema));
      const last = steps.at(-1);
      assert.ok(last);
      const left = await planMigration(database, wants(database, last));
      assert.equal(
        left.steps.map(({ words }) => words),
        [],
        'nothing is left to do, and nothing is left behind',
      );
      assert.equal(await readRows(database, table), [row]);
    }));
}

test('names form chains and circles; one that another has is a conflict', () => {
  const present = (...names: string[]) => ({ names: new Set(names), isDone: () => false, isLeft: () => false });
  const cases: [Parameters<typeof matchNames>[0], string[], [string, string][], { name: string; was: string }[]][] = [
    [[{ name: 'b', was: ['a'] }], ['a'], [['b', 'a']], []],
    [
      [
        { name: 'b', was: ['a'] },
        { name: 'c', was: ['b'] },
      ],
      ['a', 'b'],
      [
        ['b', 'a'],
        ['c', 'b'],
      ],
      [],
    ],
    [
      [
        { name: 'a', was: ['b'] },
        { name: 'b', was: ['a'] },
      ],
      ['a', 'b'],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [],
    ],
    [[{ name: 'b', was: ['a'] }], ['a', 'b'], [['b', 'b']], [{ name: 'b', was: 'a' }]],
    [[{ name: 'Post' }], ['post'], [['Post', 'post']], []],
    [[{ name: 'new' }], ['a'], [], []],
  ];
  for (const [wanted, names, sources, conflicts] of cases) {
    const found = matchNames(wanted, present(...names));
    assert.equal([[...found.sources], found.conflicts], [sources, conflicts], JSON.stringify(wanted));
  }
});

test('renames come in an order in which each name is free', () => {
  const order = (...pairs: [string, string][]) =>
    orderRenames(
      pairs.map(([from, to]) => ({ from, to })),
      (index) => `temporary_${index}`,
    ).map(({ from, to }) => `${from}>${to}`);
  assert.equal(order(['a', 'b'], ['b', 'c']), ['b>c', 'a>b']);
  assert.equal(order(['a', 'b'], ['b', 'a']), ['a>temporary_1', 'b>a', 'temporary_1>b']);
  assert.equal(order(['a', 'a']), []);
});

test.run();
