import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import { removeWithReferences } from '../../../src/model/removal/cascade.ts';
import { renameField } from '../../../src/model/rename/rename.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/link/trees');

const toWorld = (relation: object, more: object = {}) =>
  toDefinitions({
    'schema/category': {
      ...{ name: 'category', singular: 'Category', plural: 'Categories' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'place', type: 'number' },
        { name: 'price', type: 'price' },
        { name: 'open', type: 'switch' },
        { name: 'computed', type: 'computed', expression: 'place * 2', stored: true },
        { name: 'rank', type: 'computed', expression: '0 - place' },
      ],
      relations: [{ schema: 'category', kind: '1:0', name: 'parent', ...relation }],
    },
    'schema/product': { name: 'product', singular: 'P', plural: 'Ps', fields: [{ name: 'title', type: 'text' }] },
    ...more,
  });

const listTrees = (relation: object) =>
  linkModel(toWorld(relation))
    .model?.schemas.get('category')
    ?.trees.map(({ name, column, order }) => [name, column, order]);

test('a relation to itself is a tree by the key of the parent', () => {
  assert.equal(listTrees({}), []);
  assert.equal(listTrees({ tree: false }), []);
  assert.equal(listTrees({ tree: true }), [['parent', 'parent_id', undefined]]);
  assert.equal(listTrees({ tree: true, order: 'place' }), [['parent', 'parent_id', 'category_place']]);
  assert.equal(listTrees({ tree: true, kind: '1:N', name: 'children' }), [
    ['children', 'category_children_id', undefined],
  ]);
});

for (const [relation, code, path, message] of [
  [
    { tree: true, schema: 'product' },
    'MODEL_TREE_KIND',
    'relations[0].tree',
    /^A relation of "category" to "product" cannot be a tree/,
  ],
  [
    { tree: true, kind: 'N:N' },
    'MODEL_TREE_KIND',
    'relations[0].tree',
    /^A N:N cannot be a tree: a row has one parent/,
  ],
  [
    { tree: true, order: 'plase' },
    'MODEL_TREE_ORDER',
    'relations[0].order',
    /names the field "plase" of "category", which does not exist\.$/,
  ],
  [{ tree: true, order: 'rank' }, 'MODEL_TREE_ORDER', 'relations[0].order', /which is computed\.$/],
  [{ tree: true, order: 'price' }, 'MODEL_TREE_ORDER', 'relations[0].order', /which does not hold whole numbers\.$/],
  [{ tree: true, order: 'open' }, 'MODEL_TREE_ORDER', 'relations[0].order', /which does not hold whole numbers\.$/],
  [{ tree: true, order: 'computed' }, 'MODEL_TREE_ORDER', 'relations[0].order', /which is computed\.$/],
  [
    { order: 'place' },
    'MODEL_TREE_ORDER',
    'relations[0].order',
    /sorts the children of a tree, and this relation is none\.$/,
  ],
] as const)
  test(`${JSON.stringify(relation)} is ${code}, with the place and a remedy`, () => {
    const found = linkModel(toWorld(relation)).problems.find((problem) => problem.code === code);
    assert.equal(
      [found?.path, message.test(found?.message ?? ''), (found?.hint ?? '') !== ''],
      [path, true, true],
      found?.message,
    );
  });

test('the filter of a web hook and the condition of an index cannot walk a tree', () => {
  const hook = {
    ...{ title: 'H', event: 'system-model-create', parameters: { schema: 'category' }, type: 'category.created' },
    ...{ audience: 'app', method: 'post', delivery: 'queued', secretVersion: 1, description: 'x' },
    filter: { parent_id: { below: 1 } },
  };
  const { problems } = linkModel(toWorld({ tree: true }, { 'webhook/made': hook }));
  assert.match(
    problems.find(({ code }) => code === 'MODEL_HOOK_OPERATOR')?.message ?? '',
    /^"below" depends on other rows/,
  );
});

test('the order follows a renamed field, and goes with a removed one; the tree stays', () => {
  const world = toWorld({ tree: true, order: 'place' });
  const toRelation = (changes: readonly { readonly value: unknown }[]) =>
    (changes[0]?.value as { relations?: { order?: string; tree?: boolean }[] } | undefined)?.relations?.[0];
  const renamed = renameField(world, 'category', 'place', 'rank');
  assert.is(toRelation(renamed.changes)?.order, 'rank');
  const target = { kind: 'field', owner: 'schema', of: 'category', name: 'place' } as const;
  const left = toRelation(removeWithReferences(world, target).changes);
  assert.equal([left?.tree, left?.order], [true, undefined]);
});

test.run();
