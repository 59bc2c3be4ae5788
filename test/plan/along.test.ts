import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FlatRelationCall, listAlong } from '../../src/plan/along.ts';
import { linkSchemas } from '../database/model.ts';

const test = suite('plan/along');

const toSchema = (name: string, relations: readonly object[] = []): object => ({
  ...{ name, singular: name, plural: `${name}s`, fields: [{ name: 'name', type: 'text' }], relations },
});

/** Three relations one after the other, each with a 1:1 of its own; the last leads further, and back. */
const MODEL = linkSchemas([
  toSchema('one', [{ schema: 'two', kind: '1:N' }]),
  toSchema('two', [
    { schema: 'three', kind: 'N:N' },
    { schema: 'near', kind: '1:1' },
  ]),
  toSchema('three', [
    { schema: 'four', kind: '1:0' },
    { schema: 'mid', kind: '1:1' },
  ]),
  toSchema('four', [
    { schema: 'five', kind: '1:0' },
    { schema: 'one', kind: '1:0' },
    { schema: 'far', kind: '1:1' },
  ]),
  toSchema('five', [{ schema: 'lost', kind: '1:1' }]),
  ...['near', 'mid', 'far', 'lost'].map((name) => toSchema(name)),
]);

const list = (parameters: object, event = 'system-model-search'): string[] => {
  const definition = { access: 'public', event, parameters: { schema: 'one', ...parameters } };
  const call = { definition, handler: undefined, schema: 'one', isOwn: false } as unknown as FlatRelationCall;
  return listAlong(MODEL, call).map(({ by }) => by);
};

test('lists what "expand" can reach by three relations, and what a fixed "expand" reaches', () => {
  assert.equal(list({}), ['two.near', 'two.three.mid', 'two.three.four.far']);
  assert.equal(list({}, 'system-model-detail'), ['two.near', 'two.three.mid', 'two.three.four.far']);
  assert.equal(list({ expand: 'two' }), ['two.near']);
  assert.equal(list({ expand: ['two.three'] }), ['two.near', 'two.three.mid']);
  assert.equal(list({ expand: '' }), []);
  assert.equal(list({}, 'system-model-create'), []);
  assert.equal(list({ expand: 'two.nothing', fields: 'two.two_name' }), ['two.near']);
});

test('a fixed "fields" leaves columns of a 1:1 out, unless it names only those of related rows', () => {
  const definition = { access: 'public', event: 'system-model-detail' };
  const find = (fields: string): string[] => {
    const parameters = { schema: 'two', fields, expand: '' };
    const call = { definition: { ...definition, parameters }, handler: undefined, schema: 'two', isOwn: false };
    return listAlong(MODEL, call as unknown as FlatRelationCall).flatMap(({ columns }) =>
      columns.map(({ name }) => name),
    );
  };
  assert.equal(find('two_name'), []);
  assert.equal(find('two_name,near_name'), ['near_name']);
  assert.equal(find('near.near_name'), ['near_name']);
  assert.equal(find('three.three_name'), ['near_name']);
});

test.run();
