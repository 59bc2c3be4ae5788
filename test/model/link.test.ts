import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printProblem } from '../../src/core/errors.ts';
import { type Definitions, linkModel } from '../../src/model/link.ts';
import type { Model, SchemaModel } from '../../src/model/model.ts';
import { parseDefinition, type Source } from '../../src/model/parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, type FileKind, toFile } from '../../src/model/shape.ts';

const test = suite('model/link');

type Files = Readonly<Record<string, unknown>>;

function toSource(kind: FileKind, name: string, value: unknown): Source<never> {
  const { source, problems } = parseDefinition(kind, toFile(kind, name), JSON.stringify(value, null, 2));
  assert.equal(problems.map(printProblem), []);
  return source as Source<never>;
}

/** Definitions from `{ 'schema/article': {…} }`. */
function toDefinitions(files: Files, broken: readonly string[] = []): Definitions {
  const maps = Object.fromEntries(DEFINITION_KINDS.map((kind) => [kind, new Map<string, Source<never>>()] as const));
  for (const [key, value] of Object.entries(files)) {
    const [kind, name] = key.split('/') as [DefinitionKind, string];
    maps[kind]?.set(name, toSource(kind, name, value));
  }
  return { ...maps, settings: toSource('settings', '', {}), broken: new Set(broken) } as unknown as Definitions;
}

const toSchema = (name: string, parts: object = {}): object => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [{ name: 'title', type: 'text' }],
  ...parts,
});

const relate = (...relations: readonly object[]): object => ({ relations });

function getModel(files: Files): Model {
  const { model, problems } = linkModel(toDefinitions(files));
  assert.equal(problems.filter(({ severity }) => severity !== 'advice').map(printProblem), []);
  if (model === undefined) throw new Error('no model');
  return model;
}

function getSchema(model: Model, name: string): SchemaModel {
  const schema = model.schemas.get(name);
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return schema;
}

const toCodes = (files: Files, broken: readonly string[] = []): string[] =>
  linkModel(toDefinitions(files, broken)).problems.map(({ code }) => code);

test('columns with their names, labels and flags', () => {
  const model = getModel({
    'schema/blog-post': toSchema('blog-post', {
      fields: [
        { name: 'sub-title', type: 'text', label: 'Under', required: true, searchable: true },
        {
          name: 'slug',
          type: 'slug',
          validation: [{ method: 'required' }, { method: 'unique' }],
          filterable: true,
          sortable: true,
        },
        { name: 'total', type: 'none', list: { format: 'formula', parameters: ['1 + 1'] } },
        { name: 'active', type: 'active' },
        { name: 'made', type: 'created' },
        { name: 'changed', type: 'updated' },
      ],
      display: '{{blog_post_slug}} {{total}} {{#if x}}{{else}}{{this}}{{/if}}',
    }),
  });
  const schema = getSchema(model, 'blog-post');
  assert.equal([schema.table, schema.primary], ['blog_post', 'blog_post_id']);
  assert.equal(
    [schema.active, schema.created, schema.updated],
    ['blog_post_active', 'blog_post_made', 'blog_post_changed'],
  );
  assert.equal(
    schema.columns.map(({ name }) => name.slice('blog_post_'.length)),
    ['sub_title', 'slug', 'active', 'made', 'changed'],
  );
  const [title, slug] = schema.columns;
  assert.equal([title?.label, title?.isRequired, title?.isUnique, title?.isSearchable], ['Under', true, false, true]);
  assert.equal(
    [slug?.label, slug?.isRequired, slug?.isUnique, slug?.isFilterable, slug?.isSortable],
    ['Slug', true, true, true, true],
  );
  assert.is(schema.byName.get('sub-title'), title);
  assert.is(schema.byName.get('blog_post_sub_title'), title);
  assert.equal(title?.was, []);
  assert.ok(
    Object.isFrozen(model) && Object.isFrozen(schema) && Object.isFrozen(title) && Object.isFrozen(schema.relations),
  );
});

test('the full name wins where a field is named as another column', () => {
  const fields = ['a_title', 'title'].map((name) => ({ name, type: 'text' }));
  const schema = getSchema(getModel({ 'schema/a': toSchema('a', { fields }) }), 'a');
  assert.is(schema.byName.get('a_title')?.field.name, 'title');
  assert.is(schema.byName.get('a_a_title')?.field.name, 'a_title');
});

