import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toParameters } from '../../../src/database/postgres/connection.ts';
import { isLate, isLost, isMoved, mayRepeat, toTreadleError } from '../../../src/database/postgres/postgres-error.ts';

const test = suite('database/postgres/postgres-error');
const fault = (code: string | undefined, more: object = {}) => Object.assign(new Error('said'), { code, ...more });

const CODES: readonly [string | undefined, string, number][] = [
  ['23505', 'DATABASE_CONSTRAINT', 409],
  ['23503', 'DATABASE_CONSTRAINT', 409],
  ['23001', 'DATABASE_CONSTRAINT', 409],
  ['23502', 'DATABASE_CONSTRAINT', 422],
  ['23514', 'DATABASE_CONSTRAINT', 422],
  ['40001', 'DATABASE_BUSY', 503],
  ['40P01', 'DATABASE_BUSY', 503],
  ['55P03', 'DATABASE_BUSY', 503],
  ['53300', 'DATABASE_BUSY', 503],
  ['57014', 'DATABASE_TRANSACTION_LONG', 503],
  ['57P01', 'DATABASE_UNREACHABLE', 503],
  ['57P02', 'DATABASE_UNREACHABLE', 503],
  ['57P03', 'DATABASE_UNREACHABLE', 503],
  ['08006', 'DATABASE_UNREACHABLE', 503],
  ['28P01', 'DATABASE_UNREACHABLE', 503],
  ['3D000', 'DATABASE_UNREACHABLE', 503],
  ['ECONNREFUSED', 'DATABASE_UNREACHABLE', 503],
  ['ENOTFOUND', 'DATABASE_UNREACHABLE', 503],
  ['53100', 'DATABASE_FULL', 507],
  ['22021', 'DATABASE_TEXT_INVALID', 400],
  ['22P05', 'DATABASE_TEXT_INVALID', 400],
  ['22P02', 'DATABASE_VALUE_INVALID', 400],
  ['22003', 'DATABASE_VALUE_INVALID', 400],
  ['25006', 'DATABASE_UNWRITABLE', 503],
  ['42501', 'DATABASE_UNWRITABLE', 503],
  ['42P01', 'DATABASE_QUERY_FAILED', 500],
];
/** Seconds until a client tries again, by status. */
const RETRIES: Readonly<Record<number, string>> = { 503: '1', 507: '5' };
for (const [code, wanted, status] of CODES) {
  test(`${code} becomes ${wanted}`, () => {
    const error = toTreadleError(fault(code), 'select 1');
    assert.equal([error.code, error.status], [wanted, status]);
    assert.is(error.headers['retry-after'], RETRIES[status]);
  });
}

test('what pg says of a connection that ended has no code, and is known by its words', () => {
  const words = [
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ];
  for (const message of words) assert.ok(isLost(new Error(message)), message);
  for (const message of ['timeout expired', 'Connection terminated due to connection timeout', 'Query read timeout']) {
    assert.ok(isLost(new Error(message)), message);
    assert.ok(isLate(new Error(message)), message);
  }
  assert.not(isLost(Object.assign(new Error('connection terminated'), { code: '22023' })));
});

const COLUMNS: readonly [object, readonly string[]][] = [
  [{ code: '23505', detail: 'Key (note_text)=(a) already exists.' }, ['note_text']],
  [{ code: '23505', detail: 'Key (a, "B ""c""")=(1, (2)) already exists.' }, ['a', 'B "c"']],
  [{ code: '23505', detail: 'Schlüssel »(note_text)=(a)« existiert bereits.' }, ['note_text']],
  [{ code: '23505', constraint: 'note_text_unique' }, ['note_text']],
  [{ code: '23505', constraint: 'somebody' }, []],
  [{ code: '23502', column: 'note_text' }, ['note_text']],
  [{ code: '23503', detail: 'Key (note_id)=(9) is not present in table "note".' }, ['note_id']],
];
for (const [given, columns] of COLUMNS) {
  test(`the columns of ${JSON.stringify(given)}`, () => {
    const { code, ...more } = given as { code: string };
    const error = toTreadleError(fault(code, more), 'insert into note');
    assert.equal((error.detail as { columns: string[] }).columns, columns);
  });
}

test('a removal that other rows forbid names none of its own columns', () => {
  const held = fault('23503', { table: 'tag', detail: 'Key (note_id)=(1) is still referenced from table "tag".' });
  assert.equal((toTreadleError(held, 'delete from "note"').detail as { columns: string[] }).columns, []);
});

test('no value is in the message, in the detail or in the cause', () => {
  const told = Object.assign(new Error('invalid input syntax for type bigint: "s3cret"'), {
    code: '22P02',
    detail: 'Failing row contains (s3cret).',
    where: 's3cret',
  });
  const error = toTreadleError(told, 'insert into note');
  const cause = error.cause as Error;
  assert.not.match(
    JSON.stringify([error.message, error.detail, cause.message, cause, Object.entries(cause)]),
    's3cret',
  );
  assert.match(JSON.stringify(error.detail), 'insert into note');
  assert.not.match(error.message, 'insert');
});

test('after a shutdown or a failover no connection to that server is of use', () => {
  for (const code of ['25006', '57P01', '57P02', '57P03']) assert.ok(isMoved(fault(code)), code);
  for (const code of ['57014', '53300', '40001', undefined]) assert.not(isMoved(fault(code)), code);
});

test('a conflict may be run again, a constraint may not', () => {
  assert.ok(mayRepeat(toTreadleError(fault('40P01'))));
  assert.ok(mayRepeat(toTreadleError(fault('40001'))));
  assert.not(mayRepeat(toTreadleError(fault('23505'))));
  assert.not(mayRepeat(new Error('40001')));
});

test('parameters: as on SQLite, and no NUL', () => {
  const bytes = Buffer.from([1]);
  const given = ['a', 1.5, true, false, null, new Date(0), 2n ** 60n, bytes];
  assert.equal(toParameters(given), ['a', 1.5, 1, 0, null, '1970-01-01 00:00:00', String(2n ** 60n), bytes]);
  const codeOf = (value: unknown): string => {
    try {
      toParameters([value]);
      return '';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  assert.is(codeOf('a\0b'), 'DATABASE_TEXT_INVALID');
  for (const value of [undefined, {}, [], () => 1]) assert.is(codeOf(value), 'DATABASE_PARAMETER_INVALID');
});

test.run();
