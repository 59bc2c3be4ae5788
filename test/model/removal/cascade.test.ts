import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import { removeWithReferences } from '../../../src/model/removal/cascade.ts';
import { listGone } from '../../../src/model/removal/left.ts';
import { findReferences, printReference } from '../../../src/model/removal/reference.ts';
import { type Target, takeAway } from '../../../src/model/removal/target.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/removal');

const toCall = (parameters: object, more: object = {}): object => ({
  title: 'C',
  access: 'public',
  method: 'get',
  event: 'system-model-search',
  parameters,
  ...more,
});

const world = toDefinitions({
  'schema/article': {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    display: '{{article_title}}',
    description: 'article_title is its name',
    fields: [
      { name: 'title', type: 'text', sortable: true, filterable: true },
      { name: 'place', type: 'fieldset', fieldset: 'address' },
      { name: 'from', type: 'date' },
      { name: 'to', type: 'date', validation: [{ method: 'required' }, { method: 'column_gt', parameters: 'from' }] },
      { name: 'sum', type: 'none', list: { format: 'formula', parameters: ['{{article_from}}'] } },
    ],
    relations: [{ schema: 'comment', kind: '1:N' }],
  },
  'schema/comment': {
    name: 'comment',
    singular: 'Comment',
    plural: 'Comments',
    display: '{{profile_name}}',
    fields: [{ name: 'detail', type: 'text' }],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
  'schema/profile': { name: 'profile', singular: 'P', plural: 'Ps', fields: [{ name: 'name', type: 'text' }] },
  'fieldset/address': { name: 'address', singular: 'A', plural: 'As', fields: [{ name: 'zip', type: 'text' }] },
  'rest/comments': toCall(
    { schema: 'comment', fields: 'comment_detail,profile_name' },
    { access: 'user', own: false, path: '/c' },
  ),
  'rest/sorted': toCall({ schema: 'article', sort: '-article_title', expand: ['comment'] }, { path: '/s' }),
  'rest/some': toCall({ schema: 'article', filter: { article_title: 'x' } }, { path: '/f' }),
  'rest/set': toCall({ schema: 'article', article_title: 'x' }, { path: '/t', method: 'post' }),
  'scope/read': { slug: 'read', name: 'Read', access: 'user', calls: ['comments'] },
  'webhook/made': { title: 'M', event: 'e', parameters: { schema: 'article', article_title: 'x' }, type: 'a.b' },
  'app/reader': { title: 'R', clientId: 'r', scopes: ['read'], hooks: ['made'], webhook: 'https://example.org/' },
  'role/editor': {
    slug: 'editor',
    name: 'E',
    permissions: [{ method: 'all', path: '/admin/system/model/article/**' }],
    data: {
      article: {
        search: { filter: { article_title: 'x' }, read: ['from'] },
        update: { read: ['from', 'to'], write: ['*', '-title'] },
      },
    },
  },
});

interface Case {
  readonly target: Target;
  /** `file path` of the references. */
  readonly named: readonly string[];
  /** What is removed too. */
  readonly removed: readonly string[];
  /** Changed definitions. */
  readonly changed: readonly string[];
}

const field = (name: string): Target => ({ kind: 'field', owner: 'schema', of: 'article', name });
const CASES: Readonly<Record<string, Case>> = {
  'a field that is shown, sorted by and a condition': {
    target: field('title'),
    named: [
      'article display',
      'set parameters.article_title',
      'some parameters.filter.article_title',
      'sorted parameters.sort',
      'made parameters.article_title',
      'editor data.article.search.filter.article_title',
      'editor data.article.update.write.1',
    ],
    removed: ['rest some', 'webhook made'],
    changed: ['app/reader', 'rest/set', 'rest/some', 'rest/sorted', 'role/editor', 'schema/article', 'webhook/made'],
  },
  'a field that a rule and a formula name': {
    target: field('from'),
    named: [
      'article fields.3.validation.1.parameters',
      'article fields.4.list.parameters.0',
      'editor data.article.search.read.0',
      'editor data.article.update.read.0',
    ],
    removed: [],
    changed: ['role/editor', 'schema/article'],
  },
  'a schema': {
    target: { kind: 'schema', name: 'article' },
    named: [
      'set parameters.schema',
      'some parameters.schema',
      'sorted parameters.schema',
      'made parameters.schema',
      'editor permissions.0.path',
      'editor data.article',
    ],
    removed: ['rest set', 'rest some', 'rest sorted', 'webhook made'],
    changed: ['app/reader', 'rest/set', 'rest/some', 'rest/sorted', 'role/editor', 'schema/article', 'webhook/made'],
  },
  'a schema that rows show flat': {
    target: { kind: 'schema', name: 'profile' },
    named: ['comment display', 'comment relations.0.schema', 'comments parameters.fields'],
    removed: [],
    changed: ['rest/comments', 'schema/comment', 'schema/profile'],
  },
  'a relation': {
    target: { kind: 'relation', of: 'article', name: 'comment' },
    named: ['sorted parameters.expand.0'],
    removed: [],
    changed: ['rest/sorted', 'schema/article'],
  },
  'a fieldset': {
    target: { kind: 'fieldset', name: 'address' },
    named: ['article fields.1.fieldset'],
    removed: ['field place'],
    changed: ['fieldset/address', 'schema/article'],
  },
  'a call': {
    target: { kind: 'rest', name: 'comments' },
    named: ['read calls.0'],
    removed: [],
    changed: ['rest/comments', 'scope/read'],
  },
  'a scope': {
    target: { kind: 'scope', name: 'read' },
    named: ['reader scopes.0'],
    removed: [],
    changed: ['app/reader', 'scope/read'],
  },
  'a hook': {
    target: { kind: 'webhook', name: 'made' },
    named: ['reader hooks.0'],
    removed: [],
    changed: ['app/reader', 'webhook/made'],
  },
};

test('the world itself has no problem', () => {
  const { problems } = linkModel(world);
  assert.equal(
    problems.filter(({ code }) => code !== 'MODEL_CALL_OWN_IDLE'),
    [],
  );
});

for (const [name, { target, named, removed, changed }] of Object.entries(CASES)) {
  test(name, () => {
    const found = findReferences(world, target);
    assert.equal(found.map((each) => `${each.name} ${each.path.join('.')}`).sort(), [...named].sort());
    for (const each of found) assert.match(printReference(each), /^config\/.+\.json:\d+ \S+ names \S+$/);
    const cascade = removeWithReferences(world, target);
    assert.equal(cascade.removed.map((each) => `${each.kind} ${each.name}`).sort(), [...removed].sort());
    assert.equal(cascade.changes.map((each) => `${each.kind}/${each.name}`).sort(), [...changed].sort());
    assert.equal(linkModel(cascade.definitions).problems, []);
    assert.equal(findReferences(cascade.definitions, target), []);
  });
}

test('a hook sends fewer columns; one with a condition on the column, or without others, goes as a whole', () => {
  const remove = (hook: object) => {
    const definitions = toDefinitions({
      'schema/article': {
        name: 'article',
        singular: 'A',
        plural: 'As',
        fields: [
          { name: 'title', type: 'text' },
          { name: 'text', type: 'text' },
        ],
      },
      'webhook/made': { title: 'M', event: 'e', parameters: { schema: 'article' }, type: 'a.b', ...hook },
    });
    return removeWithReferences(definitions, field('title')).definitions.webhook.get('made')?.value;
  };
  assert.equal(remove({ fields: ['article_title', 'article_text'] })?.fields, ['article_text']);
  assert.is(remove({ fields: ['article_title'] }), undefined);
  assert.is(remove({ fields: ['article_text'], filter: { article_title: 'x' } }), undefined);
  assert.is(remove({ filter: { changed: 'article_title' } }), undefined);
});

test('what only shows a column is shortened; what chose rows by it went as a whole', () => {
  const { definitions } = removeWithReferences(world, field('title'));
  assert.equal(definitions.rest.get('sorted')?.value.parameters, { schema: 'article', expand: ['comment'] });
  assert.equal(definitions.rest.get('set')?.value.parameters, { schema: 'article' });
  assert.is(definitions.schema.get('article')?.value.display, undefined);
  assert.is(definitions.app.get('reader')?.value.hooks, undefined);
  const flat = removeWithReferences(world, { kind: 'schema', name: 'profile' }).definitions;
  assert.is(flat.rest.get('comments')?.value.parameters?.fields, 'comment_detail');
  const rules = removeWithReferences(world, field('from')).definitions.schema.get('article')?.value.fields ?? [];
  assert.equal(rules[2]?.validation, [{ method: 'required' }]);
  assert.is(rules[3]?.list, undefined);
});

test('names that no row has any more; those that another has still are not among them', () => {
  const gone = listGone(world, takeAway(world, { kind: 'schema', name: 'article' }));
  assert.ok(gone.columns.has('article_title') && gone.columns.has('article_id'));
  const unrelated = listGone(world, takeAway(world, { kind: 'relation', of: 'comment', name: 'profile' }));
  assert.not(unrelated.columns.has('profile_id'));
});

test('a role with a filter on a removed field allows nothing there, and lists get shorter', () => {
  const role = (target: Target) => removeWithReferences(world, target).definitions.role.get('editor')?.value.data;
  assert.equal(role(field('title')), {
    article: { search: false, update: { read: ['from', 'to'], write: ['*'] } },
  });
  assert.equal(role(field('from')), {
    article: {
      search: { filter: { article_title: 'x' }, read: [] },
      update: { read: ['to'], write: ['*', '-title'] },
    },
  });
  assert.is(role({ kind: 'schema', name: 'article' }), undefined);
});

const numbers = (...names: string[]) => names.map((name) => ({ name, type: 'number' }));
const compute = (name: string, expression: string) => ({ name, type: 'computed', expression });
const shop = toDefinitions({
  'schema/sale': {
    ...{ name: 'sale', singular: 'S', plural: 'Ss' },
    fields: [
      ...numbers('tax', 'weight'),
      compute('net', 'line.sum(cost) + tax'),
      compute('lines', 'line.count + tax'),
      compute('mean', 'net / lines'),
      compute('heavy', 'weight * weight > 9'),
    ],
    relations: [{ schema: 'line', kind: '1:N' }],
    indexes: [{ columns: ['weight'], where: { tax: { gt: 1 } } }],
  },
  'schema/line': { name: 'line', singular: 'L', plural: 'Ls', fields: numbers('cost', 'count') },
});
const ofSchema = (of: string, name: string): Target => ({ kind: 'field', owner: 'schema', of, name });
const COMPUTED: readonly (readonly [target: Target, removed: readonly string[]])[] = [
  [ofSchema('sale', 'tax'), ['net', 'lines', 'mean']],
  [ofSchema('sale', 'weight'), ['heavy']],
  [ofSchema('sale', 'lines'), ['mean']],
  [ofSchema('line', 'cost'), ['net', 'mean']],
  [ofSchema('line', 'count'), []],
  [{ kind: 'relation', of: 'sale', name: 'line' }, ['net', 'lines', 'mean']],
  [{ kind: 'schema', name: 'line' }, ['net', 'lines', 'mean']],
];
for (const [target, names] of COMPUTED)
  test(`what is computed goes with ${JSON.stringify(target)}, each field once`, () => {
    assert.equal(linkModel(shop).problems, []);
    const { definitions, removed } = removeWithReferences(shop, target);
    assert.equal(
      removed.map(({ name }) => name),
      names,
    );
    assert.equal(
      linkModel(definitions).problems.map(({ message }) => message),
      [],
    );
  });

test.run();
