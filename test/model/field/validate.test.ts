import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Clock } from '../../../src/core/clock.ts';
import { findPatternError } from '../../../src/model/field/text-pattern.ts';
import { compileValidator, findRuleError, validators } from '../../../src/model/field/validate.ts';
import { isCardNumber } from '../../../src/model/field/validate-test.ts';
import type { SchemaModel } from '../../../src/model/model.ts';
import type { Field, Validation } from '../../../src/model/shape.ts';

const test = suite('validate');
const clock: Clock = { now: () => Date.UTC(2026, 0, 31, 12), after: () => () => undefined };

function toSchema(...fields: Field[]): SchemaModel {
  const columns = fields.map((field) => ({
    name: `x_${field.name}`,
    field,
    label: field.label ?? field.name,
    isRequired: field.required ?? false,
    isUnique: false,
  }));
  return { columns, exclude: [] } as unknown as SchemaModel;
}

/** True if a value passes one rule. */
function passes(method: string, value: unknown, parameters?: Validation['parameters']): boolean {
  const rule = parameters === undefined ? { method } : { method, parameters };
  const validate = compileValidator(toSchema({ name: 'v', type: 'textarea', validation: [rule] }), clock);
  return Object.keys(validate({ x_v: value }, 'create')).length === 0;
}

test('every method holds what it says', () => {
  const cases: [string, Validation['parameters'], unknown[], unknown[]][] = [
    ['required', undefined, ['a', '0'], ['', '  ', null, undefined]],
    ['empty', undefined, ['a'], ['', null]],
    ['ne', 'a', ['b', ''], ['a']],
    ['one', ['a', 2], ['a', '2', ''], ['b']],
    ['unique', undefined, ['a'], []],
    ['char_lt', 3, ['ab', '😀😀'], ['abc']],
    ['char_lte', 2, ['ab'], ['abc']],
    ['char_gt', '2', ['abc'], ['ab', '😀😀']],
    ['char_gte', 2, ['ab'], ['a']],
    ['word_lt', 3, ['a b'], ['a b c']],
    ['word_lte', 2, [' a  b '], ['a b c']],
    ['word_gt', 1, ['a b'], ['a']],
    ['word_gte', 2, ['a b'], ['a']],
    ['number', undefined, ['1', '-1.5', '1e3'], ['x', '0x1', '1,0']],
    ['float', undefined, ['10', '1.5'], ['a']],
    ['price', undefined, ['10', '9.99', '9.9'], ['9.999', 'a']],
    ['lt', 5, ['4.9'], ['5', 'x']],
    ['lte', 5, ['5'], ['6']],
    ['gt', 5, ['6'], ['5']],
    ['gte', '5', ['5'], ['4']],
    ['date', undefined, ['2026-02-28'], ['2026-02-30', '1.1.2026']],
    ['time', undefined, ['23:59:59'], ['24:00:00', '9:00']],
    ['datetime', undefined, ['2026-01-31 10:00:00'], ['2026-01-31']],
    ['pastdate', undefined, ['2026-01-30'], ['2026-01-31', 'x']],
    ['presentdate', undefined, ['2026-01-31 23:00:00'], ['2026-01-30']],
    ['futuredate', undefined, ['2026-02-01'], ['2026-01-31']],
    ['email', undefined, ['a@b.photography'], ['a@b', 'a@b..c', 'a']],
    ['url', undefined, ['ftp://a.b/c', 'https://a.b'], ['a.b', 'data:x']],
    ['hex', undefined, ['#12aBcd', '123456'], ['12345', 'zzzzzz']],
    ['cc', undefined, ['4111 1111 1111 1111'], ['4111111111111112', '1']],
    ['regexp', '/^[a-z]+$/i', ['Abc'], ['a1']],
    ['regexp', '^a$', ['a'], ['A', 'aa']],
  ];
  for (const [method, parameters, good, bad] of cases) {
    for (const value of good) assert.ok(passes(method, value, parameters), `${method} takes ${String(value)}`);
    for (const value of bad) assert.not(passes(method, value, parameters), `${method} refuses ${String(value)}`);
  }
  const tried = new Set([...cases.map(([method]) => method), 'column_lt', 'column_lte', 'column_gt', 'column_gte']);
  assert.equal(
    Object.keys(validators).filter((method) => !tried.has(method)),
    [],
  );
});

