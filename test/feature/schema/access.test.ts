import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Access, type Grant, NOBODY, type RowPredicate } from '../../../src/core/access.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { onBench, readAll } from './_bench.ts';

const access = suite('access');

/** A rule for each schema: a predicate, `all` or `none`. Other schemas are fully accessible. */
type Rules = Readonly<Record<string, RowPredicate | 'all' | 'none'>>;

function ruled(rules: Rules): Access {
  const find = (schema: string): Grant | undefined => {
    const rule = rules[schema] ?? 'all';
    if (rule === 'none') return undefined;
    return rule === 'all' ? {} : { rows: rule };
  };
  return { kind: 'page', roles: [], scopes: [], grant: find, related: find };
}

const names = (found: { getResults(name: string): unknown }): unknown[] =>
  (found.getResults('rows') as Row[]).map((row) => row.article_title ?? row.comment_detail ?? row.topic_name);

/** Reads of articles under a rule, and the result. */
const OLD: RowPredicate = { anyOf: [{ article_slug: 'old' }] };
const READS: readonly [string, RowPredicate, Record<string, unknown>, readonly unknown[], number?][] = [
  [
    'every row that one of the filters names',
    { anyOf: [{ article_slug: 'old' }, { article_slug: 'new' }] },
    {},
    ['Old wool', 'New linen'],
  ],
  [
    'a filter over a column that requests may not filter by',
    { anyOf: [{ article_detail: { contains: 'wool' } }] },
    {},
    ['Old wool'],
  ],
  ['owner and filter at once', { owner: 1, anyOf: [{ article_slug: 'new' }] }, {}, []],
  ['owner alone', { owner: 1 }, {}, ['Old wool']],
  ['no filter, no row', { anyOf: [] }, {}, []],
  ['an empty filter is every row', { anyOf: [{}] }, {}, ['Old wool', 'New linen']],
  ['under the rule a request may filter further', OLD, { filter: { article_slug: 'new' } }, []],
  ['no operator leads out of the rule', OLD, { filter: { article_slug: { ne: 'old' } } }, []],
  ['words find nothing outside', OLD, { q: 'linen' }, []],
  ['words find what is inside', OLD, { q: 'wool' }, ['Old wool']],
  ['a removed row outside stays hidden', OLD, { filter: { article_active: 'any' } }, ['Old wool']],
  ['a page starts inside', OLD, { sort: '-article_published', limit: 1, offset: 1 }, [], 1],
  ['a rule about related rows', { anyOf: [{ 'comment.profile_id': 2 }] }, {}, ['Old wool']],
];
for (const [name, rule, input, titles, total = titles.length] of READS) {
  access(`search: ${name}`, () =>
    onBench(async ({ emit }) => {
      const found = await emit('system-model-search', { schema: 'article', ...input }, ruled({ article: rule }));
      assert.equal(names(found), [...titles], found.getMessage());
      assert.is(found.getResults('total'), total);
    }),
  );
}

access('groups, sums and counts hold inside rows only', () =>
  onBench(async ({ emit }) => {
    const as = ruled({ article: OLD });
    const groups = await emit('system-model-search', { schema: 'article', group: 'article_slug' }, as);
    assert.equal(groups.getResults('rows'), [{ article_slug: 'old', count: 1 }]);
    const sum = await emit('system-model-search', { schema: 'article', sum: 'article_rank' }, as);
    assert.equal(sum.getResults('rows'), [{ count: 1, total: 3 }]);
  }),
);

access('a 1:1 to a hidden row gives nulls, and the row itself stays', () =>
  onBench(async ({ emit }) => {
    const as = ruled({ profile: { anyOf: [{ profile_name: 'Bob' }] } });
    const found = await emit('system-model-search', { schema: 'comment' }, as);
    assert.equal(
      (found.getResults('rows') as Row[]).map((row) => [row.comment_detail, row.profile_id, row.profile_name]),
      [
        ['First', 1, null],
        ['Second', 2, 'Bob'],
      ],
    );
    const none = await emit('system-model-search', { schema: 'comment' }, ruled({ profile: 'none' }));
    assert.equal(
      (none.getResults('rows') as Row[]).map((row) => row.profile_name),
      [null, null],
    );
    const one = await emit('system-model-detail', { schema: 'comment', comment_id: 1 }, as);
    assert.is(one.getResults('profile_name'), null);
    const words = await emit('system-model-search', { schema: 'comment', q: 'ann' }, as);
    assert.is(words.getResults('total'), 0, 'the words of a hidden row find nothing');
    const filtered = await emit('system-model-search', { schema: 'comment', filter: { profile_name: 'Ann' } }, as);
    assert.is(filtered.getResults('total'), 0);
    const grouped = await emit('system-model-search', { schema: 'comment', group: 'profile_name' }, as);
    assert.equal(
      (grouped.getResults('rows') as Row[]).map((row) => row.profile_name),
      [null, 'Bob'],
    );
  }),
);

