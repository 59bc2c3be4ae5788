import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describe } from '../../../src/database/archive/describe.ts';
import { migrate } from '../../../src/database/migration.ts';
import { onSite } from '../migration/_world.ts';
import type { SchemaSketch } from '../model.ts';
import { tablesFor } from '../model.ts';

const test = suite('database/archive/defined-index');

const ARTICLE: SchemaSketch = {
  name: 'article',
  fields: [
    { name: 'published', type: 'switch', filterable: true },
    { name: 'views', type: 'number' },
  ],
  indexes: [{ columns: ['published', '-views'] }, { columns: ['views', 'published'], where: { published: true } }],
};

test('an archive has no index of the definitions and does not call it left out: a restore migrates', () =>
  onSite(async ({ database, tables }) => {
    await migrate(database, tables(ARTICLE));
    const { tables: found, left } = await describe(database, tablesFor('postgres', ARTICLE));
    const names = found.find(({ name }) => name === 'article')?.indexes.map(({ name }) => name);
    assert.equal(names, ['article_published_index']);
    assert.equal(
      left.filter((text) => text.includes('article')),
      [],
    );
  }));

const VISIT: SchemaSketch = {
  name: 'visit',
  fields: [
    { name: 'from', type: 'date' },
    { name: 'until', type: 'date' },
  ],
  exclude: [{ range: ['from', 'until'] }],
};

test('nor has it a rule of exclude', () =>
  onSite(async ({ database, tables }) => {
    await migrate(database, tables(VISIT));
    const { tables: found, left } = await describe(database, tablesFor('postgres', VISIT));
    assert.equal(found.find(({ name }) => name === 'visit')?.indexes, []);
    assert.equal(
      left.filter((text) => text.includes('visit')),
      [],
    );
  }));

const LINE: SchemaSketch = {
  name: 'line',
  fields: [
    { name: 'cost', type: 'decimal' },
    { name: 'count', type: 'number' },
    { name: 'total', type: 'computed', expression: 'cost * count', stored: true, sortable: true },
  ],
  indexes: [{ columns: ['-total'] }, { columns: ['count'], where: { total: { gt: '9.5' } } }],
};

test('nor has it an index of a stored computed field, or one whose condition tests such a field', () =>
  onSite(async ({ database, tables }) => {
    await migrate(database, tables(LINE));
    const { tables: found, left } = await describe(database, tablesFor(database.dialect, LINE));
    assert.equal(found.find(({ name }) => name === 'line')?.indexes, []);
    assert.equal(
      left.filter((text) => text.includes('line')),
      [],
    );
  }));

test.run();
