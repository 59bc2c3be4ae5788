import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OperatorName } from '../../../../src/model/filter/operator.ts';
import type { SchemaModel } from '../../../../src/model/model.ts';
import { findFixedTerms } from '../../../../src/store/read/parse/fixed-term.ts';

const test = suite('store/read/parse/fixed-term');

const schema = {
  indexes: [
    { where: [{ column: 'state', operator: 'in', value: ['draft', 'review'] }] },
    { where: [{ column: 'views', operator: 'gte', value: 100 }] },
  ],
} as unknown as SchemaModel;

/** A condition of a search, and what it says of the index: the same, a narrower condition, or nothing. */
const CASES: readonly (readonly [
  column: string,
  operator: OperatorName,
  value: unknown,
  'same' | 'implied' | 'none',
])[] = [
  ['state', 'in', ['draft', 'review'], 'same'],
  ['state', 'in', ['review', 'draft'], 'same'],
  ['state', 'in', ['review', 'draft', 'review'], 'same'],
  ['state', 'in', ['draft', 'draft'], 'implied'],
  ['state', 'in', ['review', 'review', 'review'], 'implied'],
  ['state', 'in', ['draft', 'sold'], 'none'],
  ['state', 'in', ['draft', 'review', 'sold'], 'none'],
  ['state', 'in', [], 'none'],
  ['state', 'eq', 'draft', 'implied'],
  ['state', 'eq', 'sold', 'none'],
  ['state', 'ne', 'draft', 'none'],
  ['views', 'gte', 100, 'same'],
  ['views', 'gt', 100, 'implied'],
  ['views', 'gte', 99, 'none'],
  ['views', 'lt', 100, 'none'],
  ['title', 'eq', 'draft', 'none'],
];

for (const [column, operator, value, expected] of CASES) {
  test(`${column} ${operator} ${JSON.stringify(value)}: ${expected}`, () => {
    const operand = Array.isArray(value) ? JSON.stringify(value) : value;
    const { same, implied } = findFixedTerms(schema, column, { operator, value: operand, isOn: undefined });
    assert.is(same ? 'same' : implied.length > 0 ? 'implied' : 'none', expected);
  });
}

test.run();
