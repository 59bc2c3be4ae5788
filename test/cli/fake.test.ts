import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileMaker } from '../../src/cli/fake/pattern.ts';
import { createChance } from '../../src/cli/fake/random.ts';
import { isCardNumber } from '../../src/model/field/validate-test.ts';
import { type Place, placeDatabase } from '../database/_where.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const places: Place[] = [];
const test = suite('cli/fake');
test.after(async () => {
  folders.remove();
  for (const place of places) await place.remove();
});

type Row = Record<string, unknown>;
interface Project {
  at(...argv: string[]): Promise<RunResult>;
  rows(schema: string): Promise<Row[]>;
}

const rule = (method: string, parameters?: unknown) => ({
  method,
  ...(parameters === undefined ? {} : { parameters }),
});
const SCHEMAS = [
  {
    name: 'shop',
    fields: [{ name: 'name', type: 'text', required: true, unique: true }],
    relations: [{ schema: 'owner', kind: '1:1' }],
  },
  {
    name: 'owner',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'mail', type: 'email', unique: true },
    ],
  },
  { name: 'label', fields: [{ name: 'name', type: 'text' }] },
  {
    name: 'visit',
    fields: ['date', 'datetime', 'time', 'month', 'number', 'price'].flatMap((type) => [
      { name: `${type}_from`, type },
      { name: `${type}_until`, type },
    ]),
    exclude: ['date', 'datetime', 'time', 'month', 'number', 'price'].map((type) => ({
      range: [`${type}_from`, `${type}_until`],
    })),
  },
  {
    name: 'good',
    fields: [
      {
        name: 'short',
        type: 'text',
        required: true,
        unique: true,
        validation: [rule('char_lte', 10), rule('char_gte', 6)],
      },
      { name: 'words', type: 'textarea', required: true, validation: [rule('word_gte', 3), rule('word_lt', 6)] },
      { name: 'size', type: 'number', required: true, attributes: { min: 10, max: 20 }, validation: [rule('gt', 12)] },
      { name: 'step', type: 'number', required: true, attributes: { min: 1, max: 9, step: 2 } },
      { name: 'one', type: 'text', required: true, validation: [rule('one', ['a', 'b'])] },
      { name: 'code', type: 'text', required: true, validation: [rule('regexp', '/^[A-Z]{2}-\\d{3,5}(x|yz)?$/')] },
      { name: 'card', type: 'text', required: true, unique: true, validation: [rule('cc')] },
      { name: 'start', type: 'date', required: true, validation: [rule('futuredate')] },
      { name: 'end', type: 'date', required: true, validation: [rule('column_gt', 'good_start')] },
      { name: 'low', type: 'number', required: true },
      { name: 'high', type: 'number', required: true, validation: [rule('column_gte', 'low')] },
      { name: 'colour', type: 'color', required: true, unique: true },
      { name: 'pass', type: 'password', required: true },
      { name: 'made', type: 'created' },
      { name: 'seen', type: 'active' },
    ],
    relations: [
      { schema: 'shop', kind: '1:1' },
      { schema: 'label', kind: 'N:N' },
      { schema: 'good', kind: '1:0', name: 'above' },
    ],
  },
  {
    name: 'narrow',
    fields: [
      {
        name: 'pick',
        type: 'select',
        required: true,
        unique: true,
        options: [
          { key: 'a', value: 'A' },
          { key: 'b', value: 'B' },
        ],
      },
    ],
  },
  {
    name: 'never',
    fields: [{ name: 'no', type: 'text', required: true, validation: [rule('char_gte', 5), rule('char_lte', 3)] }],
  },
];

async function makeProject(): Promise<Project> {
  const root = folders.makeProject('bare');
  const place = await placeDatabase('var/app.db');
  places.push(place);
  mkdirSync(join(root, 'config/schema'), { recursive: true });
  for (const schema of SCHEMAS) {
    const full = { singular: schema.name, plural: `${schema.name}s`, ...schema };
    writeFileSync(join(root, `config/schema/${schema.name}.json`), JSON.stringify(full));
  }
  const at = (...argv: string[]) => run(argv, { cwd: root, env: { DATABASE_URL: place.url } });
  const { code, out, err } = await at('migrate', '--yes');
  assert.is(code, 0, out + err);
  return { at, rows: async (schema) => JSON.parse((await at('export', schema, '--json')).out) };
}

const DAY = ['--date', '2026-01-31'];