test('renames are kept: of the field, of the schema, of both', () => {
  const fields = [
    { name: 'title', type: 'text', was: 'name' },
    { name: 'body', type: 'text' },
  ];
  const plain = getSchema(getModel({ 'schema/post': toSchema('post', { fields }) }), 'post');
  assert.equal(
    plain.columns.map(({ was }) => was),
    [['post_name'], []],
  );
  const both = getSchema(getModel({ 'schema/post': toSchema('post', { fields, was: 'article' }) }), 'post');
  assert.equal(
    both.columns.map(({ was }) => was),
    [['article_name', 'post_name', 'article_title'], ['article_body']],
  );
  assert.equal(both.was, ['article']);
});

/** Kind, own name, self-relation or not: table, source column, target column. */
const STORAGE: readonly (readonly [string, string | undefined, boolean, readonly (string | undefined)[]])[] = [
  ['1:1', undefined, false, ['blog_post', undefined, 'writer_id']],
  ['1:1', 'main-author', false, ['blog_post', undefined, 'main_author_id']],
  ['1:0', undefined, false, ['blog_post', undefined, 'writer_id']],
  ['1:0', 'parent', true, ['blog_post', undefined, 'parent_id']],
  ['1:N', undefined, false, ['writer', 'blog_post_id', undefined]],
  ['1:N', 'fans', false, ['writer', 'blog_post_fans_id', undefined]],
  ['1:N', undefined, true, ['blog_post', 'blog_post_blog_post_id', undefined]],
  ['1:N', 'below', true, ['blog_post', 'blog_post_below_id', undefined]],
  ['N:N', undefined, false, ['blog_post_writer', 'blog_post_id', 'writer_id']],
  ['N:N', 'fans', false, ['blog_post_fans', 'blog_post_id', 'writer_id']],
  ['N:N', 'alike', true, ['blog_post_alike', 'blog_post_id_1', 'blog_post_id_2']],
];

for (const [kind, name, isSelf, expected] of STORAGE) {
  test(`a ${kind} ${name ?? 'without name'}${isSelf ? ' to itself' : ''}`, () => {
    const schema = isSelf ? 'blog-post' : 'writer';
    const relation = name === undefined ? { schema, kind } : { schema, kind, name };
    const model = getModel({
      'schema/blog-post': toSchema('blog-post', relate(relation)),
      'schema/writer': toSchema('writer'),
    });
    const found = getSchema(model, 'blog-post').relations[0];
    assert.equal([found?.table, found?.sourceColumn, found?.targetColumn], expected);
    assert.equal([found?.name, found?.source, found?.target, found?.kind], [name ?? schema, 'blog-post', schema, kind]);
    assert.equal(getSchema(model, schema).reverse, [found]);
  });
}

const profile = toSchema('profile', { fields: [{ name: 'title', type: 'text', private: false }] });
const toHook = (parts: object = {}): object => ({ title: 'H', event: 'e', type: 'a.b', ...parts });
const toCall = (parts: object = {}): object => ({
  title: 'T',
  access: 'public',
  method: 'get',
  path: '/x',
  event: 'system-model-search',
  ...parts,
});
const toScope = (slug: string, calls: readonly string[], access = 'user'): object => ({
  slug,
  name: slug,
  access,
  calls,
});

test('calls with their path, parameters, scopes and schema', () => {
  const model = getModel({
    'schema/profile': profile,
    'rest/mine': toCall({ access: 'user', path: '/user/:profile_id/*', parameters: { schema: 'profile' } }),
    'rest/all': toCall({ access: 'user', path: '/all', own: false }),
    'rest/free': toCall({ event: 'x' }),
    'scope/one': toScope('one', ['mine', 'all']),
    'scope/two': toScope('two', ['mine']),
  });
  const mine = model.calls.get('mine');
  assert.equal(
    [mine?.path, mine?.parameters, mine?.scopes],
    ['/rest/user/:profile_id/*', ['profile_id'], ['one', 'two']],
  );
  assert.equal([mine?.schema, mine?.isOwn, mine?.file], ['profile', true, 'config/rest/mine.json']);
  assert.equal([model.calls.get('all')?.isOwn, model.calls.get('free')?.isOwn], [false, false]);
  assert.is(model.calls.get('free')?.schema, undefined);
  assert.equal(model.scopes.get('one')?.calls, ['mine', 'all']);
});

