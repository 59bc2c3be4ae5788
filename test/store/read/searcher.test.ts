import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SearchError, type SearchResult } from '../../../src/store/read/answer.ts';
import type { SearchOptions } from '../../../src/store/read/search.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { at, fill, type World, withWorld } from './_world.ts';

const test = suite('searcher');

type Input = Readonly<Record<string, unknown>>;
interface Case extends World {
  find(schema: string, input?: Input, options?: SearchOptions): Promise<SearchResult>;
  titles(input: Input, options?: SearchOptions): Promise<unknown[]>;
  faults(schema: string, input: Input): Promise<Readonly<Record<string, string>>>;
}

async function inCase(fn: (world: Case) => Promise<void>): Promise<void> {
  await withWorld(async (world) => {
    await fill(world);
    const searcher = createSearcher(world.model);
    const find = (schema: string, input: Input = {}, options: SearchOptions = {}) =>
      searcher.search(world.database, schema, input, options);
    await fn({
      ...world,
      find,
      titles: async (input, options) => (await find('article', input, options)).rows.map((row) => row.article_title),
      faults: async (schema, input) => {
        try {
          await find(schema, input);
        } catch (error) {
          if (error instanceof SearchError) return error.validation;
          throw error;
        }
        return {};
      },
    });
  });
}

test('gives rows oldest first with the total, and leaves removed rows out', () =>
  inCase(async ({ find }) => {
    const { rows, total } = await find('article');
    assert.equal(
      rows.map(({ article_title }) => article_title),
      ['Old wool', 'New linen'],
    );
    assert.is(total, 2);
    assert.equal(rows[0]?.article_tags, ['a', 'b'], 'JSON is decoded');
    assert.is(rows[0]?.profile_id, 1, 'a 1:0 shows its id');
    assert.is(rows[0]?.profile_name, undefined, 'and no more');
    const fresh = await find('article', { total: '0' });
    assert.not('total' in fresh);
  }));

test('merges 1:1 rows flat and never shows passwords', () =>
  inCase(async ({ find }) => {
    const { rows } = await find('comment');
    assert.is(rows[1]?.profile_name, 'Bob');
    assert.is(rows[1]?.article_id, 1);
    assert.is(rows[1]?.profile_created, at(0));
    assert.not('profile_secret' in (rows[0] ?? {}));
    const [profile] = (await find('profile')).rows;
    assert.not('profile_secret' in (profile ?? {}));
  }));

test('sorts by each of the three ways, and refuses what is not sortable', () =>
  inCase(async ({ titles, faults }) => {
    const falling = ['New linen', 'Old wool'];
    assert.equal(await titles({ sort: '-article_published' }), falling);
    assert.equal(await titles({ sort: { article_published: 'DESC' } }), falling);
    assert.equal(await titles({ order: { article_published: 'desc' } }), falling);
    assert.equal(await titles({ sort: ['-article_rank', 'article_id'] }), ['Old wool', 'New linen'], 'nulls are least');
    const wrong = await faults('article', { sort: '-article_publishd' });
    assert.match(String(wrong['sort[article_publishd]']), 'Did you mean "article_published"?');
    assert.match(String((await faults('article', { sort: 'title' }))['sort[title]']), 'Did you mean "article_title"?');
    assert.match(
      String((await faults('article', { sort: 'article_detail' }))['sort[article_detail]']),
      'is not sortable',
    );
    assert.match(
      String((await faults('article', { sort: { article_rank: 'UP' } }))['sort[article_rank]']),
      'ASC or DESC',
    );
  }));

test('filters by every operator', () =>
  inCase(async ({ titles }) => {
    const old = ['Old wool'];
    const fresh = ['New linen'];
    const by = (filter: Input) => titles({ filter });
    assert.equal(await by({ article_title: 'Old wool' }), old);
    assert.equal(await by({ article_title: { ne: 'Old wool' } }), fresh);
    assert.equal(await by({ article_rank: { ne: '3' } }), fresh, 'null is another value');
    assert.equal(await by({ article_rank: { lt: 4 } }), old);
    assert.equal(await by({ article_rank: { gt: 3 } }), []);
    assert.equal(await by({ article_rank: { gte: '3', lte: '3' } }), old);
    assert.equal(await by({ article_rank: { between: '1,3' } }), old);
    assert.equal(await by({ article_rank: { between: ['', 2] } }), []);
    assert.equal(await by({ article_slug: { in: 'new,gone' } }), fresh);
    assert.equal(await by({ article_slug: ['old', 'x'] }), old);
    assert.equal(await by({ article_rank: { nin: [3] } }), fresh);
    assert.equal(await by({ article_title: { contains: 'INEN' } }), fresh);
    assert.equal(await by({ article_title: { starts: 'Old' } }), old);
    assert.equal(await by({ article_title: { ends: '%' } }), [], 'a wild card is itself');
    assert.equal(await by({ article_rank: { null: '1' } }), fresh);
    assert.equal(await by({ article_rank: { null: '0' } }), old);
    assert.equal(await by({ article_tags: { has: 'b' } }), old);
    assert.equal(await by({ article_published: { lte: '2026-01-31' } }), ['Old wool', 'New linen'], 'the whole day');
    assert.equal(await by({ article_published: { gt: '2026-01-31' } }), []);
    assert.equal(await by({ profile_id: 1 }), old, 'its own foreign key');
    assert.equal(await by({ topic_id: 2 }), old, 'a relation of many to many');
    assert.equal(await by({ comment_id: '2' }), old, 'a relation to many');
    assert.equal(await by({ article_active: 'any' }), ['Old wool', 'New linen', 'Gone']);
    assert.equal(await by({ article_active: 0 }), ['Gone']);
    assert.equal(await titles({ span: { article_rank: [1, 5] } }), old, 'the older names too');
    assert.equal(await titles({ notnull: ['article_rank'], like: { article_title: 'wool' } }), old);
  }));