test('rows that all rules take, with what they need; the same for the same seed', async () => {
  const [one, two, three] = [await makeProject(), await makeProject(), await makeProject()];
  await one.at('fake', 'label', '3', ...DAY);
  await two.at('fake', 'label', '3', ...DAY);
  const made = await one.at('fake', 'good', '30', ...DAY);
  assert.is(made.code, 0, made.err);
  assert.match(
    made.out,
    'created 10 owner rows, which good needs\ncreated 10 shop rows, which good needs\ncreated 30 good rows',
  );
  await two.at('fake', 'good', '30', ...DAY);
  await three.at('fake', 'good', '30', '--seed', 'spring', ...DAY);
  const rows = await one.rows('good');
  assert.is(rows.length, 30);
  for (const row of rows) {
    const text = (name: string): string => String(row[`good_${name}`]);
    const number = (name: string): number => Number(row[`good_${name}`]);
    assert.ok(text('short').length >= 6 && text('short').length <= 10, text('short'));
    assert.ok(text('words').split(' ').length >= 3 && text('words').split(' ').length < 6, text('words'));
    assert.ok(number('size') > 12 && number('size') <= 20 && (number('step') - 1) % 2 === 0 && number('step') <= 9);
    assert.ok(['a', 'b'].includes(text('one')) && isCardNumber(text('card')));
    assert.match(text('code'), /^[A-Z]{2}-\d{3,5}(x|yz)?$/);
    assert.ok(text('start') > '2026-01-31' && text('end') > text('start'));
    assert.ok(number('high') >= number('low') && Number(row.shop_id) > 0);
    assert.ok(text('made') < '2026-01-31');
  }
  assert.is(new Set(rows.map((row) => row.good_colour)).size, 30);
  assert.ok(rows.some((row) => (row.label as unknown[]).length > 0));
  assert.equal(await two.rows('good'), rows);
  assert.not.equal((await three.rows('good'))[0]?.good_short, rows[0]?.good_short);
});

test('rows with periods that may not overlap', async () => {
  const { at, rows } = await makeProject();
  assert.is((await at('fake', 'visit', '60')).code, 0);
  assert.is((await at('fake', 'visit', '40')).code, 0);
  const made = await rows('visit');
  assert.is(made.length, 100);
  assert.ok(made.every((row) => String(row.visit_date_from) < String(row.visit_date_until)));
});

test('more rows are other rows, and fewer are the first of them', async () => {
  const [one, two] = [await makeProject(), await makeProject()];
  await one.at('fake', 'owner', '20', ...DAY);
  await two.at('fake', 'owner', '5', ...DAY);
  assert.equal((await one.rows('owner')).slice(0, 5), await two.rows('owner'));
  await two.at('fake', 'owner', '15', ...DAY);
  assert.equal(await two.rows('owner'), await one.rows('owner'));
});

test('a trial shows some and makes none', async () => {
  const { at, rows } = await makeProject();
  const shown = await at('fake', 'owner', '5', '--dry-run', ...DAY);
  assert.match(shown.out, 'would create 5 rows like these');
  assert.match(shown.out, '"owner_mail": "');
  assert.equal(await rows('owner'), []);
  assert.is(JSON.parse((await at('fake', 'owner', '2', '--dry-run', '--json')).out).sample.length, 2);
});

test('what cannot be is said, and nothing is made', async () => {
  const { at, rows } = await makeProject();
  const few = await at('fake', 'narrow', '3');
  assert.is(few.code, 1);
  assert.match(few.err, 'No narrow row was created');
  assert.equal(await rows('narrow'), []);
  assert.is((await at('fake', 'narrow', '2')).code, 0);
  assert.is((await at('emit', 'system-model-create', 'schema=visit', 'visit_date_from=1900-01-01')).code, 0);
  const full = await at('fake', 'visit', '1');
  assert.match(full.err, 'a row without an end leaves no time after its start');
  const never = await at('fake', 'never', '1');
  assert.match(never.err, 'No value was found for "never_no" that fits its rules');
  for (const argv of [
    ['owner', '0'],
    ['owner', 'ten'],
    ['owner', '-1'],
    ['ownr', '1'],
    ['owner', '1', '--date', 'soon'],
  ]) {
    assert.is((await at('fake', ...argv)).code, 64, argv.join(' '));
  }
});

const PATTERNS = [
  '^[a-z]+$',
  '/^\\d{4}-[01]\\d$/i',
  '#^(?:red|green|blue){1,2}$#',
  '^[^a-z]{3}$',
  '^\\w+@[\\w.-]+\\.[a-z]{2,}$',
  '^a*b?c+.$',
  '^[\\dA-F]{8}$',
  '^\\p{L}{2}$',
  '^$|^x{2}$',
  '^[a\\]b-]+$',
];

test('texts for a regular expression', () => {
  for (const pattern of PATTERNS) {
    const [, , source = pattern, flags = 'u'] = /^([/#])([\s\S]*)\1([a-z]*)$/.exec(pattern) ?? [];
    const make = compileMaker(pattern);
    assert.ok(make, pattern);
    for (let turn = 0; turn < 50; turn += 1) {
      assert.match(make(createChance(`${pattern} ${turn}`)), new RegExp(source, flags), pattern);
    }
  }
  for (const beyond of ['^(?=a)b', '(a', '[', 'a{2}\\k<x>']) assert.is(compileMaker(beyond), undefined, beyond);
});

test('chance is the same everywhere, and even', () => {
  const chance = createChance('loom');
  assert.equal([chance.whole(1, 6), chance.whole(1, 6), chance.whole(1, 1000)], [2, 3, 437]);
  const many = Array.from({ length: 10_000 }, () => chance.whole(0, 9));
  for (let digit = 0; digit < 10; digit += 1) {
    const share = many.filter((value) => value === digit).length;
    assert.ok(share > 850 && share < 1150, `${digit}: ${share}`);
  }
  assert.is(chance.some([1, 2, 3], 2, 2).length, 2);
});

test.run();
