import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProcessLog } from '../../../src/core/log/process-log.ts';

const test = suite('core/log/process-log');

test('many logs of one process share its exit listener', () => {
  const before = process.listenerCount('exit');
  for (let count = 0; count < 20; count += 1) createProcessLog();
  assert.ok(process.listenerCount('exit') - before <= 1);
});

test.run();
