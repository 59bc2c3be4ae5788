// A sandbox takes no more writes once its rows and uploads fill what it may use.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DiskUse } from '../../../src/app/sandbox/disk-use.ts';

const test = suite('sandbox: disk use');

test('rows, their log and uploads count, and what comes until they are measured again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-disk-'));
  try {
    const at = { now: 0 };
    const use = new DiskUse(folder, { now: () => at.now, after: () => () => {} });
    const write = (name: string, bytes: number): void => writeFileSync(join(folder, name), Buffer.alloc(bytes));
    mkdirSync(join(folder, 'upload'));
    write('app.db', 100);
    write('app.db-wal', 20);
    write('upload/a.png', 3);
    write('app.db-shm', 5000);
    write('app.db-reserve', 5000);
    assert.is(await use.expect(0), 123);
    write('upload/b.png', 1000);
    assert.is(await use.expect(1000), 1123);
    assert.is(await use.expect(7), 1130);
    // A body of unknown length: measured at once.
    write('upload/c.png', 1);
    assert.is(await use.expect(undefined), 1124);
    write('upload/d.png', 1);
    at.now = 5000;
    assert.is(await use.expect(0), 1125);
    assert.is(await new DiskUse(join(folder, 'gone'), { now: () => 0, after: () => () => {} }).expect(0), 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
