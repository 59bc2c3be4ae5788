import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isBlocked } from '../../../src/database/migration-step.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Field, Relation } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { kinds, onSite, type Rows, type Site, sorted } from './_world.ts';

const test = suite('database/migration/schema-change');

type Sketch = (was?: Partial<SchemaSketch>) => SchemaSketch;
const note =
  (...fields: readonly (Partial<Field> & { name: string })[]): Sketch =>
  (more = {}) => ({ name: 'note', fields: fields.map((field) => ({ type: 'text', ...field })), ...more });
const KEEP = { name: 'keep' } as const;
const PERSON: SchemaSketch = { name: 'person', fields: [{ name: 'name', type: 'text' }] };
const related = (...relations: readonly Relation[]): SchemaSketch => note(KEEP)({ relations });

interface Case {
  readonly before: readonly SchemaSketch[];
  readonly rows: Rows;
  readonly after: readonly SchemaSketch[];
  readonly steps: readonly string[];
  readonly becomes: Rows;
  readonly options?: { readonly allowLoss?: boolean; readonly defaults?: ReadonlyMap<string, string> };
}

const one = (row: Row): Rows => ({ note: [{ note_id: 1, ...row }] });
/** A field that changes type, with one row per value. */
const retyped = (from: Partial<Field>, to: Partial<Field>, pairs: readonly (readonly [unknown, unknown])[]): Case => ({
  before: [note({ name: 'x', ...from })()],
  rows: { note: pairs.map(([value], index) => ({ note_id: index + 1, note_x: value })) },
  after: [note({ name: 'x', ...to })()],
  steps: ['alter-column change'],
  becomes: { note: pairs.map(([, value], index) => ({ note_id: index + 1, note_x: value })) },
});
const options = (...keys: string[]) => ({ options: keys.map((key) => ({ key, value: key })) });

