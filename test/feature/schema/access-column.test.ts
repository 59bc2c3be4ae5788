import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Access, Grant } from '../../../src/core/access.ts';
import type { Request } from '../../../src/core/request/request.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { onBench, readAll } from './_bench.ts';

const test = suite('access to columns');

const titles = (found: { getResults(name: string): unknown }): unknown[] =>
  (found.getResults('rows') as Row[]).map((row) => row.article_title);

/** An access that may read and write certain columns of some schemas, and all of the others. */
function columned(rules: Readonly<Record<string, Pick<Grant, 'read' | 'write' | 'rows'>>>): Access {
  const find = (schema: string): Grant => rules[schema] ?? {};
  return { kind: 'page', roles: [], scopes: [], grant: find, related: find };
}

const bring = (stage: Record<string, unknown>) => (request: Request) => void request.bringStage(stage);
const TITLE = columned({ article: { read: new Set(['article_title']) } });
const SEEN = ['article_id', 'article_title', 'profile_id'];

test('a row shows the columns that may be read, and ids', () =>
  onBench(async ({ emit }) => {
    const page = await emit('system-model-search', { schema: 'article' }, TITLE);
    assert.equal((page.getResults('rows') as Row[]).map(Object.keys), [SEEN, SEEN]);
    const one = await emit('system-model-detail', { schema: 'article', article_id: 1, expand: 'comment' }, TITLE);
    assert.equal(Object.keys(one.getResults() as object), [...SEEN, 'comment']);
    const whole = await emit('system-model-search', { schema: 'article' });
    assert.is((whole.getResults('rows') as Row[])[0]?.article_slug, 'old', 'the view of one is not that of all');
  }));

const HIDDEN: readonly [string, Record<string, unknown>, string][] = [
  ['fields', { fields: 'article_slug' }, 'fields'],
  ['filter', { filter: { article_slug: 'old' } }, 'filter[article_slug]'],
  ['filter by a path', { filter: { 'article_tags.0': 'a' } }, 'filter[article_tags.0]'],
  ['filter by removed rows', { filter: { article_active: 1 } }, 'filter[article_active]'],
  ['the older filter', { like: { article_slug: 'o' } }, 'like[article_slug]'],
  ['sort', { sort: 'article_rank' }, 'sort[article_rank]'],
  ['group', { group: 'article_slug' }, 'group'],
  ['sum', { sum: 'article_rank' }, 'sum'],
  ['count', { count: 'article_rank' }, 'count'],
  ['q', { q: 'wool' }, 'q'],
];
for (const [name, input, parameter] of HIDDEN) {
  test(`a hidden column cannot be asked by ${name}`, () =>
    onBench(async ({ emit }) => {
      const prepare = (request: Request) => {
        request.bringStage(input);
        request.callFacts = {
          isPatch: false,
          fixed: undefined,
          aggregate: ['group', 'sum', 'count'],
          isRemovedOpen: true,
          isUser: false,
        };
      };
      const found = await emit('system-model-search', { schema: 'article' }, TITLE, prepare);
      assert.is(found.getStatus(), 400);
      assert.ok(Object.hasOwn(found.getValidation() as object, parameter), JSON.stringify(found.getValidation()));
      assert.not.match(
        JSON.stringify([found.getMessage(), found.getValidation()]),
        /Did you mean "article_(?!id|title)/,
      );
      const whole = await emit('system-model-search', { schema: 'article' }, undefined, prepare);
      assert.is(whole.isError(), false, whole.getMessage());
    }));
}

test('what code filters by and what a rule asks may be hidden', () =>
  onBench(async ({ emit }) => {
    const own = await emit('system-model-search', { schema: 'article', filter: { article_slug: 'new' } }, TITLE);
    assert.equal(titles(own), ['New linen']);
    const ruledToo = columned({
      article: { rows: { anyOf: [{ article_slug: 'old' }] }, read: new Set(['article_title']) },
    });
    assert.equal(titles(await emit('system-model-search', { schema: 'article' }, ruledToo)), ['Old wool']);
    const one = await emit('system-model-detail', { schema: 'article', article_id: 1 }, ruledToo);
    assert.is(one.getResults('article_title'), 'Old wool');
  }));

test('a hidden unique column names no row', () =>
  onBench(async ({ emit }) => {
    for (const event of ['detail', 'update', 'remove']) {
      const found = await emit(`system-model-${event}`, { schema: 'article', article_slug: 'old' }, TITLE);
      assert.equal([found.getStatus(), found.hasResults()], [422, false], event);
    }
    const rows = [{ slug: 'old', title: 'Mine' }];
    const imported = await emit('system-model-import', { schema: 'article', rows }, TITLE);
    assert.equal([imported.getStatus(), imported.hasResults()], [422, false]);
  }));

