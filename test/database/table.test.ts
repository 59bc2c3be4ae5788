import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toSystemTable } from '../../src/database/table.ts';
import { columnOf, PROFILE, tablesOf } from './model.ts';

const test = suite('database/table');

test('fields become columns with their rules, and indexes where they are asked for', () => {
  const [article] = tablesOf({
    name: 'article',
    fields: [
      { name: 'title', type: 'text', required: true, sortable: true, searchable: true },
      { name: 'slug', type: 'slug', unique: true },
      { name: 'detail', type: 'wysiwyg', searchable: true },
      { name: 'nothing', type: 'none' },
      { name: 'count', type: 'number', filterable: true, default: 3 },
      { name: 'published', type: 'datetime', default: 'NOW()' },
      { name: 'active', type: 'active' },
    ],
  });
  assert.equal(
    article?.columns.map(({ name, type, isRequired, default: value }) => [name, type, isRequired, value]),
    [
      ['article_id', 'integer', true, undefined],
      ['article_title', 'text', true, undefined],
      ['article_slug', 'text', false, undefined],
      ['article_detail', 'text', false, undefined],
      ['article_count', 'integer', false, 3],
      ['article_published', 'text', false, undefined],
      ['article_active', 'integer', false, 1],
    ],
  );
  assert.equal(
    article?.indexes.map(({ name }) => name),
    ['article_title_index', 'article_slug_unique', 'article_count_index'],
  );
  assert.equal([article?.primaryKey, article?.isCounting], [['article_id'], true]);
});

test('relations become keys with their delete rules', () => {
  const tables = tablesOf(
    PROFILE,
    { name: 'tag', fields: [] },
    { name: 'comment', fields: [], relations: [{ schema: 'profile', kind: '1:1' }] },
    {
      name: 'article',
      fields: [],
      relations: [
        { schema: 'comment', kind: '1:N' },
        { schema: 'profile', kind: '1:0', name: 'editor', onRemove: 'restrict' },
        { schema: 'tag', kind: 'N:N' },
      ],
    },
  );
  const author = columnOf(tables, 'comment', 'profile_id');
  assert.equal(
    [author?.isRequired, author?.references],
    [true, { table: 'profile', column: 'profile_id', onDelete: 'restrict' }],
  );
  const parent = columnOf(tables, 'comment', 'article_id');
  assert.equal(
    [parent?.isRequired, parent?.references],
    [false, { table: 'article', column: 'article_id', onDelete: 'set null' }],
  );
  assert.is(columnOf(tables, 'article', 'editor_id')?.references?.onDelete, 'restrict');
  const join = tables.find(({ name }) => name === 'article_tag');
  assert.equal(join?.primaryKey, ['article_id', 'tag_id']);
  assert.equal(
    join?.columns.map(({ references }) => references?.onDelete),
    ['cascade', 'cascade'],
  );
});

test("features' own tables", () => {
  const table = toSystemTable(
    {
      name: 'treadle_x',
      columns: [
        { name: 'key', type: 'key' },
        { name: 'data', type: 'json', isRequired: true, default: '{}' },
        { name: 'profile_id', type: 'integer', references: 'profile.profile_id' },
      ],
    },
    'sqlite',
  );
  assert.equal([table.primaryKey, table.isCounting], [['key'], false]);
  assert.equal(table.columns[1], { name: 'data', type: 'text', isRequired: true, default: '{}' });
  assert.equal(table.columns[2]?.references, { table: 'profile', column: 'profile_id', onDelete: 'cascade' });
});

test.run();