test('refuses filters that cannot be, each by its parameter', () =>
  inCase(async ({ faults }) => {
    const one = async (filter: unknown) => JSON.stringify(await faults('article', { filter }));
    assert.match(await one({ article_titel: 'x' }), /filter\[article_titel\].*Did you mean.*article_title/);
    assert.match(await one({ article_detail: 'x' }), 'is not filterable');
    assert.match(await one({ article_title: { like: 'x' } }), 'is not an operator');
    assert.match(await one({ article_rank: 'many' }), 'must be a number');
    assert.match(await one({ article_id: '1 or 1=1' }), 'must be a whole number');
    assert.match(await one({ article_published: { gte: 'soon' } }), 'must be a date');
    assert.match(await one({ article_rank: { contains: '1' } }), 'is for text only');
    assert.match(await one({ article_title: { eq: { a: 1 } } }), 'must be one value');
    assert.match(await one('article_title'), 'must name columns');
    assert.match(JSON.stringify(await faults('profile', { filter: { profile_secret: 'x' } })), 'is not a column');
  }));

test('finds rows that have all words, in 1:1 rows too', () =>
  inCase(async ({ titles, find }) => {
    assert.equal(await titles({ q: 'wool old' }), ['Old wool']);
    assert.equal(await titles({ q: 'wool linen' }), []);
    assert.equal(await titles({ q: '10%' }), ['Old wool'], 'a word is found by its beginning');
    assert.equal(await titles({ q: '0%' }), [], 'and by nothing else');
    assert.equal(await titles({ q: '_' }), [], 'no word, no row');
    assert.equal(await titles({ q: 'p' }), [], 'tags are no words');
    const { rows, total } = await find('comment', { q: 'bob' });
    assert.equal([rows[0]?.comment_detail, total], ['Second', 1]);
    assert.is((await find('topic', { q: 'craft' })).total, 0, 'no searchable field, no match');
  }));

test('pages by offset, and refuses a page that is too large', () =>
  inCase(async ({ titles, faults }) => {
    assert.equal(await titles({ limit: '1', offset: '1' }), ['New linen']);
    assert.equal(await titles({ range: 1, start: 0 }), ['Old wool']);
    for (const limit of ['0', '10001', '-1', '1.5', 'ten', [1]]) {
      assert.match(String((await faults('article', { limit })).limit), 'from 1 to 10000', String(limit));
    }
    assert.ok((await faults('article', { offset: '-1' })).offset);
  }));

test('pages by cursor, both ways, with nulls and while rows come', () =>
  inCase(async ({ find, insert, faults }) => {
    await insert(
      'article',
      ...Array.from({ length: 7 }, (_, index) => ({
        article_title: `N${index}`,
        article_rank: index % 3 === 0 ? null : index % 2,
        article_active: 1,
      })),
    );
    for (const sort of [
      'article_rank',
      '-article_rank',
      'article_id',
      '-article_title',
      'article_rank,-article_title',
    ]) {
      const all = (await find('article', { sort })).rows.map((row) => row.article_id);
      const seen: unknown[] = [];
      let after: string | undefined;
      const pages: SearchResult[] = [];
      do {
        const page: SearchResult = await find('article', { sort, limit: 2, ...(after === undefined ? {} : { after }) });
        pages.push(page);
        seen.push(...page.rows.map((row) => row.article_id));
        after = page.next;
      } while (after !== undefined);
      assert.equal(seen, all, sort);
      const back = await find('article', { sort, limit: 2, before: pages[2]?.previous });
      assert.equal(back.rows, pages[1]?.rows, `${sort}, back`);
      const fields = await find('article', { sort, limit: 2, fields: 'article_title' });
      assert.is(fields.next, pages[0]?.next, 'a cursor needs no field');
    }
    const { next } = await find('article', { limit: 1 });
    await insert('article', { article_title: 'Late', article_active: 1 });
    assert.is((await find('article', { limit: 1, after: next })).rows[0]?.article_title, 'New linen');
    assert.match(
      String((await faults('article', { sort: '-article_id', after: next })).after),
      'not a cursor of this search',
    );
    assert.ok((await faults('article', { after: 'nonsense' })).after);
    assert.ok((await faults('article', { after: next, before: next })).before);
  }));

