import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnerAccess, SYSTEM } from '../../../src/core/access.ts';
import { systemPasswords } from '../../../src/core/secret/password.ts';
import { at } from '../../store/read/_world.ts';
import { onBench, told } from './_bench.ts';

const test = suite('model events');
type Row = Record<string, unknown>;

test('need an existing schema', () =>
  onBench(async ({ emit }) => {
    const missing = await emit('system-model-create', {});
    assert.equal(told(missing), {
      status: 422,
      message: 'Schema is required.',
      validation: { schema: 'Schema is required.' },
      results: undefined,
    });
    assert.match(
      (await emit('system-model-search', { schema: 'artcle' })).getMessage() ?? '',
      'Did you mean "article"?',
    );
  }));

test('search answers rows and total; a wrong parameter is told by name', () =>
  onBench(async ({ emit }) => {
    const found = await emit('system-model-search', {
      schema: 'article',
      article_id: '7',
      sort: { article_published: 'DESC' },
    });
    assert.is(found.isError(), false);
    assert.equal(
      (found.getResults('rows') as Row[]).map((row) => row.article_title),
      ['New linen', 'Old wool'],
    );
    assert.is(found.getResults('total'), 2);
    const wrong = await emit('system-model-search', { schema: 'article', limit: '10001' });
    assert.is(wrong.getStatus(), 400);
    assert.match(String(wrong.getValidation('limit')), 'from 1 to 10000');
    const call = { isPatch: false, fixed: undefined, aggregate: [], isRemovedOpen: false, isUser: false };
    const strict = await emit('system-model-search', { schema: 'article' }, SYSTEM, (request) => {
      request.setGet('sotr', 'x');
      request.callFacts = call;
    });
    assert.match(String(strict.getValidation('sotr')), 'Did you mean "sort"?');
    assert.is(
      (await emit('system-model-search', { schema: 'comment' }, createOwnerAccess({ kind: 'user' }, 2))).getResults(
        'total',
      ),
      1,
    );
  }));

test('detail finds by id or unique column, with linked data', () =>
  onBench(async ({ emit }) => {
    const found = await emit('system-model-detail', { schema: 'article', article_id: '1' });
    assert.is((found.getResults('comment') as Row[])[1]?.profile_name, 'Bob');
    assert.is(
      (await emit('system-model-detail', { schema: 'article', article_slug: 'new' })).getResults('article_id'),
      2,
    );
    const picked = await emit('system-model-detail', {
      schema: 'article',
      article_id: 1,
      fields: 'article_title',
      expand: 'topic',
    });
    assert.equal(Object.keys(picked.getResults() as Row), ['article_id', 'article_title', 'topic']);
    const gone = await emit('system-model-detail', { schema: 'article', article_id: '3' });
    assert.equal(told(gone), {
      status: 404,
      message: 'Article 3 does not exist.',
      validation: {},
      results: undefined,
    });
    const any = { filter: { article_active: 'any' } };
    assert.is(
      (await emit('system-model-detail', { schema: 'article', article_id: 3, ...any })).getResults('article_title'),
      'Gone',
    );
    assert.is(
      (await emit('system-model-detail', { schema: 'article' })).getValidation('article_id'),
      'article_id is required',
    );
  }));

test('create stores what the rules allow and answers the row as a search gives it', () =>
  onBench(async ({ emit, committed, database }) => {
    const made = await emit('system-model-create', {
      schema: 'comment',
      comment_id: '99',
      comment_detail: 'Third',
      comment_created: '1999-01-01 00:00:00',
      nonsense: 'x',
      profile_id: '2',
      article_id: '1',
    });
    assert.is(made.isError(), false, made.getMessage());
    const row = made.getResults() as Row;
    assert.is(row.comment_id, 4);
    assert.is(row.profile_name, 'Bob');
    assert.is(row.article_id, 1);
    assert.is(row.comment_created, at(0));
    assert.is(row.comment_active, 1);
    assert.equal(committed, [{ event: 'system-model-create', results: row }]);
    const wysiwyg = await emit('system-model-create', {
      schema: 'article',
      article_title: 'T',
      article_detail: '<p onclick="x()">a<script>alert(1)</script><a href="javascript:x">b</a><a href="/c">c</a></p>',
      article_tags: 'x, y',
      topic_id: '2',
    });
    const article = wysiwyg.getResults() as Row;
    assert.is(article.article_detail, '<p>a<a rel="noopener">b</a><a href="/c" rel="noopener">c</a></p>');
    assert.equal(article.article_tags, ['x', 'y']);
    assert.is(article.article_published, at(0), 'the default');
    const links = await database.kysely
      .selectFrom('article_topic')
      .selectAll()
      .where('article_id', '=', article.article_id)
      .execute();
    assert.equal(links, [{ article_id: article.article_id, topic_id: 2 }]);
  }));

