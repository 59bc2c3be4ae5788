// Indexes of a schema follow renames, and go with what they name.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import { removeWithReferences } from '../../../src/model/removal/cascade.ts';
import { findReferences, printReference } from '../../../src/model/removal/reference.ts';
import type { Target } from '../../../src/model/removal/target.ts';
import { renameField, renameRelation, renameSchema } from '../../../src/model/rename/rename.ts';
import { toDefinitions } from './_definitions.ts';

const test = suite('model/rename/index');

const INDEXES = [
  { columns: ['published', '-article_views'], where: { published: true } },
  { columns: ['-description', 'author_id'], where: { description: { null: false }, article_views: { gte: 5 } } },
];

const world = toDefinitions({
  'schema/article': {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    fields: [
      { name: 'published', type: 'switch' },
      { name: 'views', type: 'number' },
      { name: 'description', type: 'text' },
    ],
    relations: [{ schema: 'person', kind: '1:0', name: 'author' }],
    indexes: INDEXES,
  },
  'schema/person': { name: 'person', singular: 'P', plural: 'Ps', fields: [{ name: 'name', type: 'text' }] },
});

type Renamed = ReturnType<typeof renameField>;
const read = ({ definitions }: Pick<Renamed, 'definitions'>, schema = 'article') => {
  assert.equal(linkModel(definitions).problems, []);
  return definitions.schema.get(schema)?.value.indexes;
};

test('the world itself has no problem', () => assert.equal(linkModel(world).problems, []));

test('a field by its own name, in columns and conditions', () => {
  assert.equal(read(renameField(world, 'article', 'published', 'live')), [
    { columns: ['live', '-article_views'], where: { live: true } },
    INDEXES[1],
  ]);
});

test('a field by its column', () => {
  assert.equal(read(renameField(world, 'article', 'views', 'seen')), [
    { columns: ['published', '-article_seen'], where: { published: true } },
    { columns: ['-description', 'author_id'], where: { description: { null: false }, article_seen: { gte: 5 } } },
  ]);
});

test('the schema: its columns have the new prefix, and fields keep their own names', () => {
  assert.equal(read(renameSchema(world, 'article', 'post'), 'post'), [
    { columns: ['published', '-post_views'], where: { published: true } },
    { columns: ['-description', 'author_id'], where: { description: { null: false }, post_views: { gte: 5 } } },
  ]);
});

test('a relation by its key', () => {
  const [, second] = read(renameRelation(world, 'article', 'author', 'writer')) ?? [];
  assert.equal(second?.columns, ['-description', 'writer_id']);
});

const REMOVED: readonly (readonly [string, Target, readonly string[], unknown])[] = [
  [
    'a field of columns and a condition',
    { kind: 'field', owner: 'schema', of: 'article', name: 'published' },
    ['indexes[0].columns[0] names published', 'indexes[0].where.published names published'],
    [INDEXES[1]],
  ],
  [
    'a field that is called as a text of the definition',
    { kind: 'field', owner: 'schema', of: 'article', name: 'description' },
    ['indexes[1].columns[0] names description', 'indexes[1].where.description names description'],
    [INDEXES[0]],
  ],
  [
    'a relation',
    { kind: 'relation', of: 'article', name: 'author' },
    ['indexes[1].columns[1] names author_id'],
    [INDEXES[0]],
  ],
  [
    'a field of all indexes',
    { kind: 'field', owner: 'schema', of: 'article', name: 'views' },
    ['indexes[0].columns[1] names article_views', 'indexes[1].where.article_views names article_views'],
    undefined,
  ],
];

for (const [name, target, named, left] of REMOVED) {
  test(`an index goes with ${name}, which the removal tells of`, () => {
    const told = findReferences(world, target).map((reference) => printReference(reference).replace(/^\S+ /, ''));
    assert.equal(told, named);
    assert.equal(read(removeWithReferences(world, target)), left);
  });
}

test.run();
