import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listConditions } from '../../../src/feature/docs/hook-condition.ts';
import type { HookModel } from '../../../src/model/model.ts';

const conditions = suite('docs/hook-condition');

const print = (filter: Readonly<Record<string, unknown>>): string =>
  listConditions({ definition: { filter } } as unknown as HookModel)
    .map(({ name, phrase, values, joint }) => `${name} ${phrase} ${values.join(`${joint} `)}`)
    .join('; ');

for (const [filter, wanted] of [
  [{ amount: 5 }, 'amount is 5'],
  [{ amount: { gte: 100 } }, 'amount is at least 100'],
  [{ amount: { gt: 1, lt: 5 } }, 'amount is more than 1; amount is less than 5'],
  [{ amount: { between: [1, 5] } }, 'amount is between 1 and 5'],
  [{ amount: { between: '2,' } }, 'amount is at least "2"'],
  [{ amount: { between: [null, 5] } }, 'amount is at most 5'],
  [{ kind: ['a', 'b'] }, 'kind is one of "a", "b"'],
  [{ kind: { in: 'a,b' } }, 'kind is one of "a", "b"'],
  [{ kind: { nin: ['a'] } }, 'kind is none of "a"'],
  [{ kind: { starts: 'a' } }, 'kind starts with "a"'],
  [{ slug: null }, 'slug is null'],
  [{ slug: { null: 1 } }, 'slug is null'],
  [{ slug: { null: '0' } }, 'slug is not null'],
  [{ changed: { has: 'amount' } }, 'changed has "amount"'],
  [{ original: { amount: { lte: 3 } } }, 'original.amount is at most 3'],
  [{ 'original.amount': { ne: 3 } }, 'original.amount is not 3'],
] as const)
  conditions(`in words: ${JSON.stringify(filter)}`, () => {
    assert.is(print(filter), wanted);
  });

conditions.run();
