// Also on PostgreSQL: several machines need it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOtherFolder, OTHER_FOLDER, tellOtherFolder } from '../../src/app/upload-folder.ts';
import { systemRandom } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migration.ts';
import { keepServedMode, servingTable } from '../../src/database/served-mode.ts';
import { createTables } from '../../src/database/table.ts';
import { createFileStore, type Files } from '../../src/project/file-store.ts';
import { openPlaced } from '../database/_where.ts';
import { toModel } from '../feature/rest/_world.ts';
import { toSchema } from '../feature/schema/_fields.ts';

const test = suite('app/upload-folder');
const model = toModel({
  schema: {
    photo: toSchema('photo', [
      { name: 'picture', type: 'image' },
      { name: 'papers', type: 'filelist' },
    ]),
  },
});

interface World {
  readonly database: Database;
  /** A folder of a machine; the same name is the same folder. */
  folder(machine: string): Files;
  /** What a start tells on that machine. */
  start(files: Files): Promise<readonly unknown[]>;
  /** A row with a picture that the folder gets. */
  add(files: Files, column?: string): Promise<void>;
}

async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-folders-'));
  const database = await openPlaced({ root });
  try {
    await migrate(database, createTables(model, [servingTable], database));
    await work({
      database,
      folder: (machine) => createFileStore({ folder: join(root, machine, 'upload'), random: systemRandom }),
      async start(files) {
        const told: unknown[] = [];
        const log = {
          ...silentLog,
          warn: (event: string, { message }: Readonly<Record<string, unknown>> = {}) => told.push([event, message]),
        };
        await tellOtherFolder({ database, files, model, random: systemRandom, log });
        return told;
      },
      async add(files, column = 'photo_picture') {
        const address = await files.save(Buffer.from('x'), 'png');
        const value = column === 'photo_papers' ? JSON.stringify([address]) : address;
        await database.kysely
          .insertInto('photo')
          .values({ [column]: value })
          .execute();
      },
    });
  } finally {
    await database.close();
    rmSync(root, { recursive: true, force: true });
  }
}
const ELSEWHERE = [['uploads-elsewhere', OTHER_FOLDER]];

test('one folder, started again and by many processes, is told of by none', () =>
  inWorld(async ({ database, folder, start, add }) => {
    const told = await Promise.all([1, 2, 3, 4].map(() => start(folder('one'))));
    assert.equal(told.flat(), []);
    await add(folder('one'));
    assert.equal(await start(folder('one')), []);
    assert.is((await findOtherFolder({ database, files: folder('one'), model }))?.isBad, false);
  }));

for (const column of ['photo_picture', 'photo_papers']) {
  test(`a second folder is told at its start, and by doctor on both machines that differ: ${column}`, () =>
    inWorld(async ({ database, folder, start, add }) => {
      await start(folder('one'));
      await add(folder('one'), column);
      assert.equal(await start(folder('two')), ELSEWHERE);
      assert.equal(await start(folder('two')), ELSEWHERE, 'as often as it starts');
      assert.equal(await findOtherFolder({ database, files: folder('two'), model }), {
        isBad: true,
        text: OTHER_FOLDER,
      });
      assert.equal(await start(folder('one')), [], 'the first one goes on');
    }));
}

test('of two machines that begin without a file, the first one tells when the other takes over', () =>
  inWorld(async ({ database, folder, start, add }) => {
    await start(folder('one'));
    assert.equal(await start(folder('two')), [], 'no row names a file that it lacks');
    await add(folder('two'));
    assert.equal(await start(folder('one')), ELSEWHERE);
    assert.is((await findOtherFolder({ database, files: folder('one'), model }))?.isBad, true);
    assert.is((await findOtherFolder({ database, files: folder('two'), model }))?.isBad, false);
  }));

test('files that moved to a new folder, and a database that was restored, are right', () =>
  inWorld(async ({ database, folder, start, add }) => {
    await start(folder('one'));
    await add(folder('one'));
    const moved: Files = { ...bind(folder('new')), open: (address) => folder('one').open(address) };
    assert.equal(await start(moved), [], 'the folder has no id, and every file');
    await keepServedMode(database, 'production');
    assert.equal(await start(folder('new')), [], 'the database has no id');
    assert.equal(await start(folder('one')), ELSEWHERE);
  }));

/** The methods of a store, which may be replaced one by one. */
function bind(files: Files): Files {
  return {
    save: (...given) => files.save(...given),
    receive: (stream) => files.receive(stream),
    open: (address) => files.open(address),
    remove: (address) => files.remove(address),
    list: () => files.list(),
    clearDrafts: (isTrial) => files.clearDrafts(isTrial),
    readId: () => files.readId(),
    makeId: (random) => files.makeId(random),
  };
}

test('doctor counts single files that are missing', () =>
  inWorld(async ({ database, folder, start, add }) => {
    const files = folder('one');
    await start(files);
    await add(files);
    await add(files);
    for await (const { name } of files.list()) {
      await files.remove(`/upload/${name}`);
      break;
    }
    const found = await findOtherFolder({ database, files, model });
    assert.equal(found, { isBad: true, text: '1 of 2 files that the newest rows name are not in var/upload' });
  }));

test.run();
