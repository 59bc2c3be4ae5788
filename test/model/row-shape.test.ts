import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toModel } from '../store/read/_world.ts';

const test = suite('model/row-shape');

const toSchema = (name: string, fields: readonly object[], relations: readonly object[] = []): object => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields,
  relations,
});

const text = (name: string): object => ({ name, type: 'text' });

/** A talk has one speaker and one host, both people, an optional room, and notes; a festival has talks. */
const model = toModel([
  toSchema('person', [text('name'), { name: 'secret', type: 'password' }]),
  toSchema('room', [text('name')]),
  toSchema('note', [text('text')]),
  toSchema('festival', [text('name')], [{ schema: 'talk', kind: '1:N' }]),
  toSchema(
    'talk',
    [text('title'), { name: 'code', type: 'password' }],
    [
      { schema: 'person', kind: '1:1', name: 'speaker' },
      { schema: 'person', kind: '1:1', name: 'co-host' },
      { schema: 'room', kind: '1:0' },
      { schema: 'note', kind: 'N:N' },
    ],
  ),
]);
const talk = model.schemas.get('talk')?.row;

test('own columns: what rows show, what they hide, what is stored', () => {
  assert.is(talk?.primary, 'talk_id');
  assert.equal(
    talk?.shown.map(({ name }) => name),
    ['talk_title'],
  );
  assert.equal(
    talk?.secrets.map(({ name }) => name),
    ['talk_code'],
  );
  assert.equal(talk?.stored, [
    'talk_id',
    'talk_title',
    'talk_code',
    'speaker_id',
    'co_host_id',
    'room_id',
    'festival_id',
  ]);
});

test('foreign keys: target, nullability and which schema declares them', () => {
  assert.equal(
    talk?.keys.map(({ column, target, isNullable, origin }) => [column, target, isNullable, origin]),
    [
      ['speaker_id', 'person', false, 'own'],
      ['co_host_id', 'person', false, 'own'],
      ['room_id', 'room', true, 'own'],
      ['festival_id', 'festival', true, 'parent'],
    ],
  );
  assert.equal(model.schemas.get('note')?.row.keys, []);
});

test('columns of two 1:1 relations to one schema have two names, and passwords have none', () => {
  assert.equal(
    talk?.flat.map(({ name, target, column, relation }) => [name, target, column, relation.name]),
    [
      ['person_id', 'person', 'person_id', 'speaker'],
      ['person_name', 'person', 'person_name', 'speaker'],
      ['co_host_name', 'person', 'person_name', 'co-host'],
    ],
  );
  assert.equal(
    [...(talk?.names ?? [])].filter((name) => name.includes('secret') || name.includes('code')),
    [],
  );
});

test('a detail shows every relation but 1:1', () => {
  assert.equal(
    talk?.details.map(({ name }) => name),
    ['room', 'note'],
  );
});

test.run();
