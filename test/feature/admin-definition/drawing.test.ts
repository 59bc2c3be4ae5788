import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { layOut } from '../../../src/feature/admin-definition/drawing/layout.ts';
import type { Schema } from '../../../src/model/shape.ts';

const test = suite('the drawing of the model');

const toSchema = (name: string, others: readonly string[]): [string, { value: Schema }] => {
  const relations = others.map((schema) => ({ schema, kind: '1:N' }));
  return [name, { value: { name, singular: name, plural: name, fields: [], relations } as unknown as Schema }];
};

const CASES: readonly (readonly [string, Readonly<Record<string, readonly string[]>>])[] = [
  ['lines that cross', { article: ['comment', 'profile'], comment: ['profile'], event: ['profile'], profile: [] }],
  [
    'everything refers to everything',
    { a: ['b', 'c', 'd'], b: ['a', 'c', 'd'], c: ['a', 'b', 'd'], d: ['a', 'b', 'c'] },
  ],
];

for (const [what, model] of CASES)
  test(`no label stands on another one: ${what}`, () => {
    const schema = new Map(Object.entries(model).map(([name, others]) => toSchema(name, others)));
    const { lines } = layOut({ schema } as unknown as Parameters<typeof layOut>[0]);
    assert.is(lines.length, Object.values(model).flat().length);
    const close = lines.flatMap((line, index) =>
      lines.slice(index + 1).filter(({ x, y }) => Math.abs(x - line.x) < 100 && Math.abs(y - line.y) < 14),
    );
    assert.equal(close, []);
  });

test.run();
