import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';

const files = suite("the rights of SQLite's files");

files('the file and those beside it are readable by their owner alone, also if they were there before', async () => {
  const root = mkdtempSync(join(tmpdir(), 'treadle-'));
  const lines: string[] = [];
  const log = { ...silentLog, info: (event: string) => void lines.push(event) };
  const open = async (): Promise<void> => {
    const database = await openDatabase({ url: 'sqlite:app.db', root, log, clock: systemClock });
    await database.kysely.schema.createTable('t').ifNotExists().addColumn('a', 'integer').execute();
    for (const end of ['', '-wal', '-shm']) assert.is(statSync(join(root, `app.db${end}`)).mode & 0o777, 0o600, end);
    await database.close();
  };
  await open();
  assert.equal(lines, []);
  chmodSync(join(root, 'app.db'), 0o644);
  await open();
  assert.equal(lines, ['a file of the database was readable by others; now only by its owner']);
  rmSync(root, { recursive: true });
});

files.run();
