import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { suggest, toDidYouMean } from '../../src/core/text/suggest.ts';
import {
  findColumnReserve,
  findFieldReserve,
  findRelationReserve,
  findSchemaReserve,
  toColumn,
  toLabelText,
  toPlural,
  toPrimary,
  toTable,
} from '../../src/model/names.ts';

const test = suite('model/names');

const PLURALS = {
  Article: 'Articles',
  Category: 'Categories',
  category: 'categories',
  Day: 'Days',
  Box: 'Boxes',
  Bus: 'Buses',
  Branch: 'Branches',
  Wish: 'Wishes',
  Quiz: 'Quizzes',
  Person: 'People',
  Child: 'Children',
  'Sales person': 'Sales people',
  Series: 'Series',
  News: 'News',
  Leaf: 'Leaves',
  Photo: 'Photos',
  Hero: 'Heroes',
  URL: 'URLs',
  BUS: 'BUSes',
  'Level 2': 'Level 2s',
  '': '',
};

for (const [singular, plural] of Object.entries(PLURALS)) {
  test(`the plural of "${singular}"`, () => assert.is(toPlural(singular), plural));
}

test('labels', () => {
  for (const name of ['first_name', 'first-name', 'firstName', '_first__name'])
    assert.is(toLabelText(name), 'First name');
  assert.is(toLabelText(''), '');
});

test('tables and columns', () => {
  assert.is(toTable('blog-post'), 'blog_post');
  assert.is(toPrimary('blog-post'), 'blog_post_id');
  assert.is(toColumn('blog-post', 'sub-title'), 'blog_post_sub_title');
});

test('reserved schema names say why', () => {
  for (const name of ['auth', 'session', 'app', 'rest', 'scope', 'webhook', 'role', 'system', 'admin', 'schema']) {
    assert.type(findSchemaReserve(name), 'string', name);
  }
  for (const name of [
    'treadle_x',
    'treadles',
    'sqlite-x',
    'sqlite_master',
    'pg_class',
    'pg-class',
    'constructor',
    'toString',
    'prototype',
  ]) {
    assert.type(findSchemaReserve(name), 'string', name);
  }
  for (const name of ['article', 'profile', 'user', 'order', 'group', 'select', 'page', 'application']) {
    assert.is(findSchemaReserve(name), undefined, name);
  }
});

test('reserved field, relation and column names say why', () => {
  for (const name of ['id', 'iD', 'constructor', 'hasOwnProperty']) assert.type(findFieldReserve(name), 'string', name);
  for (const name of ['title', 'idea', 'id_card']) assert.is(findFieldReserve(name), undefined, name);
  assert.type(findRelationReserve('prototype'), 'string');
  assert.is(findRelationReserve('comment'), undefined);
  for (const name of ['client_id', 'client_secret', 'access_token', 'access_secret', 'a'.repeat(64)]) {
    assert.type(findColumnReserve(name), 'string', name);
  }
  assert.is(findColumnReserve('a'.repeat(63)), undefined);
});

const NEAR: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ['artcle', ['comment', 'article'], 'article'],
  ['Article', ['article'], 'article'],
  ['aritcle', ['article'], 'article'],
  ['detial', ['details', 'detail'], 'detail'],
  ['zzz', ['article'], undefined],
  ['x', ['a', 'b'], undefined],
  ['gte', ['gt', 'lte'], 'gt'],
  ['', ['a'], undefined],
  ['a', [], undefined],
  ['comments_of', ['comment', 'comments_on', 'omcments_of'], 'comments_on'],
  ['ab_cdefgh', ['ba_dcefgh', 'ba_dcehgf'], 'ba_dcefgh'],
  ['xyarticle', ['artic', 'article', 'particle'], 'article'],
];

test('a suggestion has at most the given number of edits', () => {
  const sentence = 'There are no articles yet.';
  assert.is(suggest('There are no artcles yte.', [sentence], 2), sentence);
  assert.is(suggest('There are no artcles yte.', [sentence], 1), undefined);
});

for (const [word, candidates, found] of NEAR) {
  test(`near to "${word}"`, () => assert.is(suggest(word, candidates), found));
}

test('the remedy for an unknown word', () => {
  assert.is(toDidYouMean('artcle', ['article']), 'Did you mean "article"?');
  assert.is(toDidYouMean('zzz', []), 'None yet.');
  assert.is(toDidYouMean('zzz', ['article']), 'There is only article.');
  assert.is(toDidYouMean('zzz', new Set(['a', 'b'])), 'There are a, b.');
  assert.match(
    toDidYouMean(
      'zzz',
      Array.from({ length: 20 }, (_, index) => `word${index}`),
    ),
    / and 8 more\.$/,
  );
});

test.run();
