import { existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Reserve } from '../../src/database/sqlite/disk-reserve.ts';
import { only } from './_where.ts';
import { withFolder } from './archive/_world.ts';
import { insertNote, withDatabase } from './temporary-database.ts';

const test = suite('database/reserve');
const sqlite = only('sqlite', 'database/reserve', test);

test('room is kept once, made whole again, and given back once', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'app.db-reserve');
    const reserve = new Reserve(join(folder, 'app.db'));
    assert.is(await reserve.release(), false);
    await reserve.keep();
    const { size, mtimeMs, blocks } = statSync(path);
    assert.is(size, 262_144);
    if (process.platform !== 'win32') assert.ok(blocks * 512 >= size, 'it takes the room that it says');
    await reserve.keep();
    assert.is(statSync(path).mtimeMs, mtimeMs, 'a look writes nothing');
    truncateSync(path, 100);
    await reserve.keep();
    assert.is(statSync(path).size, size, 'a process that was killed meanwhile wrote half of it');
    assert.is(await reserve.release(), true);
    assert.not(existsSync(path));
  }));

test('where it cannot be made, nothing is left and nothing fails', () =>
  withFolder(async (folder) => {
    const reserve = new Reserve(join(folder, 'missing/app.db'));
    await reserve.keep();
    assert.is(await reserve.release(), false);
  }));

for (const [who, failed, isKept] of [
  ['a server', () => {}, true],
  ['a command', undefined, false],
] as const) {
  sqlite(`${who} ${isKept ? 'keeps' : 'keeps no'} room beside its database`, () =>
    withDatabase(
      async ({ database, root }) => {
        await insertNote(database, 'one');
        assert.is(existsSync(join(root, 'var/app.db-reserve')), isKept);
      },
      failed === undefined ? {} : { failed },
    ),
  );
}

test.run();