test('hooks, apps and roles', () => {
  const model = getModel({
    'schema/profile': profile,
    'webhook/made': {
      title: 'Made',
      event: 'system-model-create',
      parameters: { schema: 'profile' },
      type: 'profile.created',
    },
    'app/reader': { title: 'R', clientId: 'reader', hooks: ['made'], webhook: 'https://a.org' },
    'role/admin': { slug: 'admin', name: 'A', permissions: [] },
    'fieldset/address': { name: 'address', singular: 'A', plural: 'As', fields: [{ name: 'x', type: 'text' }] },
  });
  assert.is(model.hooks.get('made')?.schema, 'profile');
  assert.is(model.apps.get('reader')?.definition.clientId, 'reader');
  assert.is(model.roles.get('admin')?.name, 'A');
  assert.is(model.fieldsets.get('address')?.singular, 'A');
});

/** Methods and paths of two calls, and whether they conflict. */
const ROUTES: readonly (readonly [string, string, string, string, boolean])[] = [
  ['get', '/x', 'get', '/x', true],
  ['get', '/x', 'get', '/X/', true],
  ['get', '/x', 'post', '/x', false],
  ['all', '/x', 'post', '/x', true],
  ['delete', '/x', 'all', '/x', true],
  ['get', '/x/:a', 'get', '/x/:b', true],
  ['get', '/x/:a', 'get', '/x/a', false],
  ['get', '/x', 'get', '/y', false],
];

for (const [method, path, otherMethod, otherPath, isTwice] of ROUTES) {
  test(`${method} ${path} together with ${otherMethod} ${otherPath}`, () => {
    const codes = toCodes({
      'rest/a': toCall({ method, path }),
      'rest/b': toCall({ method: otherMethod, path: otherPath }),
    });
    assert.equal(codes, isTwice ? ['MODEL_CALL_DUPLICATE'] : []);
  });
}

const OWN: readonly (readonly [string, object, object, readonly string[]])[] = [
  ['no relation', {}, {}, ['MODEL_CALL_OWN']],
  ['no relation, own false', {}, { own: false }, []],
  ['1:1', relate({ schema: 'profile', kind: '1:1' }), {}, []],
  ['1:0 with a name', relate({ schema: 'profile', kind: '1:0', name: 'owner' }), { own: true }, []],
  ['1:N', relate({ schema: 'profile', kind: '1:N' }), {}, ['MODEL_CALL_OWN']],
];

for (const [name, parts, call, codes] of OWN) {
  test(`a user call on a schema with ${name}`, () => {
    const found = toCodes({
      'schema/profile': profile,
      'schema/note': toSchema('note', parts),
      'rest/a': toCall({ access: 'user', parameters: { schema: 'note' }, ...call }),
      'scope/s': toScope('s', ['a']),
    });
    assert.equal(found, codes);
  });
}

const one = (fields: readonly object[], parts: object = {}): Files => ({
  'schema/a': toSchema('a', { fields, ...parts }),
});

