import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Definitions, linkModel } from '../../src/model/link.ts';
import { parseDefinition } from '../../src/model/parse.ts';
import type { FileKind } from '../../src/model/shape.ts';

const test = suite('field values');

type Files = Readonly<Record<string, unknown>>;

/** Problems of definitions: `schema/a` to its value. */
function listProblems(files: Files): string[] {
  const kinds = ['schema', 'fieldset', 'rest', 'scope', 'webhook', 'app', 'role'] as const;
  const maps = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, unknown>()]));
  for (const [path, value] of Object.entries({ 'settings/settings': {}, ...files })) {
    const [kind = '', name = ''] = path.split('/');
    const { source, problems } = parseDefinition(kind as FileKind, `config/${path}.json`, JSON.stringify(value));
    if (!source) throw new Error(JSON.stringify(problems));
    if (kind === 'settings') maps.settings = source as never;
    else maps[kind]?.set(name, source);
  }
  const { problems } = linkModel({ ...maps, broken: new Set() } as unknown as Definitions);
  return problems.map(({ code, path }) => `${code} ${path}`);
}

const named = (name: string, fields: readonly object[]) => ({ name, singular: name, plural: `${name}s`, fields });
const ofField = (field: object): Files => ({ 'schema/a': named('a', [{ name: 'x', ...field }]) });
const ofGroup = (field: object): Files => ({ 'fieldset/g': named('g', [{ name: 'x', ...field }]) });
const at = (code: string, path: string) => [`${code} fields[0].${path}`];

