import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import type { RenamedDefinitions } from '../../../src/model/rename/apply.ts';
import {
  renameDefinition,
  renameField,
  renameGroupField,
  renameRelation,
  renameSchema,
} from '../../../src/model/rename/rename.ts';
import { toDefinitions } from './_definitions.ts';

const test = suite('model/rename');

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', sortable: true, filterable: true },
  { name: 'title_long', type: 'text' },
  { name: 'from', type: 'date' },
  { name: 'to', type: 'date', validation: [{ method: 'column_gt', parameters: 'from' }] },
  {
    name: 'sum',
    type: 'none',
    list: { format: 'formula', parameters: ['{{article_from}} + {{article_to}}'] },
    description: 'From article_from on',
  },
];

const WORLD = {
  'schema/article': {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    display: '{{article_title}}: {{article_title_long}}, {{sum}}',
    fields: FIELDS,
    relations: [
      { schema: 'comment', kind: '1:N' },
      { schema: 'tag', kind: 'N:N' },
      { schema: 'article', kind: '1:0', name: 'parent' },
    ],
  },
  'schema/comment': {
    name: 'comment',
    singular: 'Said',
    plural: 'Sayings',
    display: '{{profile_name}}: {{comment_detail}}',
    fields: [{ name: 'detail', type: 'text' }],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
  'schema/tag': { name: 'tag', singular: 'Tag', plural: 'Tags', fields: [{ name: 'name', type: 'text' }] },
  'schema/profile': {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [{ name: 'name', type: 'text', private: false, sortable: true }],
  },
  'fieldset/address': {
    name: 'address',
    singular: 'Address',
    plural: 'Addresses',
    fields: [
      { name: 'a', type: 'date' },
      { name: 'b', type: 'date', validation: [{ method: 'column_gt', parameters: 'a' }] },
    ],
  },
  'rest/public-article-detail': {
    title: 'Article',
    access: 'public',
    method: 'get',
    path: '/public/article/detail/:article_id',
    event: 'system-model-detail',
    parameters: { schema: 'article', expand: 'comment,tag' },
    description: 'By article_id, not article_id_x.',
  },
  'rest/list': {
    title: 'List',
    access: 'user',
    method: 'get',
    path: '/user/articles',
    own: false,
    event: 'system-model-search',
    parameters: {
      schema: 'article',
      sort: '-article_title,article_id',
      filter: { article_title: { ne: 'article_title' }, 'comment.comment_detail': 'x' },
      fields: ['article_id', 'article_title'],
      article_title_long: 'article_title',
    },
  },
  'rest/link': {
    title: 'Link',
    access: 'app',
    method: 'post',
    path: '/link',
    event: 'system-relation-link',
    parameters: { schema1: 'article', schema2: 'tag', relation: 'tag' },
  },
  'scope/read': { slug: 'read', name: 'Read', access: 'user', calls: ['list'] },
  'webhook/made': {
    title: 'Made',
    event: 'system-model-create',
    parameters: { schema: 'article', article_title: 'x' },
    filter: { article_title: { ne: 'article_title' }, article_title_long: 'x', changed: { has: 'article_title' } },
    fields: ['article_id', 'article_title'],
    type: 'article.created',
  },
  'app/reader': { title: 'R', clientId: 'r', scopes: ['read'], hooks: ['made'], webhook: 'https://example.org/' },
  'role/editor': {
    slug: 'editor',
    name: 'Editor',
    permissions: [
      { method: 'all', path: '/admin/system/model/article/**' },
      { method: 'get', path: '/admin/system/model/article-x/**' },
      { method: 'get', path: '/rest/public/article/**' },
    ],
    data: {
      article: {
        search: true,
        update: {
          filter: { article_title: { ne: 'article_title' }, article_id: { in: ['$me.profile_id', 1] } },
          check: { 'comment.comment_detail': '$me.profile_name' },
          read: ['*', '-title', '-article_title_long'],
          write: ['title', 'article_from', 'title_long'],
        },
      },
      comment: { detail: { read: ['detail', 'profile_id'] } },
    },
  },
} as const;

type Value = Record<string, unknown>;

/** A definition after a rename; the whole project links without problems. */
function at(renamed: RenamedDefinitions, kind: string, name: string): Value {
  assert.equal(linkModel(renamed.definitions).problems, []);
  return (renamed.definitions as unknown as Record<string, ReadonlyMap<string, { value: Value }>>)[kind]?.get(name)
    ?.value as Value;
}

const world = toDefinitions(WORLD);

test('the world itself has no problem', () => assert.equal(linkModel(world).problems, []));

test('a schema: what names it, its columns and its lists', () => {
  const renamed = renameSchema(world, 'article', 'post');
  const post = at(renamed, 'schema', 'post');
  assert.equal(
    [post.name, post.was, post.singular, post.plural, post.display],
    ['post', 'article', 'Post', 'Posts', '{{post_title}}: {{post_title_long}}, {{sum}}'],
  );
  const fields = post.fields as Value[];
  assert.equal(fields[4]?.list, { format: 'formula', parameters: ['{{post_from}} + {{post_to}}'] });
  assert.is(fields[4]?.description, 'From post_from on');
  assert.equal((post.relations as Value[])[2], { schema: 'post', kind: '1:0', name: 'parent' });
  const detail = at(renamed, 'rest', 'public-article-detail');
  assert.is(detail.path, '/public/article/detail/:post_id');
  assert.equal(detail.parameters, { schema: 'post', expand: 'comment,tag' });
  assert.is(detail.description, 'By post_id, not article_id_x.');
  assert.equal(at(renamed, 'rest', 'list').parameters, {
    schema: 'post',
    sort: '-post_title,post_id',
    filter: { post_title: { ne: 'article_title' }, 'comment.comment_detail': 'x' },
    fields: ['post_id', 'post_title'],
    post_title_long: 'article_title',
  });
  assert.equal(at(renamed, 'rest', 'link').parameters, { schema1: 'post', schema2: 'tag', relation: 'tag' });
  assert.equal(at(renamed, 'webhook', 'made').parameters, { schema: 'post', post_title: 'x' });
  assert.equal(at(renamed, 'webhook', 'made').filter, {
    post_title: { ne: 'article_title' },
    post_title_long: 'x',
    changed: { has: 'post_title' },
  });
  assert.equal(at(renamed, 'webhook', 'made').fields, ['post_id', 'post_title']);
  assert.is(at(renamed, 'webhook', 'made').type, 'article.created');
  assert.equal(at(renamed, 'role', 'editor').permissions, [
    { method: 'all', path: '/admin/system/model/post/**' },
    { method: 'get', path: '/admin/system/model/article-x/**' },
    { method: 'get', path: '/rest/public/article/**' },
  ]);
  assert.equal((at(renamed, 'role', 'editor').data as Value).post, {
    search: true,
    update: {
      filter: { post_title: { ne: 'article_title' }, post_id: { in: ['$me.profile_id', 1] } },
      check: { 'comment.comment_detail': '$me.profile_name' },
      read: ['*', '-title', '-post_title_long'],
      write: ['title', 'post_from', 'title_long'],
    },
  });
  const { columns } = renamed.renames;
  assert.is(columns.get('article_id'), 'post_id');
  assert.is(columns.get('article_title_long'), 'post_title_long');
  assert.is(columns.get('comment_detail'), undefined);
});

test('with paths: those of its calls and their names follow, and the scopes that list them', () => {
  const renamed = renameSchema(world, 'article', 'post', { isWithPaths: true });
  assert.is(at(renamed, 'rest', 'public-post-detail').path, '/public/post/detail/:post_id');
  assert.is(at(renamed, 'rest', 'list').path, '/user/articles');
  assert.is((at(renamed, 'role', 'editor').permissions as Value[])[2]?.path, '/rest/public/post/**');
});

test('a schema that others reference: their lists, keys and flat columns', () => {
  const remarks = renameSchema(world, 'comment', 'remark');
  assert.equal(at(remarks, 'rest', 'public-article-detail').parameters, { schema: 'article', expand: 'remark,tag' });
  const { parameters } = at(remarks, 'rest', 'list') as { parameters: Value };
  assert.equal(Object.keys(parameters.filter as Value), ['article_title', 'remark.remark_detail']);
  assert.equal([...remarks.renames.relations], [['comment', 'remark']]);
  // A custom label stays.
  assert.is(at(remarks, 'schema', 'remark').singular, 'Said');
  const people = renameSchema(world, 'profile', 'person');
  assert.is(at(people, 'schema', 'comment').display, '{{person_name}}: {{comment_detail}}');
  assert.is(people.renames.columns.get('profile_id'), 'person_id');
  const { article, comment } = at(people, 'role', 'editor').data as Record<string, Record<string, Value>>;
  assert.equal(comment?.detail, { read: ['detail', 'person_id'] });
  assert.equal(Object.keys(article?.update?.filter as Value), ['article_title', 'article_id']);
});

test('renamed twice, the data may be under either name; renamed back, only the former names are left of it', () => {
  const once = renameSchema(world, 'article', 'post');
  const twice = renameSchema(once.definitions, 'post', 'entry');
  assert.equal(at(twice, 'schema', 'entry').was, ['post', 'article']);
  const back = renameSchema(twice.definitions, 'entry', 'article');
  for (const kind of ['schema', 'rest', 'webhook', 'role'] as const) {
    for (const [name, { value }] of world[kind]) {
      const former = kind === 'schema' && name === 'article' ? { was: ['entry', 'post'] } : {};
      assert.equal(at(back, kind, name), { ...value, ...former }, `${kind}/${name}`);
    }
  }
  assert.is(at(renameSchema(world, 'article', 'art-icle'), 'schema', 'art-icle').was, 'article');
  const dashed = renameSchema(renameSchema(world, 'article', 'a-b').definitions, 'a-b', 'a_b');
  assert.is(at(dashed, 'schema', 'a_b').was, 'article');
});

test('a field: its column, its own name in rules, never a longer word', () => {
  const renamed = renameField(world, 'article', 'title', 'headline');
  const article = at(renamed, 'schema', 'article');
  assert.equal((article.fields as Value[])[0], {
    name: 'headline',
    label: 'Headline',
    type: 'text',
    was: 'title',
    filterable: true,
    sortable: true,
  });
  assert.is(article.display, '{{article_headline}}: {{article_title_long}}, {{sum}}');
  const { parameters } = at(renamed, 'rest', 'list') as { parameters: Value };
  assert.is(parameters.sort, '-article_headline,article_id');
  assert.equal(parameters.filter, { article_headline: { ne: 'article_title' }, 'comment.comment_detail': 'x' });
  assert.is(parameters.article_title_long, 'article_title');
  assert.equal(at(renamed, 'webhook', 'made').parameters, { schema: 'article', article_headline: 'x' });
  assert.equal(at(renamed, 'webhook', 'made').filter, {
    article_headline: { ne: 'article_title' },
    article_title_long: 'x',
    changed: { has: 'article_headline' },
  });
  assert.equal(at(renamed, 'webhook', 'made').fields, ['article_id', 'article_headline']);
  const { update } = (at(renamed, 'role', 'editor').data as { article: { update: Value } }).article;
  assert.equal(
    [Object.keys(update.filter as Value)[0], update.read],
    ['article_headline', ['*', '-headline', '-article_title_long']],
  );
  assert.equal(update.write, ['headline', 'article_from', 'title_long']);
  const from = renameField(world, 'article', 'from', 'begin');
  const [, , , to] = at(from, 'schema', 'article').fields as Value[];
  assert.equal(to?.validation, [{ method: 'column_gt', parameters: 'begin' }]);
  const again = renameField(
    renameField(renamed.definitions, 'article', 'headline', 'head').definitions,
    'article',
    'head',
    'title',
  );
  const [first, ...rest] = at(again, 'schema', 'article').fields as Value[];
  const [title, ...others] = world.schema.get('article')?.value.fields ?? [];
  assert.equal(first, { ...title, was: ['head', 'headline'] });
  assert.equal(rest, others);
});

test('a computed field has no column and no former name; its key follows where it is shown', () => {
  const renamed = renameField(world, 'article', 'sum', 'total');
  const article = at(renamed, 'schema', 'article');
  assert.is((article.fields as Value[])[4]?.was, undefined);
  assert.is(article.display, '{{article_title}}: {{article_title_long}}, {{total}}');
});

test('a field that rows of another schema show flat', () => {
  const renamed = renameField(world, 'profile', 'name', 'nick');
  assert.is(at(renamed, 'schema', 'comment').display, '{{profile_nick}}: {{comment_detail}}');
});

test('a field of a fieldset', () => {
  const [first, second] = at(renameGroupField(world, 'address', 'a', 'c'), 'fieldset', 'address').fields as Value[];
  assert.equal([first?.name, first?.was], ['c', 'a']);
  assert.equal(second?.validation, [{ method: 'column_gt', parameters: 'c' }]);
});

test('a relation: its key, its list, and its name in a stage', () => {
  const renamed = renameRelation(world, 'article', 'tag', 'topic');
  assert.equal((at(renamed, 'schema', 'article').relations as Value[])[1], {
    schema: 'tag',
    kind: 'N:N',
    name: 'topic',
    was: 'tag',
  });
  assert.equal(at(renamed, 'rest', 'public-article-detail').parameters, { schema: 'article', expand: 'comment,topic' });
  assert.is((at(renamed, 'rest', 'link') as { parameters: Value }).parameters.relation, 'topic');
  const back = renameRelation(
    renameRelation(renamed.definitions, 'article', 'topic', 'x').definitions,
    'article',
    'x',
    'tag',
  );
  const before = world.schema.get('article')?.value;
  const relations = before?.relations?.map((each) => (each.schema === 'tag' ? { ...each, was: ['x', 'topic'] } : each));
  assert.equal(at(back, 'schema', 'article'), { ...before, relations });
  const parent = renameRelation(world, 'article', 'parent', 'source');
  assert.is(parent.renames.columns.get('parent_id'), 'source_id');
});

test('a word that means different things is changed only where its schema is known', () => {
  const two = toDefinitions({
    ...WORLD,
    'schema/note': {
      name: 'note',
      singular: 'Note',
      plural: 'Notes',
      display: '{{profile_id}}',
      fields: [{ name: 'x', type: 'text' }],
      relations: [{ schema: 'tag', kind: '1:1', name: 'profile' }],
    },
  });
  const renamed = renameSchema(two, 'profile', 'person');
  assert.is(at(renamed, 'schema', 'note').display, '{{profile_id}}');
  assert.is(renamed.renames.columns.get('profile_id'), undefined);
  assert.ok(renamed.renames.unsure.has('profile_id'));
  assert.is(renamed.renames.bySchema.get('comment')?.columns.get('profile_id'), 'person_id');
});

test('calls, scopes, hooks, apps, roles and fieldsets: every list that names them', () => {
  assert.equal(at(renameDefinition(world, { kind: 'rest', from: 'list', to: 'all' }), 'scope', 'read').calls, ['all']);
  const scoped = renameDefinition(world, { kind: 'scope', from: 'read', to: 'look' });
  assert.equal(at(scoped, 'app', 'reader').scopes, ['look']);
  assert.is(at(scoped, 'scope', 'look').slug, 'look');
  const hooked = renameDefinition(world, { kind: 'webhook', from: 'made', to: 'born' });
  assert.equal(at(hooked, 'app', 'reader').hooks, ['born']);
  assert.is(at(hooked, 'webhook', 'born').secretName, 'made');
  const again = renameDefinition(hooked.definitions, { kind: 'webhook', from: 'born', to: 'x' });
  assert.is(at(again, 'webhook', 'x').secretName, 'made');
  const back = renameDefinition(again.definitions, { kind: 'webhook', from: 'x', to: 'made' });
  assert.equal(at(back, 'webhook', 'made'), world.webhook.get('made')?.value);
  assert.is(
    at(renameDefinition(world, { kind: 'role', from: 'editor', to: 'author' }), 'role', 'author').slug,
    'author',
  );
});

test.run();