test('shows the fields and relations that are asked for', () =>
  inCase(async ({ find, faults }) => {
    const { rows } = await find('article', { fields: 'article_title', expand: 'comment,topic,profile' });
    const [first = {}, second = {}] = rows;
    assert.equal(Object.keys(first ?? {}).sort(), ['article_id', 'article_title', 'comment', 'profile', 'topic']);
    const comments = first.comment as Record<string, unknown>[];
    assert.equal(
      comments.map(({ comment_detail, profile_name }) => [comment_detail, profile_name]),
      [
        ['First', 'Ann'],
        ['Second', 'Bob'],
      ],
    );
    assert.equal(
      Object.keys(comments[0] ?? {}).filter((name) => name.startsWith('treadle')),
      [],
    );
    assert.is((first.profile as Record<string, unknown>).profile_name, 'Ann');
    assert.equal([second?.profile, second?.comment, second?.topic], [null, [], []]);
    // A parameter that is there twice arrives as a list, and each may name several.
    const twice = { fields: ['article_id', 'article_title, article_id'], expand: ['comment', 'topic,profile'] };
    const listed = await find('article', { ...twice, sort: ['-article_title', 'article_id,article_title'] });
    const names = ['article_id', 'article_title', 'comment', 'profile', 'topic'];
    assert.equal(Object.keys(listed.rows[0] ?? {}).sort(), names);
    const unknown = await faults('article', { fields: ['article_id', 'article_title,article_titel'] });
    assert.match(String(unknown.fields), /^"article_titel" is not a column of article/);
    assert.match(
      String((await faults('article', { fields: 'article_titel' })).fields),
      'Did you mean "article_title"?',
    );
    assert.match(String((await faults('article', { expand: 'coment' })).expand), 'Did you mean "comment"?');
  }));

test('holds a search to a profile, and gives nothing where there is no way to one', () =>
  inCase(async ({ find }) => {
    assert.is((await find('comment', {}, { rows: { owner: 2 } })).total, 1);
    assert.is((await find('article', { filter: { profile_id: 2 } }, { rows: { owner: 1 } })).total, 0);
    assert.equal(
      (await find('profile', {}, { rows: { owner: 2 } })).rows.map((row) => row.profile_name),
      ['Bob'],
    );
    assert.equal(await find('topic', {}, { rows: { owner: 1 } }), { rows: [], total: 0 });
    assert.is((await find('profile', {}, { rows: { owner: 0 } })).total, 0);
  }));

test('gives a row by its id or a unique column, with its relations', () =>
  inCase(async ({ database, model }) => {
    const searcher = createSearcher(model);
    const detail = (column: string, value: unknown, options = {}) =>
      searcher.detail(database, 'article', { column, value }, options);
    const row = (await detail('article_id', '1')) ?? {};
    assert.is((row.profile as Record<string, unknown>).profile_name, 'Ann');
    assert.equal((row.comment as unknown[]).length, 2);
    assert.equal(
      (row.topic as Record<string, unknown>[]).map(({ topic_name }) => topic_name),
      ['Craft', 'Trade'],
    );
    assert.equal(await detail('article_slug', 'old'), row);
    assert.is((await detail('article_id', 2))?.profile, null);
    for (const value of [3, 'x', '1;', null, {}, 99]) assert.is(await detail('article_id', value), undefined);
    assert.is((await detail('article_id', 3, { includesRemoved: true }))?.article_title, 'Gone');
    assert.is(await detail('article_id', 1, { rows: { owner: 2 } }), undefined);
    assert.ok(await detail('article_id', 1, { rows: { owner: 1 } }));
    assert.is(
      await searcher.detail(database, 'topic', { column: 'topic_id', value: 1 }, { rows: { owner: 1 } }),
      undefined,
    );
  }));

test('keeps one statement for a shape, for all values', () =>
  inCase(async ({ database, model }) => {
    const searcher = createSearcher(model);
    const texts = new Set<string>();
    const counting = Object.create(database) as typeof database;
    counting.run = (query, parameters) => {
      if (!query.sql.includes('treadle_words_state')) texts.add(query.sql);
      return database.run(query, parameters);
    };
    for (const input of [
      { q: 'a', filter: { article_slug: { in: ['a'] }, article_rank: { null: 1 } }, limit: 5 },
      { q: 'a b c', filter: { article_slug: { in: ['a', 'b', 'c'] }, article_rank: { null: 1 } }, limit: 7, offset: 1 },
    ]) {
      await searcher.search(counting, 'article', input);
    }
    assert.is(texts.size, 2, 'one for the rows, one for the count');
  }));

test.run();
