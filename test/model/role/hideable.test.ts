import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import type { SchemaModel } from '../../../src/model/model.ts';
import { listHideable } from '../../../src/model/role/hideable.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/role/hideable');

const schema = (name: string, fields: readonly object[], to?: string): object => ({
  ...{ name, singular: name, plural: name, fields },
  ...(to === undefined ? {} : { relations: [{ schema: to, kind: '1:1' }] }),
});
const computed = (name: string, expression: string, stored = false): object => ({
  ...{ name, type: 'computed', expression },
  ...(stored ? { stored } : {}),
});
const number = (name: string): object => ({ name, type: 'number' });

/** What rows of a sale and of its payment may lack. */
function listLacking(data: object): readonly (readonly string[])[] {
  const { model, problems } = linkModel(
    toDefinitions({
      'schema/sale': schema('sale', [
        number('price'),
        number('rank'),
        computed('twice', 'price * 2'),
        computed('more', 'twice + 1'),
        computed('lines', 'line.count', true),
        computed('net', 'line.sum(amount)'),
        computed('kept', 'line.sum(amount)', true),
      ]),
      'schema/line': schema('line', [number('amount')], 'sale'),
      'schema/payment': schema('payment', [number('paid')], 'sale'),
      'role/guest': { slug: 'guest', name: 'Guest', permissions: [], data },
    }),
  );
  assert.ok(model, JSON.stringify(problems));
  return ['sale', 'payment'].map((name) => [...listHideable(model, model.schemas.get(name) as SchemaModel)].sort());
}
const both = (...names: readonly string[]): readonly (readonly string[])[] => [names, names];

test('a row may lack what is computed of a column that it may lack', () => {
  assert.equal(listLacking({}), both());
  assert.equal(
    listLacking({ sale: { search: true, detail: { read: ['-price'] } } }),
    both('sale_more', 'sale_price', 'sale_twice'),
  );
  assert.equal(listLacking({ sale: { search: { read: ['-twice'] } } }), both('sale_more', 'sale_twice'));
});

test('and sums of rows whose column a role does not read; a stored one also where a role may see no rows', () => {
  assert.equal(listLacking({ line: { detail: { read: ['-amount'] } } }), both('sale_kept', 'sale_net'));
  assert.equal(listLacking({ line: { detail: true } }), both('sale_kept'));
});

test.run();