access('lists, expand and related filters show inside rows only', () =>
  onBench(async ({ emit }) => {
    const as = ruled({ comment: { owner: 2 }, topic: { anyOf: [{ topic_name: 'Craft' }] }, profile: 'none' });
    const one = await emit('system-model-detail', { schema: 'article', article_id: 1 }, as);
    assert.equal(
      (one.getResults('comment') as Row[]).map((row) => row.comment_detail),
      ['Second'],
    );
    assert.equal(
      (one.getResults('topic') as Row[]).map((row) => row.topic_name),
      ['Craft'],
    );
    assert.is(one.getResults('profile'), null);
    const expand = ['comment', 'topic', 'profile'];
    const page = await emit('system-model-search', { schema: 'article', expand, limit: 5 }, as);
    const [row = {}] = page.getResults('rows') as Row[];
    assert.equal(
      (row.comment as Row[]).map(({ comment_detail }) => comment_detail),
      ['Second'],
    );
    assert.equal(
      (row.topic as Row[]).map(({ topic_name }) => topic_name),
      ['Craft'],
    );
    assert.is(row.profile, null);
    for (const [filter, total] of [
      [{ topic_id: 1 }, 1],
      [{ topic_id: 2 }, 0],
      [{ comment_id: 2 }, 1],
      [{ comment_id: 1 }, 0],
      [{ 'comment.profile_id': 1 }, 0],
      [{ comment: { null: 0 } }, 1],
      [{ profile: { null: 0 } }, 0],
    ] as const) {
      const found = await emit('system-model-search', { schema: 'article', filter }, as);
      assert.is(found.getResults('total'), total, JSON.stringify(filter));
    }
  }),
);

const change = { schema: 'article', article_id: 2, article_title: 'Mine' };
const WRITES: readonly [string, string, Record<string, unknown>, number][] = [
  ['detail by id', 'system-model-detail', { schema: 'article', article_id: 2 }, 404],
  ['detail by a unique column', 'system-model-detail', { schema: 'article', article_slug: 'new' }, 404],
  ['update', 'system-model-update', change, 404],
  ['update out of sight', 'system-model-update', { schema: 'article', article_id: 1, article_slug: 'away' }, 403],
  ['remove', 'system-model-remove', { schema: 'article', article_id: 2 }, 404],
  ['restore', 'system-model-restore', { schema: 'article', article_id: 3 }, 404],
  ['create out of sight', 'system-model-create', { schema: 'article', article_title: 'T', article_slug: 't' }, 403],
  ['import of a change', 'system-model-import', { schema: 'article', rows: [{ article_id: 2, title: 'Mine' }] }, 422],
  ['import out of sight', 'system-model-import', { schema: 'article', rows: [{ title: 'T', slug: 't' }] }, 422],
  ['link', 'system-relation-link', { schema1: 'article', schema2: 'topic', article_id: 2, topic_id: 1 }, 404],
  ['unlink', 'system-relation-unlink', { schema1: 'article', schema2: 'comment', article_id: 2, comment_id: 1 }, 404],
  ['unlink all', 'system-relation-unlink-all', { schema1: 'article', schema2: 'topic', article_id: 2 }, 404],
];

for (const [name, event, stage, status] of WRITES) {
  access(`${name} outside the rule is ${status}, and changes nothing`, () =>
    onBench(async (bench) => {
      const before = await readAll(bench);
      const answer = await bench.emit(event, stage, ruled({ article: OLD }));
      assert.is(answer.getStatus(), status, answer.getMessage());
      assert.is(answer.hasResults(), false);
      const refused = await bench.emit(event, stage, ruled({ article: 'none' }));
      assert.is(refused.getStatus(), 403, refused.getMessage());
      assert.is(await readAll(bench), before);
      assert.is(bench.committed.length, 0);
    }),
  );
  access(`${name} without any access reaches nothing`, () =>
    onBench(async (bench) => {
      const before = await readAll(bench);
      const failed = await bench.emit(event, stage, NOBODY).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.is((failed as { code?: string }).code, 'ACCESS_MISSING');
      assert.is(await readAll(bench), before);
    }),
  );
}

access('inside the rule every write works', () =>
  onBench(async ({ emit }) => {
    const as = ruled({ article: { anyOf: [{ article_rank: { lte: 5 } }] } });
    const made = await emit('system-model-create', { schema: 'article', article_title: 'T', article_rank: 4 }, as);
    assert.is(made.getStatus(), 200, made.getMessage());
    const id = made.getResults('article_id');
    const changed = await emit('system-model-update', { schema: 'article', article_id: id, article_title: 'U' }, as);
    assert.is(changed.getResults('article_title'), 'U', changed.getMessage());
    const rows = [
      { title: 'V', rank: 5 },
      { article_id: id, title: 'W' },
    ];
    const imported = await emit('system-model-import', { schema: 'article', rows }, as);
    assert.equal([imported.getResults('new'), imported.getResults('old')], [1, 1], imported.getMessage());
    const pair = { schema1: 'article', schema2: 'topic', article_id: id, topic_id: 1 };
    assert.is((await emit('system-relation-link', pair, as)).isError(), false);
    assert.is((await emit('system-model-remove', { schema: 'article', article_id: id }, as)).isError(), false);
    assert.is((await emit('system-model-restore', { schema: 'article', article_id: id }, as)).isError(), false);
    const gone = await emit('system-model-search', { schema: 'article', q: 'w' }, as);
    assert.equal(names(gone), ['Old wool', 'W']);
  }),
);

access('nobody links a row to one that may not be seen', () =>
  onBench(async ({ emit }) => {
    const as = ruled({ topic: { anyOf: [{ topic_name: 'Craft' }] }, profile: { anyOf: [{ profile_name: 'Bob' }] } });
    const pair = { schema1: 'article', schema2: 'topic', article_id: 2, topic_id: 2 };
    assert.is((await emit('system-relation-link', pair, as)).getStatus(), 404);
    const made = { schema: 'comment', comment_detail: 'x', profile_id: 1 };
    assert.is((await emit('system-model-create', made, as)).getStatus(), 422);
    assert.is((await emit('system-model-create', { ...made, profile_id: 2 }, as)).isError(), false);
    const moved = { schema: 'comment', comment_id: 2, profile_id: 1 };
    assert.is((await emit('system-model-update', moved, as)).getStatus(), 422);
  }),
);

access.run();
