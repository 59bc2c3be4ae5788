import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logTemplateProblems } from '../../src/app/template-check.ts';
import type { Problem } from '../../src/core/errors.ts';
import { createLog } from '../../src/core/log/log.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('app/template-check');

const told = (check: () => readonly Problem[]): { level: string; msg: string; message: string }[] => {
  const lines: string[] = [];
  logTemplateProblems(check, createLog({ clock: createFakeClock(0), write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
};
const problem = (severity?: 'advice'): Problem => ({
  code: 'X',
  file: 'a.html',
  path: '',
  message: severity ?? 'broken',
  ...(severity ? { severity } : {}),
});

test('what is broken is an error in the log; advice is not', () => {
  const lines = told(() => [problem(), problem('advice')]);
  assert.equal(
    lines.map(({ level, message }) => [level, message]),
    [['error', 'broken']],
  );
});

test('a file that goes meanwhile does not end the server', () => {
  const [line, ...more] = told(() => {
    throw new Error('ENOENT: no such file');
  });
  assert.equal(more, []);
  assert.is(line?.level, 'warn');
  assert.match(String(line?.message), 'ENOENT');
});

test.run();
