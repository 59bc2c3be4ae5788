import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recommendWorkers } from '../../src/cli/worker/recommend.ts';

const test = suite('cli/recommend-workers');

test('SQLite gets one process on any machine, PostgreSQL one for each processor', () => {
  assert.match(recommendWorkers('SQLite 3.51.0', 8), /^1: on SQLite two write slower than one/);
  assert.match(recommendWorkers('PostgreSQL 16.4, schema site', 8), /^up to 8, .*--workers 8$/);
  assert.match(recommendWorkers('PostgreSQL 16.4', 1), /^1: this machine has one processor$/);
});

test.run();
