import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import type { Index } from '../../../src/model/shape.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/link/indexes');

const toWorld = (indexes: readonly unknown[]) =>
  toDefinitions({
    'schema/article': {
      name: 'article',
      singular: 'Article',
      plural: 'Articles',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'published', type: 'switch' },
        { name: 'views', type: 'number', sortable: true },
        { name: 'price', type: 'price' },
        { name: 'day', type: 'date' },
        { name: 'status', type: 'select', options: ['draft', 'live'].map((key) => ({ key, value: key })) },
        { name: 'detail', type: 'wysiwyg' },
        { name: 'tags', type: 'tag' },
        { name: 'secret', type: 'password' },
        { name: 'phone', type: 'text', private: true },
        { name: 'active', type: 'active' },
      ],
      relations: [{ schema: 'profile', kind: '1:1' }],
      indexes,
    },
    'schema/profile': {
      name: 'profile',
      singular: 'P',
      plural: 'Ps',
      fields: [{ name: 'name', type: 'text', private: false }],
    },
  });

const readModel = (...indexes: readonly Index[]) => {
  const { model, problems } = linkModel(toWorld(indexes));
  assert.equal(problems, []);
  return model?.schemas.get('article')?.indexes;
};

test('columns and fields may be named, with directions, and keys of relations', () => {
  assert.equal(readModel({ columns: ['published', '-article_views', 'profile_id', 'phone'] }), [
    {
      columns: [
        { name: 'article_published', isDescending: false },
        { name: 'article_views', isDescending: true },
        { name: 'profile_id', isDescending: false },
        { name: 'article_phone', isDescending: false },
      ],
      where: [],
    },
  ]);
});

const WHERE: readonly (readonly [string, NonNullable<Index['where']>, readonly unknown[]])[] = [
  ['a flag', { published: true }, [['article_published', 'eq', 1]]],
  ['a flag as text', { article_published: 'false' }, [['article_published', 'eq', 0]]],
  ['an operator', { views: { gte: '100' } }, [['article_views', 'gte', 100]]],
  [
    'a range',
    { views: { between: '1,9' } },
    [
      ['article_views', 'gte', 1],
      ['article_views', 'lte', 9],
    ],
  ],
  ['an open range', { views: { between: [5, ''] } }, [['article_views', 'gte', 5]]],
  ['a list', { status: ['live', 'draft'] }, [['article_status', 'in', ['draft', 'live']]]],
  ['a list as text', { status: { in: 'live,draft' } }, [['article_status', 'in', ['draft', 'live']]]],
  ['another value', { status: { ne: 'draft' } }, [['article_status', 'ne', 'draft']]],
  ['nothing', { day: null }, [['article_day', 'null', true]]],
  ['something', { day: { null: false } }, [['article_day', 'null', false]]],
  ['a day', { day: { gte: '2026-01-31' } }, [['article_day', 'gte', '2026-01-31']]],
  ['a year as a bound', { day: { gte: 2026 } }, [['article_day', 'gte', '2026']]],
  ['a whole price', { price: { gt: 10 } }, [['article_price', 'gt', 10]]],
  ['a key', { profile_id: { ne: 1 } }, [['profile_id', 'ne', 1]]],
  ['the active rows', { active: true }, [['article_active', 'eq', 1]]],
];

for (const [name, where, wanted] of WHERE) {
  test(`a condition on ${name} in stored form`, () => {
    const [index] = readModel({ columns: ['title', '-views'], where }) ?? [];
    assert.equal(
      index?.where.map(({ column, operator, value }) => [column, operator, value]),
      wanted,
    );
  });
}