const CASES: Readonly<Record<string, Case>> = {
  'a field is renamed': {
    before: [note({ name: 'a', required: true, unique: true })()],
    rows: one({ note_a: 'x' }),
    after: [note({ name: 'b', was: 'a', required: true, unique: true })()],
    steps: ['rename-column change'],
    becomes: one({ note_b: 'x' }),
  },
  'a chain of fields moves on by one': {
    before: [note({ name: 'a' }, { name: 'b' })()],
    rows: one({ note_a: 'a', note_b: 'b' }),
    after: [note({ name: 'b', was: 'a' }, { name: 'c', was: 'b' })()],
    steps: ['rename-column change', 'rename-column change'],
    becomes: one({ note_b: 'a', note_c: 'b' }),
  },
  'two fields swap their names': {
    before: [note({ name: 'a' }, { name: 'b', type: 'number' })()],
    rows: one({ note_a: 'a', note_b: 2 }),
    after: [note({ name: 'a', was: 'b', type: 'number' }, { name: 'b', was: 'a' })()],
    steps: ['rename-column change', 'rename-column change', 'rename-column change'],
    becomes: one({ note_a: 2, note_b: 'a' }),
  },
  'a schema is renamed, with keys that lead to it and its joins': {
    before: [
      PERSON,
      related({ schema: 'person', kind: '1:1' }, { schema: 'person', kind: 'N:N', name: 'reader' }),
      { name: 'team', fields: [], relations: [{ schema: 'person', kind: '1:N' }] },
    ],
    rows: {
      team: [{ team_id: 1 }],
      person: [{ person_id: 1, person_name: 'Ann', team_id: 1 }],
      note: [{ note_id: 1, note_keep: 'k', person_id: 1 }],
      note_reader: [{ note_id: 1, person_id: 1 }],
    },
    after: [
      { ...PERSON, name: 'human', was: 'person' },
      related({ schema: 'human', kind: '1:1' }, { schema: 'human', kind: 'N:N', name: 'reader' }),
      { name: 'crew', was: 'team', fields: [], relations: [{ schema: 'human', kind: '1:N' }] },
    ],
    steps: [
      ...Array.from({ length: 6 }, () => 'rename-column change'),
      ...Array.from({ length: 2 }, () => 'rename-table change'),
    ],
    becomes: {
      crew: [{ crew_id: 1 }],
      human: [{ human_id: 1, human_name: 'Ann', crew_id: 1 }],
      note: [{ note_id: 1, note_keep: 'k', human_id: 1 }],
      note_reader: [{ note_id: 1, human_id: 1 }],
    },
  },
  'a schema and its field are renamed at once': {
    before: [note({ name: 'a' }, KEEP)()],
    rows: one({ note_a: 'x', note_keep: 'k' }),
    after: [{ ...note({ name: 'b', was: 'a' }, KEEP)(), name: 'memo', was: 'note' }],
    steps: ['rename-column change', 'rename-column change', 'rename-column change', 'rename-table change'],
    becomes: { memo: [{ memo_id: 1, memo_b: 'x', memo_keep: 'k' }] },
  },
  'two schemas swap their names': {
    before: [PERSON, note({ name: 'name', type: 'number' })()],
    rows: { person: [{ person_id: 1, person_name: 'Ann' }], ...one({ note_name: 7 }) },
    after: [
      { ...PERSON, name: 'note', was: 'person' },
      { ...note({ name: 'name', type: 'number' })(), name: 'person', was: 'note' },
    ],
    steps: [
      ...Array.from({ length: 4 }, () => 'rename-column change'),
      ...Array.from({ length: 3 }, () => 'rename-table change'),
    ],
    becomes: { note: [{ note_id: 1, note_name: 'Ann' }], person: [{ person_id: 1, person_name: 7 }] },
  },
  'a relation is renamed, one-to-one and many-to-many': {
    before: [
      PERSON,
      related({ schema: 'person', kind: '1:0', name: 'owner' }, { schema: 'person', kind: 'N:N', name: 'fan' }),
    ],
    rows: {
      person: [{ person_id: 1, person_name: 'Ann' }],
      note: [{ note_id: 1, note_keep: 'k', owner_id: 1 }],
      note_fan: [{ note_id: 1, person_id: 1 }],
    },
    after: [
      PERSON,
      related(
        { schema: 'person', kind: '1:0', name: 'author', was: 'owner' },
        { schema: 'person', kind: 'N:N', name: 'reader', was: 'fan' },
      ),
    ],
    steps: ['rename-column change', 'rename-table change'],
    becomes: {
      person: [{ person_id: 1, person_name: 'Ann' }],
      note: [{ note_id: 1, note_keep: 'k', author_id: 1 }],
      note_reader: [{ note_id: 1, person_id: 1 }],
    },
  },
  'raw JSON becomes text, the same on both databases': retyped({ type: 'rawjson' }, { type: 'text' }, [
    ['[1,2]', '[1,2]'],
    ['5', '5'],
    ['"[1]"', '[1]'],
  ]),
  'whole numbers become text': retyped({ type: 'number' }, { type: 'text' }, [
    [5, '5'],
    [-3, '-3'],
    [null, null],
  ]),
  'text becomes whole numbers, in whatever form it was': retyped({ type: 'text' }, { type: 'number' }, [
    ['5', 5],
    ['05', 5],
    [' 7 ', 7],
    ['', null],
    [null, null],
  ]),
  'numbers with decimals become text and keep every digit': retyped({ type: 'float' }, { type: 'text' }, [
    [0.1 + 0.2, '0.30000000000000004'],
    [5, '5'],
  ]),
  'text becomes numbers with decimals and keeps every digit': retyped({ type: 'text' }, { type: 'float' }, [
    ['0.30000000000000004', 0.1 + 0.2],
    ['1e3', 1000],
  ]),
  'whole numbers become numbers with decimals': retyped({ type: 'number' }, { type: 'float' }, [[5, 5]]),
  'numbers with decimals become whole where they are': retyped({ type: 'float' }, { type: 'number' }, [[5, 5]]),
  'text becomes days': retyped({ type: 'text' }, { type: 'date' }, [
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31 00:00', '2026-01-31'],
  ]),
  'days become moments': retyped({ type: 'date' }, { type: 'datetime' }, [['2026-01-31', '2026-01-31 00:00:00']]),
  'text becomes yes and no': retyped({ type: 'text' }, { type: 'switch' }, [
    ['yes', 1],
    ['no', 0],
  ]),
  'text becomes a choice, where each value is one': retyped(
    { type: 'text' },
    { type: 'select', ...options('a', 'b') },
    [
      ['a', 'a'],
      ['b', 'b'],
    ],
  ),
  'text becomes a list': retyped({ type: 'text' }, { type: 'tag' }, [
    ['a, b', '["a", "b"]'],
    ['["x"]', '["x"]'],
  ]),
  'a list becomes text': retyped({ type: 'tag' }, { type: 'text' }, [['["x"]', '["x"]']]),
  'values that do not fit give way where that is allowed': {
    ...retyped({ type: 'text' }, { type: 'number' }, [
      ['5', 5],
      ['many', null],
    ]),
    steps: ['alter-column lose'],
    options: { allowLoss: true },
  },
  'values that do not fit a required field become its default': {
    ...retyped({ type: 'text', required: true }, { type: 'number', required: true, default: 9 }, [
      ['5', 5],
      ['many', 9],
    ]),
    steps: ['alter-column lose', 'alter-column change'],
    options: { allowLoss: true },
  },
  'a field with a default becomes required': {
    before: [note({ name: 'x' })()],
    rows: {
      note: [
        { note_id: 1, note_x: null },
        { note_id: 2, note_x: 'b' },
      ],
    },
    after: [note({ name: 'x', required: true, default: 'a' })()],
    steps: ['alter-column change', 'alter-column change'],
    becomes: {
      note: [
        { note_id: 1, note_x: 'a' },
        { note_id: 2, note_x: 'b' },
      ],
    },
  },
  'a field becomes required, with a value for this once': {
    before: [note({ name: 'x', type: 'number' })()],
    rows: { note: [{ note_id: 1, note_x: null }] },
    after: [note({ name: 'x', type: 'number', required: true })()],
    steps: ['alter-column change'],
    becomes: { note: [{ note_id: 1, note_x: 4 }] },
    options: { defaults: new Map([['note.x', '4']]) },
  },
  'a required field is added, with a value for this once': {
    before: [note(KEEP)()],
    rows: one({ note_keep: 'k' }),
    after: [note(KEEP, { name: 'x', type: 'date', required: true })()],
    steps: ['add-column change'],
    becomes: one({ note_keep: 'k', note_x: '2026-01-31' }),
    options: { defaults: new Map([['note.x', '2026-01-31 00:00']]) },
  },
  'a 1:1 is added to rows, which are given one': {
    before: [PERSON, related()],
    rows: { person: [{ person_id: 3, person_name: 'Ann' }], ...one({ note_keep: 'k' }) },
    after: [PERSON, related({ schema: 'person', kind: '1:1' })],
    steps: ['add-column change'],
    becomes: {
      person: [{ person_id: 3, person_name: 'Ann' }],
      note: [{ note_id: 1, note_keep: 'k', person_id: 3 }],
    },
    options: { defaults: new Map([['note.person', '3']]) },
  },
  'a field goes': {
    before: [note(KEEP, { name: 'x', default: 'd' })()],
    rows: {
      note: [
        { note_id: 1, note_keep: 'k', note_x: null },
        { note_id: 2, note_keep: 'l', note_x: 'y' },
      ],
    },
    after: [note(KEEP)()],
    steps: ['drop-column lose'],
    becomes: {
      note: [
        { note_id: 1, note_keep: 'k' },
        { note_id: 2, note_keep: 'l' },
      ],
    },
    options: { allowLoss: true },
  },
  'a schema goes, with what leads to it': {
    before: [PERSON, related({ schema: 'person', kind: '1:1' }, { schema: 'person', kind: 'N:N', name: 'fan' })],
    rows: {
      person: [{ person_id: 1, person_name: 'Ann' }],
      note: [{ note_id: 1, note_keep: 'k', person_id: 1 }],
      note_fan: [{ note_id: 1, person_id: 1 }],
    },
    after: [related()],
    steps: ['drop-column lose', 'drop-table lose', 'drop-table lose'],
    becomes: one({ note_keep: 'k' }),
    options: { allowLoss: true },
  },
  'a renamed field takes the name of one that nobody filled': {
    before: [note({ name: 'a' }, { name: 'b' })()],
    rows: one({ note_a: 'x', note_b: null }),
    after: [note({ name: 'b', was: 'a' })()],
    steps: ['drop-column change', 'rename-column change'],
    becomes: one({ note_b: 'x' }),
  },
  'a renamed field takes the name of one that goes': {
    before: [note({ name: 'a' }, { name: 'b' })()],
    rows: one({ note_a: 'x', note_b: 'old' }),
    after: [note({ name: 'b', was: 'a' })()],
    steps: ['drop-column lose', 'rename-column change'],
    becomes: one({ note_b: 'x' }),
    options: { allowLoss: true },
  },
};