/** The error, and its codes. */
const BROKEN: readonly (readonly [string, Files, readonly string[]])[] = [
  [
    'a display that names nothing',
    { 'schema/a': toSchema('a', { display: '{{a_titel}}' }) },
    ['MODEL_DISPLAY_UNKNOWN'],
  ],
  ['tables that are one', { 'schema/a-b': toSchema('a-b'), 'schema/a_b': toSchema('a_b') }, ['MODEL_SCHEMA_DUPLICATE']],
  ['was of today', { 'schema/a': toSchema('a', { was: 'a' }) }, ['MODEL_SCHEMA_WAS']],
  [
    'a reserved column of a field',
    { 'schema/access': toSchema('access', { fields: [{ name: 'token', type: 'text' }] }) },
    ['MODEL_COLUMN_RESERVED'],
  ],
  ['a reserved key', { 'schema/client': toSchema('client') }, ['MODEL_COLUMN_RESERVED']],
  ['a column that is too long', one([{ name: 'x'.repeat(62), type: 'text' }]), ['MODEL_COLUMN_RESERVED']],
  [
    'a reserved foreign key',
    { 'schema/a': toSchema('a', relate({ schema: 'a', kind: '1:0', name: 'client' })) },
    ['MODEL_RELATION_STORAGE'],
  ],
  [
    'both ends of one relation',
    {
      'schema/a': toSchema('a', relate({ schema: 'b', kind: '1:N' })),
      'schema/b': toSchema('b', relate({ schema: 'a', kind: '1:1' })),
    },
    ['MODEL_RELATION_STORAGE'],
  ],
  [
    'a join table that is a schema',
    {
      'schema/a': toSchema('a', relate({ schema: 'b', kind: 'N:N' })),
      'schema/b': toSchema('b'),
      'schema/a_b': toSchema('a_b'),
    },
    ['MODEL_RELATION_STORAGE'],
  ],
  [
    'rows that would show two columns of one name',
    {
      'schema/a': toSchema('a', { fields: [{ name: 'b_c', type: 'text' }], ...relate({ schema: 'a_b', kind: '1:1' }) }),
      'schema/a_b': toSchema('a_b', { fields: [{ name: 'c', type: 'text' }] }),
    },
    ['MODEL_RELATION_FLAT'],
  ],
  [
    'a relation named as a column',
    { 'schema/a': toSchema('a', relate({ schema: 'a', kind: 'N:N', name: 'a_title' })) },
    ['MODEL_RELATION_RESERVED'],
  ],
  [
    'a relation named as a prototype',
    { 'schema/a': toSchema('a', relate({ schema: 'a', kind: 'N:N', name: 'constructor' })) },
    ['MODEL_RELATION_RESERVED'],
  ],
  [
    'a 1:1 to itself',
    { 'schema/a': toSchema('a', relate({ schema: 'a', kind: '1:1', name: 'b' })) },
    ['MODEL_RELATION_CYCLE'],
  ],
  [
    'a method without its list',
    one([{ name: 'x', type: 'text', validation: [{ method: 'one' }] }]),
    ['MODEL_VALIDATION_PARAMETERS'],
  ],
  [
    'a method of the prototype',
    one([{ name: 'x', type: 'text', validation: [{ method: 'constructor' }] }]),
    ['MODEL_VALIDATION_UNKNOWN'],
  ],
  [
    'an unsafe pattern',
    one([{ name: 'x', type: 'text', validation: [{ method: 'regexp', parameters: '(a+)+' }] }]),
    ['MODEL_VALIDATION_PARAMETERS'],
  ],
  [
    'a fieldset that may be unique',
    { 'fieldset/a': toSchema('a', { fields: [{ name: 'x', type: 'text', unique: true }] }) },
    ['MODEL_FIELD_FLAG'],
  ],
  ['a system field that is required', one([{ name: 'x', type: 'created', required: true }]), ['MODEL_FIELD_FLAG']],
  ['a private field', one([{ name: 'x', type: 'text', private: true, filterable: true, sortable: true }]), []],
  [
    'a private field that is searchable',
    one([{ name: 'x', type: 'text', private: true, searchable: true }]),
    ['MODEL_FIELD_PRIVATE'],
  ],
  ...['none', 'password', 'active', 'created'].map(
    (type) =>
      [
        `a private ${type}`,
        one([
          { name: 'x', type: 'text' },
          { name: 'y', type, private: true },
        ]),
        ['MODEL_FIELD_FLAG'],
      ] as const,
  ),
  [
    'a fieldset with a private field',
    { 'fieldset/a': toSchema('a', { fields: [{ name: 'x', type: 'text', private: true }] }) },
    ['MODEL_FIELD_FLAG'],
  ],
  [
    'fieldsets that hold each other',
    Object.fromEntries(
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(([name = '', fieldset]) => [
        `fieldset/${name}`,
        toSchema(name, { fields: [{ name: 'x', type: 'fieldset', fieldset }] }),
      ]),
    ),
    ['MODEL_FIELDSET_CYCLE', 'MODEL_FIELDSET_CYCLE'],
  ],
  [
    'two hooks with one secret',
    { 'webhook/a': toHook(), 'webhook/b': toHook({ secretName: 'a' }) },
    ['MODEL_HOOK_SECRET'],
  ],
];