test('create tells each fault by column', () =>
  onBench(async ({ emit, committed }) => {
    const empty = await emit('system-model-create', { schema: 'comment', profile_id: 1, comment_detail: ' ' });
    assert.equal(told(empty), {
      status: 422,
      message: 'Comment is required',
      validation: { comment_detail: 'Comment is required' },
      results: undefined,
    });
    const both = await emit('system-model-create', { schema: 'comment' });
    assert.equal(both.getValidation(), {
      comment_detail: 'Comment is required',
      profile_id: 'Profile should be valid',
    });
    assert.is(both.getMessage(), '2 fields are not valid: comment_detail, profile_id.');
    const nobody = await emit('system-model-create', { schema: 'comment', comment_detail: 'x', profile_id: 77 });
    assert.equal(nobody.getValidation(), { profile_id: 'Profile 77 does not exist' });
    assert.is(nobody.getStatus(), 422);
    const shape = await emit('system-model-create', { schema: 'article', article_title: 'T', article_rank: 'many' });
    assert.is(shape.getValidation('article_rank'), 'Rank must be a whole number');
    const taken = await emit('system-model-create', { schema: 'article', article_title: 'T', article_slug: 'Old!' });
    assert.equal([taken.getStatus(), taken.getValidation('article_slug')], [409, 'Slug is already taken']);
    assert.equal(committed, []);
  }));

test('two that create the same unique value at once: one wins, one is told', () =>
  onBench(async ({ emit }) => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => emit('system-model-create', { schema: 'topic', topic_name: 'Same' })),
    );
    assert.is(made.filter((response) => !response.isError()).length, 1);
    for (const response of made.filter((one) => one.isError())) {
      assert.equal([response.getStatus(), response.getValidation('topic_name')], [409, 'Name is already taken']);
      assert.is(response.getResults(), undefined);
    }
  }));

test('passwords are hashed, never shown, and stay when sent empty', () =>
  onBench(async ({ emit, database }) => {
    const made = await emit('system-model-create', {
      schema: 'profile',
      profile_name: 'Eve',
      profile_secret: 'hunter2',
    });
    assert.not('profile_secret' in (made.getResults() as Row));
    const read = async () => {
      const query = database.kysely.selectFrom('profile').select('profile_secret').where('profile_id', '=', 3);
      return String((await query.executeTakeFirst())?.profile_secret);
    };
    const stored = await read();
    assert.ok(await systemPasswords.verify('hunter2', stored));
    const changed = await emit('system-model-update', {
      schema: 'profile',
      profile_id: 3,
      profile_name: 'Eva',
      profile_secret: '',
    });
    assert.is(changed.getResults('profile_name'), 'Eva');
    assert.is(await read(), stored);
  }));

