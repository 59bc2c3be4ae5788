import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeFileWhole } from '../../../src/cli/rows/output.ts';
import { TreadleError } from '../../../src/core/errors.ts';
import { findWriteTarget, isStandardOutput, writeInto } from '../../../src/core/file/write-target.ts';
import { ArchiveFile } from '../../../src/database/archive/archive-file.ts';
import { writeFileAtomically } from '../../../src/project/write.ts';
import { writeTogether } from '../../../src/project/write-together.ts';

const test = suite<{ root: string }>('write-target');
test.before.each((context) => {
  context.root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-target-')));
});
test.after.each(({ root }) => rmSync(root, { recursive: true, force: true }));

async function* toLines(text: string) {
  yield text;
}

async function writeArchive(path: string): Promise<void> {
  const archive = await ArchiveFile.create(path, { isReplacing: true });
  await archive.line({ error: false });
  await archive.finish({ tables: 0, rows: 0, files: 0 });
}

/** Every way in which a command writes to a path that somebody named. */
const WRITERS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  writeFileAtomically: (path) => writeFileAtomically(path, 'new\n'),
  writeFileWhole: (path) => writeFileWhole(path, toLines('new')),
  writeArchive,
};

/** What a reader of a pipe gets while a writer runs. */
async function readPipe(path: string, write: () => Promise<unknown>): Promise<Buffer> {
  const reading = open(path, 'r').then(async (handle) => {
    const content = await handle.readFile();
    await handle.close();
    return content;
  });
  await write();
  return reading;
}

for (const [name, write] of Object.entries(WRITERS)) {
  test(`${name} writes into a pipe, by its name and through a link, and leaves it there`, async ({ root }) => {
    const pipe = join(root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('pipe', join(root, 'link'));
    for (const path of [pipe, join(root, 'link')]) {
      const content = await readPipe(pipe, () => write(path));
      assert.ok(content.length > 3, `${path}: ${content.length} bytes`);
    }
    assert.ok(statSync(pipe).isFIFO());
    assert.ok(lstatSync(join(root, 'link')).isSymbolicLink());
    assert.equal(readdirSync(root).sort(), ['link', 'pipe']);
  });

  test(`${name} replaces the file behind links in that file's folder`, async ({ root }) => {
    mkdirSync(join(root, 'there'));
    writeFileSync(join(root, 'there/file'), 'old\n', { mode: 0o600 });
    symlinkSync('there/file', join(root, 'one'));
    symlinkSync(join(root, 'one'), join(root, 'two'));
    await write(join(root, 'two'));
    assert.not.equal(readFileSync(join(root, 'there/file'), 'utf8'), 'old\n');
    assert.is(statSync(join(root, 'there/file')).mode & 0o777, 0o600);
    for (const link of ['one', 'two']) assert.ok(lstatSync(join(root, link)).isSymbolicLink(), link);
    assert.equal(readdirSync(root).sort(), ['one', 'there', 'two']);
    assert.equal(readdirSync(join(root, 'there')), ['file']);
  });

  test(`${name} makes the file that a link names`, async ({ root }) => {
    symlinkSync('later/file', join(root, 'link'));
    await write(join(root, 'link'));
    assert.ok(statSync(join(root, 'later/file')).size > 3);
    assert.ok(lstatSync(join(root, 'link')).isSymbolicLink());
  });

  test(`${name} refuses a folder, a path below a file and a circle of links`, async ({ root }) => {
    writeFileSync(join(root, 'file'), 'old\n');
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    const before = readdirSync(root);
    for (const path of [root, join(root, 'file/below'), join(root, 'file/below/more'), join(root, 'a')]) {
      const error = await write(path).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.instance(error, TreadleError, path);
      assert.is((error as TreadleError).code, 'WRITE_TARGET_INVALID', path);
      assert.ok((error as TreadleError).message.startsWith(path), (error as TreadleError).message);
    }
    assert.equal(readdirSync(root), before);
    assert.is(readFileSync(join(root, 'file'), 'utf8'), 'old\n');
  });
}

test('files that are written together stay links, and keep the others when one cannot be written', async ({ root }) => {
  mkdirSync(join(root, 'config'));
  writeFileSync(join(root, 'elsewhere.json'), '{}\n');
  symlinkSync('../elsewhere.json', join(root, 'config/a.json'));
  await writeTogether(root, [
    { file: 'config/a.json', text: '{ "a": 1 }\n' },
    { file: 'config/b.json', text: '{ "b": 1 }\n' },
  ]);
  assert.is(readFileSync(join(root, 'elsewhere.json'), 'utf8'), '{ "a": 1 }\n');
  assert.ok(lstatSync(join(root, 'config/a.json')).isSymbolicLink());
  symlinkSync('c.json', join(root, 'config/c.json'));
  const error = await writeTogether(root, [
    { file: 'config/a.json', text: '{ "a": 2 }\n' },
    { file: 'config/c.json', text: '{}\n' },
  ]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.is((error as TreadleError).code, 'PROJECT_WRITE_FAILED');
  assert.is(readFileSync(join(root, 'elsewhere.json'), 'utf8'), '{ "a": 1 }\n');
});

test('a replaced file keeps its permissions', async ({ root }) => {
  writeFileSync(join(root, 'file'), 'old\n');
  chmodSync(join(root, 'file'), 0o640);
  await writeFileAtomically(join(root, 'file'), 'new\n');
  assert.is(statSync(join(root, 'file')).mode & 0o777, 0o640);
});

test('devices and open files are written into', async ({ root }) => {
  for (const path of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', `/proc/${process.pid}/fd/1`]) {
    assert.ok(isStandardOutput(await findWriteTarget(path)), path);
  }
  symlinkSync('/dev/stdout', join(root, 'link'));
  assert.ok(isStandardOutput(await findWriteTarget(join(root, 'link'))));
  const nothing = await findWriteTarget('/dev/null');
  assert.is(nothing.kind, 'stream');
  if (nothing.kind === 'stream') await writeInto(nothing, 'nobody reads this');
  // An open file of another process is replaced by no rename either: it is a stream by its type, or a plain file.
  const handle = await open(join(root, 'open'), 'w+');
  const target = await findWriteTarget(`/dev/fd/${handle.fd}`);
  assert.equal(target.kind === 'stream' && target.descriptor, handle.fd);
  if (target.kind === 'stream') await writeInto(target, 'into the descriptor');
  assert.is(readFileSync(join(root, 'open'), 'utf8'), 'into the descriptor');
  await handle.close();
});

test.run();
