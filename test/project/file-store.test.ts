import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../src/core/clock.ts';
import { toTemporary } from '../../src/core/file/temporary-file.ts';
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

test('what killed processes left half-written is counted and removed, and nothing else', () =>
  inFolder(async (folder, files) => {
    const kept = await files.save(Buffer.from('whole'), 'txt');
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const draft = toTemporary(join(folder, `${'A'.repeat(22)}.png`));
    const dead = draft.replace(`-${process.pid}-`, `-${pid}-`);
    const part = join(folder, `.${'B'.repeat(22)}.png.part`);
    const young = join(folder, `.${'C'.repeat(22)}.png.part`);
    for (const path of [draft, dead, part, young]) writeFileSync(path, 'half');
    const hours = Date.now() / 1000 - 7200;
    utimesSync(part, hours, hours);
    assert.equal(await files.clearDrafts(true), { total: 2, bytes: 8 });
    assert.equal(await files.clearDrafts(false), { total: 2, bytes: 8 });
    assert.equal(await files.clearDrafts(false), { total: 0, bytes: 0 });
    const left = [draft, young, join(folder, kept.slice('/upload/'.length))].sort();
    assert.equal(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
      left,
    );
    await inFolder(async (_other, none) => assert.equal(await none.clearDrafts(false), { total: 0, bytes: 0 }));
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
  // What the bytes show, and whether they leave the rest to the name.
  const cases: readonly [Buffer | string, string, string?][] = [
    [png, 'png'],
    ['%PDF-1.7\n%\u00e2\n', 'pdf'],
    ['GIF89a\x01\x00\x01\x00', 'gif'],
    ['Plain text', 'txt', 'text'],
    ['  <!DOCTYPE html><p>', 'html'],
    ['<script>alert(1)</script>', 'html'],
    ['<!-- a --> <!-- b -->\n<ScRiPt>alert(1)</script>', 'html'],
    [`${' '.repeat(9000)}<html><body></html>`, 'html'],
    [`<!--${'x'.repeat(9000)}--><html></html>`, 'html'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'html'],
    ['<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', 'html'],
    [Buffer.from('\uFEFF<html><script>x()</script>', 'utf16le'), 'html'],
    ['<?xml version="1.0"?><svg onload="x()"/>', 'svg'],
    ['<?xml version="1.0"?><!-- a --><s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'svg'],
    ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>', 'svg'],
    ['<!-- x --><svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    ['#!/bin/sh\nrm -r .', 'sh'],
    ['<?php echo 1;', 'php'],
    ['<?xml version="1.0"?><a/>', 'xml', 'xml'],
    ['<!-- toc -->\n# Title', 'txt', 'text'],
    [`PK\x05\x06${'\0'.repeat(18)}`, 'zip', 'zip'],
    [Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 1)]), 'exe'],
    [Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), 'bin', 'unknown'],
    [Buffer.from('41ff42fe43', 'hex'), 'bin', 'unknown'],
  ];
  for (const [bytes, extension, form] of cases) {
    const found = await readContent(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'));
    assert.equal([found.extension, found.form], [extension, form], String(bytes).slice(0, 40));
  }
  assert.is((await readContent(Buffer.from('M\xfcller;Z\xfcrich', 'latin1'))).isOtherText, true);
  assert.equal(await readImageSize(png), { width: 1, height: 1 });
  assert.is(await readImageSize(Buffer.from('no picture')), undefined);
});

test.run();