test('the first broken rule speaks, with its own message or one that names label and rule', () => {
  const validate = compileValidator(
    toSchema(
      {
        name: 'a',
        label: 'Title',
        type: 'text',
        validation: [{ method: 'char_gte', parameters: 3, message: 'Too short' }, { method: 'email' }],
      },
      { name: 'n', label: 'Rank', type: 'number' },
      { name: 'r', label: 'Name', type: 'text', required: true },
      { name: 'made', type: 'created' },
    ),
    clock,
  );
  assert.equal(validate({ x_a: 'ab', x_n: 'x', x_made: 'nonsense' }, 'create'), {
    x_a: 'Too short',
    x_n: 'Rank must be a whole number',
    x_r: 'Name is required',
  });
  assert.equal(validate({ x_a: 'abc' }, 'update'), { x_a: 'Title must be an e-mail address such as ann@example.org' });
  assert.equal(validate({ x_r: '' }, 'update'), { x_r: 'Name is required' });
  assert.equal(validate({}, 'update'), {});
});

test('`empty` judges what is sent: a column that is left out of a new row is not', () => {
  const empty = [{ method: 'empty' }];
  const validate = compileValidator(
    toSchema(
      { name: 'text', type: 'text', validation: empty },
      { name: 'tags', type: 'tag', validation: empty },
      { name: 'day', type: 'date', validation: empty },
      { name: 'count', type: 'number', validation: empty },
      { name: 'must', type: 'text', required: true, validation: empty },
      { name: 'other', type: 'text' },
    ),
    clock,
  );
  const names = (stage: object, mode: 'create' | 'update') => Object.keys(validate({ ...stage }, mode));
  for (const mode of ['create', 'update'] as const) {
    assert.equal(names({ x_other: 'a', x_must: 'b' }, mode), [], mode);
    const sent = { x_text: '', x_tags: [], x_day: '', x_count: '', x_must: '' };
    assert.equal(names(sent, mode), Object.keys(sent), mode);
    const none = { x_text: null, x_tags: null, x_day: null, x_count: null, x_must: null };
    assert.equal(names(none, mode), Object.keys(none), mode);
  }
  assert.equal(names({}, 'create'), ['x_must']);
});

test('columns are compared with what is sent or stored', () => {
  const validate = compileValidator(
    toSchema(
      { name: 'from', type: 'date' },
      { name: 'to', type: 'date', validation: [{ method: 'column_gte', parameters: 'x_from' }] },
    ),
    clock,
  );
  assert.equal(validate({ x_from: '2026-01-02', x_to: '2026-01-01' }, 'create'), {
    x_to: 'to must be at least x_from',
  });
  assert.equal(validate({ x_to: '2026-01-01' }, 'update', { x_from: '2026-01-02' }), {
    x_to: 'to must be at least x_from',
  });
  assert.equal(validate({ x_to: '2026-01-01' }, 'create'), {});
  assert.ok(validators.column_lt?.test({ parameter: 'b', list: [] })(9, { row: { b: '10' }, now: 0 }), 'as numbers');
});

test('patterns that could hang are refused', () => {
  for (const pattern of ['(a+)+$', '/^(\\w+\\s?)*$/', '(a|aa)+', '((a*)b?)+', '(.*a){10,}', '(a)\\1', '(']) {
    assert.ok(findPatternError(pattern), pattern);
  }
  for (const pattern of ['^[a-z]+$', '/^\\d{3}-\\d{4}$/', '^(foo|bar)$', '^(ab)+$', '[(+)]+', '\\(+\\)+']) {
    assert.is(findPatternError(pattern), undefined, pattern);
  }
  assert.not(passes('regexp', 'a', '(a+)+'), 'a refused pattern passes nothing');
  assert.not(passes('regexp', 'a'.repeat(100_001), '^a+$'), 'nor does a value that is too long');
});

test('faults of rules are told for check', () => {
  assert.is(findRuleError({ method: 'requird' }), '"requird" is unknown');
  assert.ok(findRuleError({ method: 'char_lt' }));
  assert.ok(findRuleError({ method: 'char_lt', parameters: 'x' }));
  assert.ok(findRuleError({ method: 'regexp', parameters: '(a+)+' }));
  assert.is(findRuleError({ method: 'one', parameters: ['a'] }), undefined);
  assert.ok(isCardNumber('4111-1111-1111-1111'));
});

test.run();
