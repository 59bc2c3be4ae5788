import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onBench } from './_bench.ts';

const test = suite('schema: races');
const times = (number: number): number[] => Array.from({ length: number }, (_, index) => index);

test('50 that create one unique value at once: one row, and 49 are told at the field', () =>
  onBench(async ({ emit, database }) => {
    const stage = { schema: 'profile', profile_name: 'New', profile_email: 'new@example.org' };
    const answers = await Promise.all(times(50).map(() => emit('system-model-create', stage)));
    assert.is(answers.filter((answer) => !answer.isError()).length, 1);
    const told = answers.filter((answer) => answer.isError());
    assert.is(told.length, 49);
    for (const answer of told) {
      assert.is(answer.getStatus(), 409);
      assert.is.not(answer.getValidation('profile_email'), undefined);
      assert.not.match(JSON.stringify([answer.getMessage(), answer.getValidation()]), /insert|constraint/i);
    }
    const rows = await database.kysely
      .selectFrom('profile')
      .selectAll()
      .where('profile_email', '=', 'new@example.org')
      .execute();
    assert.is(rows.length, 1);
  }));

test('20 parents that want one child at once: one has it, and the others are told which', () =>
  onBench(async ({ emit, insert, database }) => {
    await insert('comment', { comment_detail: 'Wanted', profile_id: 1, comment_active: 1 });
    const link = (article_id: number) =>
      emit('system-relation-link', { schema1: 'article', schema2: 'comment', article_id, comment_id: 4 });
    const answers = await Promise.all(times(20).map((number) => link(1 + (number % 2))));
    const row = await database.kysely
      .selectFrom('comment')
      .select('article_id')
      .where('comment_id', '=', 4)
      .executeTakeFirstOrThrow();
    for (const [number, answer] of answers.entries()) {
      const isParent = 1 + (number % 2) === row.article_id;
      assert.is(answer.isError(), !isParent);
      if (!isParent) assert.match(answer.getMessage() ?? '', `already belongs to Article ${row.article_id}`);
    }
  }));

test.run();