/** The error, and where it is reported. */
const CASES: readonly (readonly [string, Files, readonly string[]])[] = [
  ['bounds that are numbers', ofField({ type: 'number', attributes: { min: '1', max: 5, step: 'any' } }), []],
  [
    'a bound that is none',
    ofField({ type: 'number', attributes: { min: 'low' } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.min'),
  ],
  [
    'a step of nothing',
    ofField({ type: 'range', attributes: { step: 0 } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.step'),
  ],
  [
    'bounds that leave nothing',
    ofField({ type: 'number', attributes: { min: 9, max: 1 } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes'),
  ],
  ...(
    [
      ['price', { step: 0.001 }, 'step'],
      ['price', { step: 'any' }, 'step'],
      ['price', { min: 0.005 }, 'min'],
      ['price', { max: 1e14 }, 'max'],
      ['stars', { step: 0.25 }, 'step'],
      ['stars', { max: 10 }, 'max'],
      ['small', { step: 0.5 }, 'step'],
      ['small', { min: -1 }, 'min'],
      ['small', { max: 256 }, 'max'],
      ['number', { min: 0.5 }, 'min'],
      ['range', { max: 9.5, step: 2 }, 'max'],
      ['text', { maxlength: 256 }, 'maxlength'],
      ['email', { maxlength: 300 }, 'maxlength'],
    ] as const
  ).map(
    ([type, attributes, name]) =>
      [
        `a ${name} that ${type} cannot store`,
        ofField({ type, attributes }),
        at('MODEL_FIELD_UNSTORABLE', `attributes.${name}`),
      ] as const,
  ),
  ...(
    [
      ['price', { step: 0.05, min: 0.01, max: 99.95 }],
      ['stars', { step: 0.1, max: 5 }],
      ['small', { min: 1, max: 255, step: 5 }],
      ['number', { min: 0.5, step: 0.5 }],
      ['number', { min: 0.5, step: 'any' }],
      ['float', { step: 0.001, min: -1e300 }],
      ['text', { maxlength: 255 }],
      ['textarea', { maxlength: 5000 }],
      ['time', { step: 900, min: '08:00' }],
    ] as const
  ).map(([type, attributes]) => [`bounds that ${type} stores`, ofField({ type, attributes }), []] as const),
  [
    'a step of a part of a day',
    ofField({ type: 'date', attributes: { step: 0.5 } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.step'),
  ],
  ['a bound of time', ofField({ type: 'date', attributes: { min: '2026-01-01' } }), []],
  [
    'a bound of no time',
    ofField({ type: 'date', attributes: { max: '2026-02-30' } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.max'),
  ],
  [
    'a length below nothing',
    ofField({ type: 'text', attributes: { maxlength: -1 } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.maxlength'),
  ],
  [
    'a pattern that hangs',
    ofField({ type: 'text', attributes: { pattern: '(a+)+' } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.pattern'),
  ],
  ['types of files', ofField({ type: 'file', attributes: { accept: '.pdf, image/*,application/zip' } }), []],
  [
    'a type of file that is none',
    ofField({ type: 'file', attributes: { accept: 'pdf' } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.accept'),
  ],
  ...['.gpx,.kml', '.tar.gz', '.webmanifest', 'application/x-sqlite3', 'image/jpg', 'audio/x-m4a', 'text/*'].map(
    (accept) => [`the types ${accept}`, ofField({ type: 'file', attributes: { accept } }), []] as const,
  ),
  ...[
    ['file', 'image/jpge'],
    ['image', '.png,.pdf'],
    ['imagelist', 'application/pdf'],
  ].map(
    ([type, accept]) =>
      [
        `a ${type} that accepts ${accept}`,
        ofField({ type: type as 'file', attributes: { accept: String(accept) } }),
        at('MODEL_FIELD_ATTRIBUTE', 'attributes.accept'),
      ] as const,
  ),
  [
    'a size that is none',
    ofField({ type: 'file', attributes: { 'data-max-bytes': '1 MB' } }),
    at('MODEL_FIELD_ATTRIBUTE', 'attributes.data-max-bytes'),
  ],
  ['a good default', ofField({ type: 'price', default: '9.90' }), []],
  ['now as a default', ofField({ type: 'datetime', default: 'NOW()' }), []],
  ['a default of another type', ofField({ type: 'number', default: 'x' }), at('MODEL_FIELD_DEFAULT', 'default')],
  [
    'a default that is not an option',
    ofField({ type: 'select', options: [{ key: 'a', value: 'A' }], default: 'b' }),
    at('MODEL_FIELD_DEFAULT', 'default'),
  ],
  ['a default of what Treadle sets', ofField({ type: 'uuid', default: 'x' }), at('MODEL_FIELD_DEFAULT', 'default')],
  [
    'options that are one',
    ofField({
      type: 'radios',
      options: [
        { key: 'a', value: 'A' },
        { key: 'a', value: 'B' },
      ],
    }),
    ['MODEL_FIELD_OPTIONS fields[0].options[1].key'],
  ],
  ['a format with what it takes', ofField({ type: 'text', list: { format: 'length', parameters: [80] } }), []],
  [
    'a format with what it does not',
    ofField({ type: 'text', list: { format: 'upper', parameters: [1] } }),
    at('MODEL_FORMAT_PARAMETERS', 'list.parameters'),
  ],
  [
    'a count that is none',
    ofField({ type: 'text', detail: { format: 'words', parameters: ['few'] } }),
    at('MODEL_FORMAT_PARAMETERS', 'detail.parameters'),
  ],
  [
    'a formula without one',
    ofField({ type: 'none', list: { format: 'formula' } }),
    at('MODEL_FORMAT_PARAMETERS', 'list'),
  ],
  [
    'a formula that is none',
    ofField({ type: 'none', list: { format: 'formula', parameters: ['{{a_x}} +* 2'] } }),
    at('MODEL_FORMAT_PARAMETERS', 'list.parameters'),
  ],
  [
    'parameters of a rule that takes none',
    ofField({ type: 'text', validation: [{ method: 'email', parameters: 1 }] }),
    at('MODEL_VALIDATION_PARAMETERS', 'validation[0].parameters'),
  ],
  [
    'half of a character',
    ofField({ type: 'text', validation: [{ method: 'char_lte', parameters: 1.5 }] }),
    at('MODEL_VALIDATION_PARAMETERS', 'validation[0].parameters'),
  ],
  [
    'unique, as a rule, of a list',
    ofField({ type: 'tag', validation: [{ method: 'unique' }] }),
    at('MODEL_FIELD_FLAG', 'validation[0].method'),
  ],
  ['unique, of a long text', ofField({ type: 'textarea', unique: true }), at('MODEL_FIELD_FLAG', 'unique')],
  [
    'unique, as a rule, in a group',
    ofGroup({ type: 'text', validation: [{ method: 'unique' }] }),
    at('MODEL_FIELD_FLAG', 'validation[0].method'),
  ],
  ['required, as a rule, in a group', ofGroup({ type: 'text', validation: [{ method: 'required' }] }), []],
  ['a password in a group', ofGroup({ type: 'password' }), at('MODEL_FIELD_TYPE', 'type')],
];
for (const [what, files, problems] of CASES) test(what, () => assert.equal(listProblems(files), problems));

test('groups in groups, eight deep and no deeper', () => {
  const chain = (depth: number): Files =>
    Object.fromEntries(
      Array.from({ length: depth }, (_, index) => {
        const isLast = index === depth - 1;
        const field = isLast ? { name: 'x', type: 'text' } : { name: 'x', type: 'fieldset', fieldset: `g${index + 1}` };
        return [`fieldset/g${index}`, named(`g${index}`, [field])];
      }),
    );
  assert.equal(listProblems(chain(8)), []);
  assert.equal(listProblems(chain(9)), ['MODEL_FIELDSET_DEEP fields']);
});

test.run();