test("a hook's filter and fields name columns that its rows have", () => {
  const tell = (more: object): string[] =>
    linkModel(
      toDefinitions({
        'schema/profile': toSchema('profile', { fields: [{ name: 'name', type: 'text' }] }),
        'schema/article': toSchema('article', {
          fields: [
            { name: 'title', type: 'text' },
            { name: 'code', type: 'password' },
          ],
          ...relate({ schema: 'profile', kind: '1:1' }, { schema: 'article', kind: '1:0', name: 'parent' }),
        }),
        'webhook/a': toHook({ event: 'system-model-update', parameters: { schema: 'article' }, ...more }),
      }),
    ).problems.map(({ code, path, line, hint }) => `${code} ${path}:${line} ${hint}`);
  const known = ['article_id', 'article_title', 'profile_id', 'profile_name', 'parent_id'];
  assert.equal(tell({ fields: known, filter: Object.fromEntries(known.map((name) => [name, 1])) }), []);
  assert.equal(tell({ filter: { changed: 'article_title', original: { article_title: 'x' } } }), []);
  assert.equal(tell({ filter: { 'original.profile_name': 'x' } }), []);
  assert.equal(tell({ fields: ['article_titel'] }), ['MODEL_HOOK_COLUMN fields[0]:9 Did you mean "article_title"?']);
  assert.equal(tell({ filter: { original: { article_titel: 1 } } }), [
    'MODEL_HOOK_COLUMN filter.original.article_titel:10 Did you mean "article_title"?',
  ]);
  assert.equal(tell({ filter: { article_title: { startz: 'x' } } }), [
    'MODEL_HOOK_OPERATOR filter.article_title.startz:10 Did you mean "starts"?',
  ]);
  for (const changed of ['article_titel', ['article_titel'], { has: 'article_titel' }, { in: ['article_titel'] }])
    assert.equal(tell({ filter: { changed } }).length, 1, JSON.stringify(changed));
  assert.is(tell({ fields: ['article_code'] }).length, 1, 'a password is never sent');
  assert.is(tell({ fields: ['article_id', 'article_id'] }).length, 1);
  assert.equal(tell({ event: 'order-paid', filter: { amount: 1 }, fields: ['amount'] }), []);
});

for (const [name, files, codes] of BROKEN)
  test(`refused or advised: ${name}`, () => assert.equal(toCodes(files), codes));

test('columns that are compared with may be named in full or in short', () => {
  const toFields = (parameters: string) => [
    { name: 'from', type: 'date' },
    { name: 'to', type: 'date', validation: [{ method: 'column_gt', parameters }] },
  ];
  assert.equal(toCodes(one(toFields('from'))), []);
  assert.equal(toCodes(one(toFields('a_from'))), []);
  assert.equal(toCodes(one(toFields('form'))), ['MODEL_VALIDATION_COLUMN']);
});

test('a reference to a broken file is no second problem, and no model results', () => {
  const files = {
    'schema/a': toSchema('a', relate({ schema: 'profile', kind: '1:1' })),
    'schema/b': toSchema('b', {
      fields: [
        ...['from', 'until'].map((name) => ({ name, type: 'date' })),
        // Of a relation of the broken file, of an own one to it, and one more computed of both.
        { name: 'people', type: 'computed', expression: 'profile.count' },
        { name: 'helpers', type: 'computed', expression: 'helper.count' },
        { name: 'all', type: 'computed', expression: 'people + helpers' },
      ],
      relations: [
        { schema: 'profile', kind: '1:1', name: 'owner' },
        { schema: 'profile', kind: 'N:N', name: 'helper' },
      ],
      unique: [{ columns: ['owner_id', 'b_from'] }],
      exclude: [{ columns: ['owner_id'], range: ['from', 'until'] }],
      indexes: [{ columns: ['owner_id', '-from'] }],
    }),
    'rest/a': toCall({ access: 'user', parameters: { schema: 'a' } }),
    'scope/s': toScope('s', ['gone']),
    'app/x': { title: 'X', clientId: 'x', scopes: ['lost'] },
  };
  const broken = ['schema/profile', 'rest/gone', 'scope/lost'];
  assert.equal(toCodes(files, broken), []);
  assert.is(linkModel(toDefinitions(files, broken)).model, undefined);
});

test('advice does not stop the model', () => {
  const { model, problems } = linkModel(toDefinitions({ 'rest/a': toCall({ own: true }) }));
  assert.equal(
    problems.map(({ severity }) => severity),
    ['advice'],
  );
  assert.is.not(model, undefined);
});

test('other rules may be given', () => {
  const files = one([
    { name: 'x', type: 'text', validation: [{ method: 'mine' }], list: { format: 'own' }, sortable: true },
  ]);
  const rules = {
    methods: new Set(['mine']),
    formats: new Set(['own']),
    flags: () => new Set(['sortable'] as const),
    findError: () => undefined,
  };
  assert.equal(linkModel(toDefinitions(files), { rules }).problems, []);
});

test.run();