test('columns of related rows hide in 1:1, lists, expand, related filters and words', () =>
  onBench(async ({ emit }) => {
    const as = columned({
      profile: { read: new Set(['profile_email']) },
      comment: { read: new Set(['comment_created']) },
    });
    const asComment = columned({ profile: { read: new Set(['profile_email']) } });
    const one = await emit('system-model-search', { schema: 'comment' }, asComment);
    assert.equal(
      (one.getResults('rows') as Row[]).map((row) => ['profile_name' in row, row.profile_email]),
      [
        [false, 'ann@example.org'],
        [false, 'bob@example.org'],
      ],
    );
    const words = async (q: string) =>
      (await emit('system-model-search', { schema: 'comment', q }, asComment)).getResults('total');
    assert.equal([await words('ann'), await words('first')], [0, 1], 'words of a hidden column find nothing');
    const article = await emit('system-model-detail', { schema: 'article', article_id: 1 }, as);
    const [comment = {}] = article.getResults('comment') as Row[];
    assert.equal(Object.keys(comment), ['comment_id', 'comment_created', 'profile_id', 'article_id', 'profile_email']);
    assert.equal(Object.keys(article.getResults('profile') as Row), ['profile_id', 'profile_email']);
    const page = await emit('system-model-search', { schema: 'article', expand: ['comment', 'profile'], limit: 5 }, as);
    const [row = {}] = page.getResults('rows') as Row[];
    assert.equal(Object.keys((row.comment as Row[])[0] as Row), Object.keys(comment));
    assert.equal(Object.keys(row.profile as Row), ['profile_id', 'profile_email']);
    for (const [schema, filter, status] of [
      ['article', { 'profile.profile_name': 'Ann' }, 400],
      ['article', { 'profile.profile_id': 1 }, 200],
      ['comment', { profile_name: 'Ann' }, 400],
    ] as const) {
      const found = await emit('system-model-search', { schema }, as, bring({ filter }));
      assert.is(found.getStatus(), status, JSON.stringify(filter));
    }
  }));

test('a write answers what a detail may show, and web hooks have the whole row', () =>
  onBench(async ({ emit, committed }) => {
    const made = await emit('system-model-create', { schema: 'article', article_title: 'T', article_slug: 't' }, TITLE);
    assert.equal(Object.keys(made.getResults() as object), SEEN, made.getMessage());
    const key = { schema: 'article', article_id: made.getResults('article_id') };
    const changed = await emit('system-model-update', { ...key, article_rank: 7 }, TITLE);
    assert.equal(Object.keys(changed.getResults() as object), [...SEEN, 'original'], changed.getMessage());
    assert.equal(Object.keys(changed.getResults('original') as object), SEEN);
    for (const event of ['remove', 'restore']) {
      const done = await emit(`system-model-${event}`, key, TITLE);
      assert.equal(Object.keys(done.getResults() as object), SEEN, done.getMessage());
    }
    assert.is(committed.length, 4);
    for (const { results } of committed) assert.is((results as Row).article_slug, 't');
    const blind: Access = { ...TITLE, grant: (_, action) => (action === 'detail' ? undefined : {}) };
    const unseen = await emit('system-model-update', { ...key, article_rank: 8 }, blind);
    assert.equal(unseen.getResults(), { article_id: key.article_id, original: { article_id: key.article_id } });
  }));

const WRITABLE = columned({ article: { write: new Set(['article_title', 'topic_id']) } });
const REFUSED: readonly [string, Record<string, unknown>, readonly string[]][] = [
  [
    'create',
    { article_title: 'T', article_slug: 't', profile_id: 1, comment_id: 1 },
    ['article_slug', 'profile_id', 'comment_id'],
  ],
  ['update', { article_id: 1, article_title: 'T', article_rank: 9 }, ['article_rank']],
  ['update', { article_slug: 'old', article_title: 'T', article_tags: ['x'] }, ['article_tags']],
  [
    'import',
    {
      rows: [
        { title: 'T', topic: [1] },
        { article_id: 1, rank: 9, profile_id: 2 },
      ],
    },
    ['rank', 'profile_id'],
  ],
];
for (const [action, stage, columns] of REFUSED) {
  test(`${action} refuses ${columns.join(', ')}, which the request may not write`, () =>
    onBench(async (bench) => {
      const before = await readAll(bench);
      const answer = await bench.emit(`system-model-${action}`, { schema: 'article' }, WRITABLE, bring(stage));
      assert.equal([answer.getStatus(), answer.hasResults()], [403, false], answer.getMessage());
      assert.equal(Object.keys(answer.getValidation() as object), [...columns]);
      assert.is(await readAll(bench), before);
    }));
}

test('a request writes the columns that are open to it, and code writes all', () =>
  onBench(async ({ emit }) => {
    const sent = { article_title: 'T', topic_id: 1 };
    const made = await emit('system-model-create', { schema: 'article', article_slug: 't' }, WRITABLE, bring(sent));
    assert.equal([made.getStatus(), made.getResults('article_slug')], [200, 't'], made.getMessage());
    const key = { schema: 'article', article_rank: 4 };
    const named = bring({ article_slug: 't', article_title: 'U' });
    const changed = await emit('system-model-update', key, WRITABLE, named);
    assert.equal([changed.getResults('article_title'), changed.getResults('article_rank')], ['U', 4]);
    const rows = [{ article_id: made.getResults('article_id'), title: 'V', topic: [2] }];
    const imported = await emit('system-model-import', { schema: 'article' }, WRITABLE, bring({ rows }));
    assert.is(imported.getResults('old'), 1, imported.getMessage());
  }));

test('the version of a row does not tell that a hidden column changed', () =>
  onBench(async ({ emit }) => {
    const key = { schema: 'article', article_id: 1 };
    const facts = { isPatch: false, fixed: undefined, aggregate: [], isRemovedOpen: false, isUser: false };
    const read = async (as?: Access) => {
      const found = await emit('system-model-detail', key, as, (request) => {
        request.callFacts = facts;
      });
      return found.tagging?.row;
    };
    const [seen, whole] = [await read(TITLE), await read()];
    await emit('system-model-update', { ...key, article_rank: 8 });
    assert.is(await read(TITLE), seen);
    assert.is.not(await read(), whole);
    await emit('system-model-update', { ...key, article_title: 'Newer' });
    assert.is.not(await read(TITLE), seen);
  }));

test.run();
