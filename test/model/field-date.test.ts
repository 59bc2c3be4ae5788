import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import type { Field, FieldType } from '../../src/model/shape.ts';

const test = suite('field-date');

/** What is stored; undefined if it is refused. */
function store(type: FieldType, value: unknown, attributes: Field['attributes'] = {}): unknown {
  const field: Field = { name: 'x', type, attributes };
  const coerced = fieldKinds[type].coerce(value, 0);
  return fieldKinds[type].shape(field).safeParse(coerced).success ? coerced : undefined;
}

test('a day and a time are stored as they are written, a moment in UTC', () => {
  const CASES: readonly (readonly [FieldType, string, string | undefined])[] = [
    ['date', '2024-02-29T23:30:00-05:00', '2024-02-29'],
    ['date', '2024-03-01T00:30:00+14:00', '2024-03-01'],
    ['date', '2024-02-29 23:30', '2024-02-29'],
    ['date', '2023-02-29T10:00:00Z', undefined],
    ['date', '2024-02-29T10:00:00+25:00', undefined],
    ['date', '2024-02-29T10:00:00+10:60', undefined],
    ['time', '9:45:00', '09:45:00'],
    ['time', '9:45', '09:45:00'],
    ['time', '24:00', undefined],
    ['time', '2024-02-29T23:30:00-05:00', '23:30:00'],
    ['time', '2024-02-29T23:30:15.250Z', '23:30:15'],
    ['time', '2024-02-29T23:30', '23:30:00'],
    ['datetime', '2024-02-29T23:30:00-05:00', '2024-03-01 04:30:00'],
    ['datetime', '2024-02-29T23:30:00+23:59', '2024-02-28 23:31:00'],
    ['datetime', '2024-02-29T23:30:00+25:00', undefined],
    ['datetime', '2024-02-29T23:30:00+24:00', undefined],
  ];
  for (const [type, sent, stored] of CASES) assert.is(store(type, sent), stored, `${type} ${sent}`);
});

test('a step of times is kept, from min or from the start of HTML', () => {
  const CASES: readonly (readonly [FieldType, object, readonly string[], readonly string[]])[] = [
    ['time', { step: 900 }, ['00:00:00', '09:45:00'], ['09:46:00', '09:45:01']],
    ['time', { step: 3600, min: '08:30' }, ['08:30:00', '17:30:00'], ['09:00:00']],
    ['datetime', { step: 86_400 }, ['2026-01-31 00:00:00'], ['2026-01-31 09:00:00']],
    ['date', { step: 7, min: '2026-01-05' }, ['2026-01-05', '2026-12-28'], ['2026-01-06']],
    ['month', { step: 3 }, ['2026-01', '1970-04', '1969-10'], ['2026-02']],
    ['week', { step: 2 }, ['1970-W01', '1970-W53'], ['1970-W02', '1971-W01']],
    ['week', { step: 52, min: '2020-W53' }, ['2020-W53', '2021-W52'], ['2021-W53', '2021-W01']],
    ['date', { step: 'any' }, ['2026-01-05', '2026-01-06'], []],
    ['time', {}, ['09:45:01'], []],
  ];
  for (const [type, attributes, right, wrong] of CASES) {
    for (const value of right)
      assert.is(store(type, value, attributes as Field['attributes']), value, `${type} ${value}`);
    for (const value of wrong)
      assert.is(store(type, value, attributes as Field['attributes']), undefined, `${type} ${value}`);
  }
});

test.run();
