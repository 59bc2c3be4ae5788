import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cpu } from '../../core/_cpu.ts';
import { onBench } from './_bench.ts';

const test = suite('import');

test('takes rows by column or field name, and changes those that are there', () =>
  onBench(async ({ emit, database, committed }) => {
    const rows = [
      { title: 'One', slug: 'one', published: '2011-03-18 03:17:12', profile_id: 1 },
      { article_title: 'Older wool', article_slug: 'old' },
      { article_id: 50, title: 'Fifty', article_active: 0 },
    ];
    const done = await emit('system-model-import', { schema: 'article', rows });
    assert.is(done.isError(), false, JSON.stringify(done.getValidation()));
    assert.equal([done.getResults('new'), done.getResults('old')], [2, 1]);
    assert.equal(done.getResults('data', 1), { action: 'update', row: { article_id: 1 }, error: false });
    const stored = await database.kysely
      .selectFrom('article')
      .select(['article_id', 'article_title', 'article_published', 'article_active'])
      .orderBy('article_id')
      .execute();
    assert.equal(stored[0], {
      article_id: 1,
      article_title: 'Older wool',
      article_published: '2026-01-31 11:00:00',
      article_active: 1,
    });
    assert.is(stored[3]?.article_published, '2011-03-18 03:17:12');
    assert.equal([stored[4]?.article_id, stored[4]?.article_active], [50, 0]);
    assert.is(committed[0]?.event, 'system-model-import');
  }));

test('names every bad row and stores none', () =>
  onBench(async ({ emit, database }) => {
    const bad = await emit('system-model-import', {
      schema: 'article',
      rows: [
        { title: 'Good', slug: 'good' },
        { title: '', slug: 'x' },
        { title: 'T', titel: 'x' },
        { title: 'T', slug: 'good' },
        { title: 'T', profile_id: 9 },
        { article_id: 1, title: 'T', slug: 'new' },
        'nonsense',
      ],
    });
    assert.is(bad.getStatus(), 422);
    assert.is(bad.getMessage(), '6 rows are not valid: 2, 3, 4, 5, 6 and 1 more.');
    assert.equal(bad.getValidation('1'), { article_title: 'Title is required' });
    assert.match(JSON.stringify(bad.getValidation('2')), 'Did you mean');
    assert.equal(bad.getValidation('3'), { article_slug: 'Row 1 has the same value' });
    assert.equal(bad.getValidation('4'), { profile_id: 'Profile 9 does not exist' });
    assert.equal(bad.getValidation('5'), { article_slug: 'Slug is already taken' });
    assert.is((await database.kysely.selectFrom('article').selectAll().execute()).length, 3);
    assert.is((await emit('system-model-import', { schema: 'article', rows: [] })).getMessage(), 'Data is empty');
    const lenient = { schema: 'article', rows: [{ title: 'T', titel: 'x' }], ignore_unknown: true };
    assert.is((await emit('system-model-import', lenient)).isError(), false);
  }));

test('takes as much HTML as a field may hold in good time, and names the limit of what is longer', () =>
  onBench(async ({ emit }) => {
    const line = '<p>Some <b>bold</b> text with <a href="https://example.org/">a link</a>.</p>\n';
    const rows = Array.from({ length: 5 }, (_, index) => ({ title: `Long ${index}`, detail: line.repeat(2500) }));
    const start = cpu();
    const done = await emit('system-model-import', { schema: 'article', rows });
    assert.is(done.isError(), false);
    assert.ok(cpu() - start < 4000, `${cpu() - start} ms`);
    const long = [{ title: 'Too long', detail: line.repeat(15_000) }];
    const refused = await emit('system-model-import', { schema: 'article', rows: long });
    assert.match(String(refused.getValidation('0', 'article_detail')), 'at most 200000 characters');
  }));

test.run();
