import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readContent, readFileContent, readFileImageSize, readImageSize } from '../../src/project/file-content.ts';

const test = suite('types of files');
const folder = mkdtempSync(join(tmpdir(), 'treadle-content-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const LONG = 1_500_000;
const after = (head: string | Buffer, tail: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(LONG, ' '), Buffer.from(tail)]);

/** Files short and long, of each way in which a type is found. */
const FILES: Readonly<Record<string, Buffer>> = {
  text: Buffer.from('warp and weft'),
  'a long text': after('warp', 'weft'),
  'a long text of characters of three bytes': Buffer.from('€'.repeat(600_000)),
  'a long text of characters of three bytes, moved by one': Buffer.from(`a${'€'.repeat(600_000)}`),
  'a long text of characters of four bytes, moved by three': Buffer.from(`abc${'𝄞'.repeat(400_000)}`),
  'a long text whose end is not UTF-8': after('warp', Buffer.from([0x61, 0xe4, 0x62])),
  'a long text that ends within a character': after('warp', Buffer.from([0xe2, 0x82])),
  'a long page': after('<!doctype html><p>', '</p>'),
  'a long drawing': after('<svg xmlns="http://www.w3.org/2000/svg">', '</svg>'),
  'a long feed': after('<?xml version="1.0"?><rss>', '</rss>'),
  'a long script': after('#!/bin/sh\n', 'ls'),
  picture: PNG,
  'a long picture': after(PNG),
  'long unknown bytes': after(Buffer.from([0, 1, 2, 255])),
  'nothing at all': Buffer.alloc(0),
};

for (const [name, bytes] of Object.entries(FILES)) {
  test(`the type of ${name} is the same from memory and from disk`, async () => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    assert.equal(await readFileContent(path), await readContent(bytes));
    assert.equal(await readFileImageSize(path), await readImageSize(bytes));
  });
}

test.run();
