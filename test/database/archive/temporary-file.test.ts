import { spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tidyTemporary, toTemporary } from '../../../src/core/file/temporary-file.ts';
import { ArchiveFile } from '../../../src/database/archive/archive-file.ts';
import { UploadWriter } from '../../../src/database/archive/upload.ts';
import { withFolder } from './_world.ts';

const test = suite('database/archive/temporary-file');

/** The id of a process that has ended. */
const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);

test('files of killed backups are removed: of any name, and no others', () =>
  withFolder(async (folder) => {
    const write = (path: string): string => {
      writeFileSync(path, 'half');
      return path;
    };
    const own = write(toTemporary(join(folder, 'today.treadle')));
    write(own.replace(`-${process.pid}-`, `-${deadPid}-`));
    write(own.replace('today', 'yesterday').replace(`-${process.pid}-`, `-${deadPid}-`));
    const foreign = write(own.replace(/treadle-[0-9a-f]{8}-\d+/, `treadle-00000000-${deadPid}`));
    const kept = ['.other.tmp', '.today.treadle.tmp', 'today.treadle'].map((name) => write(join(folder, name)));
    const old = write(foreign.replace('today', 'old'));
    const twoDaysAgo = Date.now() / 1000 - 172_800;
    const before = write(own.replace(/treadle-[0-9a-f]{8}-\d+-/, ''));
    const former = write(before.replace('today', 'former'));
    for (const path of [old, former]) utimesSync(path, twoDaysAgo, twoDaysAgo);
    await tidyTemporary(folder);
    assert.equal(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
      [...kept, own, foreign, before].sort(),
    );
  }));

test('the next backup removes what the killed one left, and leaves nothing itself', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'backup.treadle');
    writeFileSync(toTemporary(path).replace(`-${process.pid}-`, `-${deadPid}-`), 'half');
    const archive = await ArchiveFile.create(path, { isReplacing: false });
    await archive.line({ archive: 'treadle' });
    await archive.finish({ tables: 0, rows: 0, files: 0 });
    assert.equal(readdirSync(folder), ['backup.treadle']);
  }));

test('a restore removes half-written uploads that a killed one left', () =>
  withFolder(async (folder) => {
    const left = toTemporary(join(folder, 'photo.png')).replace(`-${process.pid}-`, `-${deadPid}-`);
    writeFileSync(left, 'half');
    const writer = new UploadWriter(folder);
    await writer.begin('photo.png');
    await writer.part(Buffer.from('whole').toString('base64'));
    await writer.end('no sum is asked of a file that is new');
    assert.equal(readdirSync(folder), ['photo.png']);
  }));

test.run();
