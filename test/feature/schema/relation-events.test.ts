import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnerAccess } from '../../../src/core/access.ts';
import { onBench, told } from './_bench.ts';

const test = suite('relation events');
const pair = { schema1: 'article', schema2: 'comment' };

test('link: either way round, and twice is once', () =>
  onBench(async ({ emit, insert, committed }) => {
    await insert('comment', { comment_detail: 'Free', profile_id: 1, comment_active: 1 });
    const linked = await emit('system-relation-link', { ...pair, article_id: '2', comment_id: 4 });
    assert.equal(linked.getResults(), { article_id: 2, comment_id: 4 });
    assert.is(linked.isError(), false);
    const again = await emit('system-relation-link', {
      schema1: 'comment',
      schema2: 'article',
      article_id: 2,
      comment_id: 4,
    });
    assert.is(again.isError(), false);
    assert.is(committed.length, 1, 'what changes nothing fires nothing');
    const many = { schema1: 'topic', schema2: 'article', article_id: 2, topic_id: 1 };
    await emit('system-relation-link', many);
    await emit('system-relation-link', many);
    const detail = await emit('system-model-detail', { schema: 'article', article_id: 2 });
    assert.is((detail.getResults('topic') as unknown[]).length, 1);
    assert.is((detail.getResults('comment') as unknown[]).length, 1);
  }));

test('link: a child has one parent, and both rows must be there', () =>
  onBench(async ({ emit, committed }) => {
    const other = await emit('system-relation-link', { ...pair, article_id: 2, comment_id: 1 });
    assert.is(other.getStatus(), 409);
    assert.match(other.getMessage() ?? '', 'Comment already belongs to Article 1');
    const missing = await emit('system-relation-link', { ...pair, comment_id: 'x' });
    assert.equal(missing.getValidation(), {
      article_id: 'article_id is required',
      comment_id: 'Comment should be valid',
    });
    assert.equal(told(await emit('system-relation-link', { ...pair, article_id: 9, comment_id: 1 })), {
      status: 404,
      message: 'Article 9 does not exist',
      validation: { article_id: 'Article 9 does not exist' },
      results: undefined,
    });
    const none = await emit('system-relation-link', {
      schema1: 'topic',
      schema2: 'comment',
      topic_id: 1,
      comment_id: 1,
    });
    assert.is(none.getMessage(), 'Topic and Comment have no relation');
    assert.equal(committed, []);
  }));

test('unlink parts what was linked; a 1:1 stays', () =>
  onBench(async ({ emit, committed }) => {
    await emit('system-relation-unlink', { ...pair, article_id: 1, comment_id: 1 });
    const detail = await emit('system-model-detail', { schema: 'article', article_id: 1 });
    assert.is((detail.getResults('comment') as unknown[]).length, 1);
    assert.is((await emit('system-relation-unlink', { ...pair, article_id: 1, comment_id: 1 })).isError(), false);
    assert.is(committed.length, 1);
    const bond = await emit('system-relation-unlink', {
      schema1: 'comment',
      schema2: 'profile',
      comment_id: 1,
      profile_id: 1,
    });
    assert.is(bond.getStatus(), 409);
    await emit('system-relation-unlink', { schema1: 'article', schema2: 'profile', article_id: 1, profile_id: 1 });
    assert.is((await emit('system-model-detail', { schema: 'article', article_id: 1 })).getResults('profile'), null);
  }));

test('unlink-all parts one side from all', () =>
  onBench(async ({ emit }) => {
    const all = await emit('system-relation-unlink-all', { ...pair, article_id: 1 });
    assert.equal(all.getResults(), { article_id: 1, removed: 3 });
    const topics = await emit('system-relation-unlink-all', { schema1: 'article', schema2: 'topic', topic_id: 2 });
    assert.equal(topics.getResults(), { topic_id: 2, removed: 1 });
    assert.is((await emit('system-relation-unlink-all', pair)).getStatus(), 422);
  }));

test('a restriction lets only own rows change', () =>
  onBench(async ({ emit, insert }) => {
    await insert('comment', { comment_detail: 'Free', profile_id: 2, comment_active: 1 });
    const stage = { ...pair, article_id: 2, comment_id: 4 };
    assert.is((await emit('system-relation-link', stage, createOwnerAccess({ kind: 'user' }, 1))).getStatus(), 404);
    assert.is((await emit('system-relation-link', stage, createOwnerAccess({ kind: 'user' }, 2))).isError(), false);
    const all = await emit(
      'system-relation-unlink-all',
      { ...pair, article_id: 1 },
      createOwnerAccess({ kind: 'user' }, 1),
    );
    assert.is(all.getStatus(), 403);
  }));

test.run();