async function readAll(site: Site): Promise<Rows> {
  const found: Record<string, Row[]> = {};
  for (const table of Object.keys(await site.describe())) found[table] = await site.read(table);
  return found;
}

/** Compares JSON by value: PostgreSQL prints it with spaces. */
const plain = (rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([table, list]) => [table, sorted(list).map((row) => Object.fromEntries(Object.entries(row).map(toPlain)))]),
  );
const toPlain = ([name, value]: [string, unknown]): [string, unknown] =>
  typeof value === 'string' && /^\[/.test(value) ? [name, JSON.parse(value)] : [name, value];

for (const [title, { before, rows, after, steps, becomes, options: how }] of Object.entries(CASES)) {
  test(`${title}; undone it is as before, and can be done again`, () =>
    onSite(async (site) => {
      await site.migrate(before);
      await site.insert(rows);
      const shape = await site.describe();
      const { plan, applied } = await site.migrate(after, how);
      assert.not(isBlocked(plan), JSON.stringify(plan.problems));
      assert.equal(kinds(applied), steps);
      assert.equal(plain(await readAll(site)), plain(becomes));
      assert.equal(kinds((await site.plan(after, how)).steps), [], 'nothing is left');
      const back = await site.undo();
      assert.equal(
        back.refused.map(({ refusal }) => refusal?.message),
        [],
      );
      assert.equal(await site.describe(), shape);
      assert.equal(
        plain(await readAll(site)),
        plain({ ...Object.fromEntries(Object.keys(shape).map((name) => [name, []])), ...rows }),
      );
      await site.migrate(after, how);
      assert.equal(plain(await readAll(site)), plain(becomes));
    }));
}

test.run();
