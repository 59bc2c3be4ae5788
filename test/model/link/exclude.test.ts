import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkModel } from '../../../src/model/link.ts';
import { describePeriods } from '../../../src/model/period-message.ts';
import { removeWithReferences } from '../../../src/model/removal/cascade.ts';
import { toDefinitions } from '../rename/_definitions.ts';

const test = suite('model/link/exclude');

const toWorld = (exclude: readonly unknown[]) =>
  toDefinitions({
    'schema/tool': { name: 'tool', singular: 'Tool', plural: 'Tools', fields: [{ name: 'name', type: 'text' }] },
    'schema/reservation': {
      name: 'reservation',
      singular: 'Reservation',
      plural: 'Reservations',
      fields: [
        ...['from', 'until'].map((name) => ({ name, type: 'date' })),
        { name: 'at', type: 'datetime' },
        ...['least', 'most'].map((name) => ({ name, type: 'number' })),
        { name: 'part', type: 'number', attributes: { step: '0.1' } },
        { name: 'note', type: 'textarea' },
        { name: 'tags', type: 'tag' },
        { name: 'secret', type: 'password' },
        { name: 'created', type: 'created' },
      ],
      relations: [{ schema: 'tool', kind: '1:1' }],
      exclude,
    },
  });

const RULE = { columns: ['tool_id'], range: ['from', 'until'] };
const PERIOD = ['reservation_from', 'reservation_until'];

test('columns and fields may be named in short and in full', () => {
  const { model, problems } = linkModel(
    toWorld([
      RULE,
      { columns: ['reservation_most', 'at'], range: ['reservation_from', 'until'], message: 'No' },
      { range: ['least', 'most'] },
    ]),
  );
  assert.equal(problems, []);
  const schema = model?.schemas.get('reservation');
  assert.equal(schema?.exclude, [
    { columns: ['tool_id'], range: PERIOD, message: undefined },
    { columns: ['reservation_most', 'reservation_at'], range: PERIOD, message: 'No' },
    { columns: [], range: ['reservation_least', 'reservation_most'], message: undefined },
  ]);
  assert.ok(schema);
  const [first, second, third] = describePeriods(schema);
  assert.match(
    first ?? '',
    /same tool_id do not overlap: 409, Another Reservation with the same Tool has a part of this period\./,
  );
  assert.match(second ?? '', /same reservation_most, reservation_at do not overlap: 409, No\./);
  assert.match(third ?? '', /reservation_most of two rows do not overlap/);
});

const BAD: readonly (readonly [name: string, rules: readonly unknown[], code: string, path: string, said: RegExp])[] = [
  [
    'an unknown column',
    [{ ...RULE, columns: ['tol_id'] }],
    'MODEL_EXCLUDE_COLUMN',
    'exclude[0].columns[0]',
    /"tool_id"\?/,
  ],
  ['a long column', [{ ...RULE, columns: ['note'] }], 'MODEL_EXCLUDE_COLUMN', 'exclude[0].columns[0]', /compared/],
  ['a column of JSON', [{ ...RULE, columns: ['tags'] }], 'MODEL_EXCLUDE_COLUMN', 'exclude[0].columns[0]', /compared/],
  ['a secret column', [{ ...RULE, columns: ['secret'] }], 'MODEL_EXCLUDE_COLUMN', 'exclude[0].columns[0]', /compared/],
  [
    'a column twice',
    [{ ...RULE, columns: ['at', 'reservation_at'] }],
    'MODEL_EXCLUDE_TWICE',
    'exclude[0].columns[1]',
    /twice/,
  ],
  [
    'an end as a column',
    [{ ...RULE, columns: ['until'] }],
    'MODEL_EXCLUDE_TWICE',
    'exclude[0].columns[0]',
    /end of the period/,
  ],
  ['an unknown end', [{ range: ['from', 'untill'] }], 'MODEL_EXCLUDE_RANGE', 'exclude[0].range[1]', /"until"\?/],
  ['a key as an end', [{ range: ['tool_id', 'until'] }], 'MODEL_EXCLUDE_RANGE', 'exclude[0].range[0]', /types date, /],
  [
    'a time that Treadle sets',
    [{ range: ['created', 'at'] }],
    'MODEL_EXCLUDE_RANGE',
    'exclude[0].range[0]',
    /not a field/,
  ],
  [
    'one end twice',
    [{ range: ['from', 'reservation_from'] }],
    'MODEL_EXCLUDE_TWICE',
    'exclude[0].range[1]',
    /both ends/,
  ],
  ['two types', [{ range: ['from', 'at'] }], 'MODEL_EXCLUDE_RANGE', 'exclude[0].range[1]', /date and datetime/],
  ['two steps', [{ range: ['least', 'part'] }], 'MODEL_EXCLUDE_RANGE', 'exclude[0].range[1]', /same step/],
  ['a rule twice', [RULE, { ...RULE, message: 'No' }], 'MODEL_EXCLUDE_TWICE', 'exclude[1]', /already/],
];

for (const [name, rules, code, path, said] of BAD) {
  test(`refused: ${name}`, () => {
    const { problems } = linkModel(toWorld(rules), { isPartial: true });
    assert.equal(
      problems.map((problem) => [problem.code, problem.path]),
      [[code, path]],
    );
    assert.match(`${problems[0]?.message} ${problems[0]?.hint}`, said);
  });
}

for (const [kind, name] of [
  ['field', 'until'],
  ['relation', 'tool'],
] as const) {
  test(`a removed ${kind} takes the rules that name it with it`, () => {
    const world = toWorld([RULE, { range: ['least', 'most'] }]);
    const target =
      kind === 'field' ? { kind, owner: 'schema', of: 'reservation', name } : { kind, of: 'reservation', name };
    const { definitions } = removeWithReferences(world, target as Parameters<typeof removeWithReferences>[1]);
    assert.equal(definitions.schema.get('reservation')?.value.exclude, [{ range: ['least', 'most'] }]);
  });
}

test.run();
