import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../src/core/clock.ts';
import { readContent, readImageSize } from '../../src/project/file-content.ts';
import { createFileStore, type Files } from '../../src/project/file-store.ts';

const test = suite('file store');

async function inFolder(fn: (folder: string, files: Files) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-files-'));
  const folder = join(root, 'upload');
  try {
    await fn(folder, createFileStore({ folder, random: systemRandom }));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('saves whole files under names nobody can guess, gives them back whole or in parts, removes them', () =>
  inFolder(async (folder, files) => {
    const addresses = await Promise.all([1, 2, 3].map((number) => files.save(Buffer.from(`file ${number}`), 'txt')));
    assert.is(new Set(addresses).size, 3);
    for (const address of addresses) assert.match(address, /^\/upload\/[A-Za-z0-9_-]{22}\.txt$/);
    const [first = '', second = ''] = addresses;
    const file = await files.open(first);
    assert.is(file?.bytes, 6);
    assert.is(await text(file?.read() ?? process.stdin), 'file 1');
    assert.is(await text(file?.read({ start: 5, end: 5 }) ?? process.stdin), '1');
    assert.is(statSync(join(folder, first.slice(8))).mode & 0o777 & ~0o640, 0, 'nobody else may read it');
    await files.remove(first);
    await files.remove(first);
    assert.is(await files.open(first), undefined);
    assert.equal(
      readdirSync(folder).sort(),
      addresses
        .slice(1)
        .map((address) => address.slice(8))
        .sort(),
    );
    const listed: string[] = [];
    for await (const { name } of files.list()) listed.push(`/upload/${name}`);
    assert.equal(listed.sort(), addresses.slice(1).sort());
    assert.ok(second);
  }));

test('no address leads out of its folder, to another kind of file, or to one of another store', () =>
  inFolder(async (folder, files) => {
    const address = await files.save(Buffer.from('x'), 'txt');
    const name = `${'A'.repeat(22)}.txt`;
    writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
    symlinkSync(join(folder, '..', 'secret.txt'), join(folder, name));
    const paths = [
      '/upload/../secret.txt',
      '/upload/',
      `/upload/${name}`,
      `/upload/./${address.slice(8)}`,
      'secret.txt',
    ];
    for (const path of [...paths, `${address}\0`, address.toUpperCase().replace('/UPLOAD/', '/upload/')]) {
      if (path === address) continue;
      assert.is(await files.open(path), undefined, path);
      await files.remove(path);
    }
    assert.ok(readdirSync(join(folder, '..')).includes('secret.txt'));
    await inFolder(async (_other, others) => assert.is(await others.open(address), undefined));
  }));

test('a folder that cannot be written is a failure that says so, and leaves nothing', () =>
  inFolder(async (folder) => {
    writeFileSync(folder, 'a file, not a folder');
    const files = createFileStore({ folder, random: systemRandom });
    try {
      await files.save(Buffer.from('x'), 'txt');
      assert.unreachable();
    } catch (error) {
      assert.is((error as { code?: string }).code, 'FILE_STORE_FAILED');
      assert.is((error as { status?: number }).status, 503);
    }
  }));

test('what a file is, its bytes tell', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  const cases: [Buffer | string, string, string | undefined][] = [
    [png, 'x.html', 'png'],
    ['%PDF-1.7\n%\u00e2\n', 'x.txt', 'pdf'],
    ['GIF89a\x01\x00\x01\x00', 'x.png', 'gif'],
    ['Plain text', 'a.md', 'md'],
    ['a,b\n1,2', 'a.CSV', 'csv'],
    ['Plain text', 'a.exe', 'txt'],
    ['  <!DOCTYPE html><p>', 'a.txt', 'html'],
    ['<script>alert(1)</script>', 'a.txt', 'html'],
    ['<?xml version="1.0"?><svg onload="x()"/>', 'a.txt', 'svg'],
    ['<!-- x --><svg xmlns="http://www.w3.org/2000/svg">', 'a.png', 'svg'],
    ['<?xml version="1.0"?><a/>', 'a.txt', 'xml'],
    [Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 1)]), 'a.png', 'exe'],
    [Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), 'a.png', undefined],
    [Buffer.from('41ff42fe43', 'hex'), 'a.txt', undefined],
  ];
  for (const [bytes, name, extension] of cases) {
    const found = await readContent(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'), name);
    assert.is(found?.extension, extension, `${name} ${String(bytes).slice(0, 20)}`);
  }
  assert.equal(await readImageSize(png), { width: 1, height: 1 });
  assert.is(await readImageSize(Buffer.from('no picture')), undefined);
});

test.run();