test('update changes what is sent and keeps links', () =>
  onBench(async ({ emit, committed }) => {
    const changed = await emit('system-model-update', { schema: 'article', article_id: '1', article_title: 'Newer' });
    assert.is(changed.getResults('article_title'), 'Newer');
    assert.is(changed.getResults('profile_id'), 1, 'a partial update never unlinks');
    assert.is(changed.getResults('original', 'article_title'), 'Old wool');
    assert.is(committed[0]?.event, 'system-model-update');
    const bySlug = await emit('system-model-update', { schema: 'article', article_slug: 'old', article_rank: '8' });
    assert.is(bySlug.getResults('article_rank'), 8);
    const cleared = await emit('system-model-update', { schema: 'article', article_id: 1, profile_id: '' });
    assert.is(cleared.getResults('profile_id'), null);
    const blank = await emit('system-model-update', { schema: 'article', article_id: 1, article_title: '' });
    assert.equal([blank.getStatus(), blank.getMessage()], [422, 'Title is required']);
    const taken = await emit('system-model-update', { schema: 'article', article_id: 1, article_slug: 'new' });
    assert.is(taken.getStatus(), 409);
    assert.is((await emit('system-model-update', { schema: 'article', article_id: 3 })).getStatus(), 404, 'removed');
    const moved = await emit('system-model-update', { schema: 'comment', comment_id: 1, article_id: 2 });
    assert.match(String(moved.getValidation('article_id')), 'already belongs to Article 1');
  }));

test('remove is soft and undone by restore; without an active field it is for good', () =>
  onBench(async ({ emit, database }) => {
    const removed = await emit('system-model-remove', { schema: 'comment', comment_id: 1 });
    assert.is(removed.getResults('comment_active'), 0);
    assert.is((await emit('system-model-remove', { schema: 'comment', comment_id: 1 })).getStatus(), 404);
    const restored = await emit('system-model-restore', { schema: 'comment', comment_id: 1 });
    assert.is(restored.getResults('comment_active'), 1);
    assert.is((await emit('system-model-restore', { schema: 'comment', comment_id: 1 })).isError(), false);
    await emit('system-model-remove', { schema: 'topic', topic_id: 1 });
    assert.is((await database.kysely.selectFrom('topic').selectAll().execute()).length, 1);
  }));

test('a restriction holds every event to own rows', () =>
  onBench(async ({ emit }) => {
    const as = (profileId: number) => createOwnerAccess({ kind: 'user' }, profileId);
    const made = await emit('system-model-create', { schema: 'comment', comment_detail: 'x', profile_id: 1 }, as(2));
    assert.is(made.getResults('profile_id'), 2);
    assert.is((await emit('system-model-detail', { schema: 'comment', comment_id: 1 }, as(2))).getStatus(), 404);
    assert.is(
      (await emit('system-model-update', { schema: 'comment', comment_id: 1, comment_detail: 'y' }, as(2))).getStatus(),
      404,
    );
    assert.is((await emit('system-model-remove', { schema: 'comment', comment_id: 1 }, as(2))).getStatus(), 404);
    assert.is((await emit('system-model-restore', { schema: 'comment', comment_id: 3 }, as(1))).getStatus(), 404);
    const own = await emit(
      'system-model-update',
      { schema: 'comment', comment_id: 2, comment_detail: 'y', profile_id: 1 },
      as(2),
    );
    assert.equal([own.getResults('comment_detail'), own.getResults('profile_id')], ['y', 2]);
    const self = await emit('system-model-update', { schema: 'profile', profile_id: 2, profile_name: 'Bo' }, as(2));
    assert.is(self.getResults('profile_name'), 'Bo');
    assert.is(
      (await emit('system-model-update', { schema: 'profile', profile_id: 1, profile_name: 'Bo' }, as(2))).getStatus(),
      404,
    );
    assert.is((await emit('system-model-create', { schema: 'topic', topic_name: 'x' }, as(2))).getStatus(), 403);
    assert.is((await emit('system-model-create', { schema: 'profile', profile_name: 'x' }, as(2))).getStatus(), 403);
    assert.is((await emit('system-model-import', { schema: 'comment', rows: [{}] }, as(2))).getStatus(), 403);
    const child = await emit('system-model-create', { schema: 'article', article_title: 'T', comment_id: 1 }, as(2));
    assert.is(child.getStatus(), 422, "another's comment is not taken");
  }));

test('a commit listener that throws undoes the write', () =>
  onBench(async ({ emit, trap, database }) => {
    trap.error = new Error('no');
    try {
      await emit('system-model-create', { schema: 'topic', topic_name: 'Lost' });
      assert.unreachable();
    } catch (error) {
      assert.is(error, trap.error);
    }
    assert.is((await database.kysely.selectFrom('topic').selectAll().execute()).length, 2);
  }));

test.run();
