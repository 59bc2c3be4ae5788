import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import type { RenamedDefinitions } from '../../../src/model/rename/apply.ts';
import { renameField, renameRelation, renameSchema } from '../../../src/model/rename/rename.ts';
import { toDefinitions } from './_definitions.ts';

const test = suite('model/rename of expressions');

const computed = (name: string, expression: string): object => ({ name, type: 'computed', expression });

const WORLD = {
  'schema/sale': {
    ...{ name: 'sale', singular: 'Sale', plural: 'Sales' },
    fields: [
      { name: 'tax', type: 'decimal' },
      { name: 'unit-cost', type: 'decimal' },
      computed('net', 'line.sum(amount) + line.sum(line_cost)'),
      computed('gross', "round(net * (1 + sale_tax), 2) + if('tax' = 'tax', unit_cost, tax)"),
    ],
    relations: [{ schema: 'line', kind: '1:N' }],
  },
  'schema/line': {
    ...{ name: 'line', singular: 'Line', plural: 'Lines' },
    fields: [{ name: 'cost', type: 'decimal' }, computed('amount', 'cost * 2'), computed('notes', 'line_note.count')],
  },
  'schema/line-note': {
    ...{ name: 'line-note', singular: 'Note', plural: 'Notes' },
    fields: [{ name: 'text', type: 'text' }],
    relations: [{ schema: 'line', kind: '1:1' }],
  },
};

type Rename = (definitions: ReturnType<typeof toDefinitions>) => RenamedDefinitions;

const CASES: readonly (readonly [words: string, rename: Rename, expected: Readonly<Record<string, string>>])[] = [
  [
    'a field',
    (definitions) => renameField(definitions, 'sale', 'tax', 'rate'),
    { 'sale.gross': "round(net * (1 + sale_rate), 2) + if('tax' = 'tax', unit_cost, rate)" },
  ],
  [
    'a field with a dash',
    (definitions) => renameField(definitions, 'sale', 'unit-cost', 'piece-cost'),
    { 'sale.gross': "round(net * (1 + sale_tax), 2) + if('tax' = 'tax', piece_cost, tax)" },
  ],
  [
    'a computed field that others name',
    (definitions) => renameField(definitions, 'line', 'amount', 'total'),
    { 'sale.net': 'line.sum(total) + line.sum(line_cost)' },
  ],
  [
    'a field of related rows',
    (definitions) => renameField(definitions, 'line', 'cost', 'price'),
    { 'sale.net': 'line.sum(amount) + line.sum(line_price)', 'line.amount': 'price * 2' },
  ],
  [
    'a relation',
    (definitions) => renameRelation(definitions, 'sale', 'line', 'items'),
    { 'sale.net': 'items.sum(amount) + items.sum(line_cost)' },
  ],
  [
    'a schema',
    (definitions) => renameSchema(definitions, 'line', 'position'),
    { 'sale.net': 'position.sum(amount) + position.sum(position_cost)', 'position.notes': 'line_note.count' },
  ],
  [
    'a schema that points here',
    (definitions) => renameSchema(definitions, 'line-note', 'side-note'),
    { 'line.notes': 'side_note.count' },
  ],
];

test('a rename changes the expressions that name it, and the definitions stay valid', () => {
  for (const [words, rename, expected] of CASES) {
    const { definitions } = rename(toDefinitions(WORLD));
    for (const [place, expression] of Object.entries(expected)) {
      const [schema = '', field] = place.split('.');
      const found = definitions.schema.get(schema)?.value.fields.find(({ name }) => name === field);
      assert.is(found?.expression, expression, `${words}: ${place}`);
    }
    const problems = linkModel(definitions).problems.filter(({ severity }) => severity !== 'advice');
    assert.equal(
      problems.map(({ message }) => message),
      [],
      words,
    );
  }
});

test.run();