const BAD: readonly (readonly [string, readonly Index[], string, RegExp])[] = [
  ['an unknown column', [{ columns: ['vews', 'title'] }], 'MODEL_INDEX_COLUMN', /Did you mean "views"/],
  ['a column of a relation', [{ columns: ['title', 'profile_name'] }], 'MODEL_INDEX_COLUMN', /not a column/],
  [
    'a joined condition',
    [{ columns: ['title', 'views'], where: { 'profile.profile_name': 'a' } }],
    'MODEL_INDEX_COLUMN',
    /own table/,
  ],
  ['long texts', [{ columns: ['title', 'detail'] }], 'MODEL_INDEX_COLUMN', /long texts/],
  ['JSON', [{ columns: ['title', 'tags'] }], 'MODEL_INDEX_COLUMN', /JSON/],
  ['a password', [{ columns: ['title', 'secret'] }], 'MODEL_INDEX_COLUMN', /secret/],
  ['a column that is there twice', [{ columns: ['title', '-article_title'] }], 'MODEL_INDEX_TWICE', /twice/],
  [
    'the same index',
    [{ columns: ['title', 'views'] }, { columns: ['title', 'views'] }],
    'MODEL_INDEX_TWICE',
    /index 1/,
  ],
  [
    'the same index backwards',
    [{ columns: ['-title', 'views'] }, { columns: ['title', '-views'] }],
    'MODEL_INDEX_TWICE',
    /backwards/,
  ],
  ['an index of Treadle', [{ columns: ['-views'] }], 'MODEL_INDEX_OWN', /by itself/],
  ['the key of a relation', [{ columns: ['profile_id'] }], 'MODEL_INDEX_OWN', /key of a relation/],
  [
    'an operator of words',
    [{ columns: ['title', 'views'], where: { title: { contains: 'a' } } }],
    'MODEL_INDEX_CONDITION',
    /Use eq/,
  ],
  [
    'an unknown operator',
    [{ columns: ['title', 'views'], where: { views: { gtt: 1 } } }],
    'MODEL_INDEX_CONDITION',
    /Did you mean "gt/,
  ],
  [
    'the person',
    [{ columns: ['title', 'views'], where: { profile_id: '$me.profile_id' } }],
    'MODEL_INDEX_CONDITION',
    /fixed value/,
  ],
  [
    'the time',
    [{ columns: ['title', 'views'], where: { day: { gte: '$now' } } }],
    'MODEL_INDEX_CONDITION',
    /fixed value/,
  ],
  [
    'the time as a default says it',
    [{ columns: ['title', 'views'], where: { day: 'NOW()' } }],
    'MODEL_INDEX_CONDITION',
    /fixed value/,
  ],
  ['a fraction', [{ columns: ['title', 'views'], where: { price: 1.5 } }], 'MODEL_INDEX_CONDITION', /whole number/],
  [
    'a fraction of whole numbers',
    [{ columns: ['title', 'views'], where: { views: { eq: 1.5 } } }],
    'MODEL_INDEX_CONDITION',
    /whole number/,
  ],
  ['a period', [{ columns: ['title', 'views'], where: { day: '2026' } }], 'MODEL_INDEX_CONDITION', /gte and lte/],
  ['a wrong type', [{ columns: ['title', 'views'], where: { views: 'many' } }], 'MODEL_INDEX_CONDITION', /number/],
  [
    'an unknown option',
    [{ columns: ['title', 'views'], where: { status: 'lve' } }],
    'MODEL_INDEX_CONDITION',
    /Did you mean "live"/,
  ],
  ['an empty list', [{ columns: ['title', 'views'], where: { status: [] } }], 'MODEL_INDEX_CONDITION', /empty list/],
  ['no operator', [{ columns: ['title', 'views'], where: { status: {} } }], 'MODEL_INDEX_CONDITION', /no operator/],
  [
    'two values of one column',
    [{ columns: ['title', 'views'], where: { views: 1, article_views: 2 } }],
    'MODEL_INDEX_TWICE',
    /two conditions/,
  ],
];

for (const [name, indexes, code, text] of BAD) {
  test(`a problem names schema, index and remedy: ${name}`, () => {
    const { problems } = linkModel(toWorld(indexes));
    assert.equal(
      problems.map((problem) => problem.code),
      [code],
    );
    const [problem] = problems;
    assert.match(`${problem?.message} ${problem?.hint}`, text);
    assert.match(problem?.message ?? '', new RegExp(`^Index ${indexes.length} of "article": `));
    assert.match(problem?.path ?? '', new RegExp(`^indexes\\[${indexes.length - 1}\\]`));
    assert.is(problem?.severity === 'advice', code === 'MODEL_INDEX_OWN');
  });
}

test.run();
