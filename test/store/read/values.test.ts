import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Slot } from '../../../src/store/read/parse/operator.ts';
import { bind, Statements, Values } from '../../../src/store/read/values.ts';
import { withWorld } from './_world.ts';

const test = suite('statements');

/** Values of a search: a word, and then what only some searches have. */
function hold(...names: readonly string[]): Values {
  const values = new Values();
  for (const name of names) values.add(name, name);
  return values;
}

test('values with other names, another order or other marks have another shape', () => {
  const shapes = [hold('a', 'b'), hold('b', 'a'), hold('a'), hold('a', 'b', 'b'), hold('ab'), hold()].map(
    ({ shape }) => shape,
  );
  const marked = hold('a');
  marked.mark('b');
  assert.is(new Set([...shapes, marked.shape]).size, 7, shapes.join(' '));
});

test('a fork goes on by itself, and a list goes back to a place', () => {
  const values = hold('a');
  const { place } = values;
  const fork = values.fork();
  fork.add('b', 1);
  assert.equal([values.list, fork.list], [['a'], ['a', 1]]);
  assert.is.not(values.shape, fork.shape);
  values.add('c', 2);
  values.returnTo(place);
  assert.equal([values.list, values.shape], [['a'], hold('a').shape]);
});

test('a statement is found by what it does and the shape of its values, and runs with no other number of values', () =>
  withWorld(async ({ database }) => {
    const statements = new Statements(10);
    const find = (kind: string, values: Values) =>
      statements.find(kind, values, database, () => ({
        fragment: sql`select ${new Slot(values.length - 1)} as found`,
      }));
    const one = find('rows', hold('a', 'b'));
    assert.is(find('rows', hold('a', 'b')), one);
    assert.is.not(find('rows', hold('a')), one);
    assert.is.not(find('count', hold('a', 'b')), one);
    assert.equal(bind(one, [1, 2]), [2]);
    assert.throws(() => bind(one, [1]), /for 2 values got 1/);
    assert.throws(() => bind(one, [1, 2, 3]), /for 2 values got 3/);
  }));

test.run();
