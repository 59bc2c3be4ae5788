import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSystemTable } from '../../src/database/table.ts';
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
    ['article_active_index', 'article_title_index', 'article_slug_unique', 'article_count_index'],
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

const wasOf = (tables: ReturnType<typeof tablesOf>, table: string, column: string): unknown =>
  columnOf(tables, table, column)?.was;

test('renames leave the names that something may still have, the likeliest first', () => {
  const tables = tablesOf(
    {
      name: 'human',
      was: 'person',
      fields: [
        { name: 'call', was: 'name', type: 'text' },
        { name: 'age', type: 'number' },
      ],
    },
    {
      name: 'post',
      fields: [],
      relations: [
        { schema: 'human', kind: '1:1' },
        { schema: 'human', kind: '1:0', name: 'editor', was: 'owner' },
        { schema: 'human', kind: 'N:N', name: 'fan', was: 'reader' },
      ],
    },
    { name: 'team', fields: [], relations: [{ schema: 'human', kind: '1:N', name: 'member', was: 'human' }] },
  );
  const human = tables.find(({ name }) => name === 'human');
  assert.equal(human?.was, ['person']);
  assert.equal(wasOf(tables, 'human', 'human_id'), ['person_id']);
  assert.equal(wasOf(tables, 'human', 'human_call'), ['person_name', 'human_name', 'person_call']);
  assert.equal(wasOf(tables, 'human', 'human_age'), ['person_age']);
  assert.equal(columnOf(tables, 'human', 'human_call')?.wasUnder?.person_call, [{ human: 'person' }]);
  assert.equal(wasOf(tables, 'post', 'human_id'), ['person_id']);
  assert.equal(wasOf(tables, 'post', 'editor_id'), ['owner_id']);
  assert.equal(wasOf(tables, 'human', 'team_member_id'), ['team_human_id', 'team_id']);
  const join = tables.find(({ name }) => name === 'post_fan');
  assert.equal([join?.was, join?.columns.map(({ was }) => was)], [['post_reader'], [undefined, ['person_id']]]);
});

test('defaults are stored as values are; what is one value for all rows is the column’s own', () => {
  const [table] = tablesOf({
    name: 'note',
    fields: [
      { name: 'flag', type: 'switch', default: true },
      { name: 'count', type: 'number', default: '3' },
      { name: 'day', type: 'date', default: 'NOW()' },
      { name: 'tags', type: 'tag', default: ['a'] },
      { name: 'made', type: 'created' },
    ],
  });
  assert.equal(
    table?.columns.slice(1).map(({ default: value, fill }) => [value, fill]),
    [
      [1, 1],
      [3, 3],
      [undefined, 'NOW()'],
      [undefined, '["a"]'],
      [undefined, 'NOW()'],
    ],
  );
});

test("features' own tables", () => {
  const table = createSystemTable(
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
  assert.equal(table.columns[1], { name: 'data', type: 'text', isRequired: true, default: '{}', fill: '{}' });
  assert.equal(table.columns[2]?.references, { table: 'profile', column: 'profile_id', onDelete: 'cascade' });
});

test.run();
