import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProblemsError, printProblem, sortProblems, TreadleError } from '../../src/core/errors.ts';

const errors = suite('errors');

errors('hides the message of a fault of ours and shows that of the caller', () => {
  assert.is(new TreadleError('X', 'm').isExposed, false);
  assert.is(new TreadleError('X', 'm', { status: 404 }).isExposed, true);
  assert.equal(new TreadleError('X', 'm', { headers: { 'retry-after': '1' } }).headers, { 'retry-after': '1' });
});

errors('prints all problems, by file and place', () => {
  const at = { code: 'C', path: '', message: 'm.' };
  const problems = [
    { ...at, file: 'b.json', path: 'x', line: 2, column: 3, hint: 'Do y.' },
    { ...at, file: 'a.json' },
    { ...at, file: 'b.json', line: 1 },
  ];
  assert.equal(sortProblems(problems).map(printProblem), [
    'a.json: m. [C]',
    'b.json:1: m. [C]',
    'b.json:2:3 x: m. Do y. [C]',
  ]);
  const error = new ProblemsError(problems);
  assert.is(error.problems.length, 3);
  assert.match(error.message, /a\.json/);
});

errors.run();
