import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { FileCache, parseRange } from '../../../src/http/file/cached-file.ts';
import { createHarness, type Harness } from '../_harness.ts';

const test = suite('http/file/cached-file');
const LONG = 'body { color: red }\n'.repeat(800);
const OLD = new Date('2026-01-02T03:04:05Z');

const folder = mkdtempSync(join(tmpdir(), 'treadle-kept-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file that nobody has touched for long. */
function write(path: string, text: string | Buffer, at = OLD): string {
  writeFileSync(path, text);
  utimesSync(path, at, at);
  return path;
}

test('keeps a small file, and reads it again when it changes in any way', () => {
  const files = new FileCache(systemClock);
  const path = write(join(folder, 'a.css'), 'one');
  const first = files.read(path);
  assert.is(String(first?.bytes), 'one');
  assert.is(files.read(path), first);
  assert.is(files.find(path), first);
  write(path, 'two');
  assert.is(files.find(path), undefined, 'same size and time, but not the same change time');
  assert.is(String(files.read(path)?.bytes), 'two');
  const other = write(join(folder, 'b.css'), 'six');
  renameSync(other, path);
  assert.is(String(files.read(path)?.bytes), 'six');
  rmSync(path);
  assert.is(files.read(path), undefined);
  assert.is(files.size, 0);
});

test('does not keep a file that was written just now, that is large, or that has no known type', () => {
  const now = statSync(write(join(folder, 'c.css'), 'new', new Date())).mtimeMs;
  const files = new FileCache({ ...systemClock, now: () => now + 100 });
  assert.is(String(files.read(join(folder, 'c.css'))?.bytes), 'new');
  assert.is(files.find(join(folder, 'c.css')), undefined);
  assert.is(files.read(write(join(folder, 'd.png'), Buffer.alloc(140_000))), undefined);
  assert.is(files.read(write(join(folder, 'd.css'), Buffer.alloc(1_100_000))), undefined);
  assert.is(files.read(write(join(folder, 'e.css'), Buffer.alloc(1_000_000)))?.isText, true);
  assert.is(files.read(write(join(folder, 'e.unknown'), 'x')), undefined);
  assert.is(files.read(join(folder, 'none.css')), undefined);
});

test('the same content has the same tag, and another content another', () => {
  const files = new FileCache(systemClock);
  const [a, b, c] = ['same', 'same', 'else'].map((text, at) => files.read(write(join(folder, `t${at}.css`), text)));
  assert.is(a?.etag, b?.etag);
  assert.is.not(a?.etag, c?.etag);
});

test('compresses once, and holds no more bytes than its bound', async () => {
  const files = new FileCache(systemClock);
  const path = write(join(folder, 'f.css'), LONG);
  const file = files.read(path);
  assert.ok(file);
  const packed = await files.pack(path, file, 'br');
  assert.is(await files.pack(path, file, 'br'), packed);
  assert.is(files.size, LONG.length + packed.length);
  for (let at = 0; at < 160; at += 1) files.read(write(join(folder, `big${at}.png`), Buffer.alloc(131_072, at)));
  assert.ok(files.size <= 16_777_216);
  assert.is(files.find(path), undefined);
  assert.ok(files.find(join(folder, 'big159.png')));
});

const RANGES: [header: string | undefined, expected: unknown][] = [
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=2-', { from: 2, to: 9 }],
  ['bytes=2-99', { from: 2, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-30', { from: 0, to: 9 }],
  ['bytes=-0', 'none'],
  ['bytes=10-', 'none'],
  ['bytes=5-3', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=-', undefined],
  ['lines=1-2', undefined],
  [undefined, undefined],
];
test('reads a single range', () => {
  for (const [header, expected] of RANGES) assert.equal(parseRange(header, 10), expected, String(header));
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });

async function withFiles(
  mode: 'production' | 'development',
  fn: (harness: Harness, at: (name: string) => string) => Promise<void>,
) {
  const prepare = (root: string): void => {
    mkdirSync(join(root, 'public'));
    write(join(root, 'public/style.css'), LONG);
    write(join(root, 'public/about.html'), '<p>About</p>');
  };
  const harness = await createHarness({ mode, prepare });
  try {
    await fn(harness, (name) => join(harness.folder, 'public', name));
  } finally {
    await harness.remove();
  }
}

for (const mode of ['production', 'development'] as const) {
  test(`${mode}: answers with the whole file, compressed, a part, or 304`, () =>
    withFiles(mode, async ({ url }) => {
      const style = `${url}/style.css`;
      for (let round = 0; round < 2; round += 1) {
        const plain = await ask(style);
        assert.is(plain.status, 200);
        assert.is(String(plain.bytes), LONG);
        assert.is(plain.headers['content-type'], 'text/css');
        assert.is(plain.headers['content-length'], String(LONG.length));
        assert.is(plain.headers.vary, 'Accept-Encoding');
        assert.is(plain.headers['last-modified'], OLD.toUTCString());
        assert.is(
          plain.headers['cache-control'],
          mode === 'production' ? 'public,max-age=0,must-revalidate' : 'no-cache',
        );
        assert.is(plain.headers['x-content-type-options'], 'nosniff');
        const br = await ask(style, { 'accept-encoding': 'gzip, br' });
        assert.is(br.headers['content-encoding'], 'br');
        assert.is(String(brotliDecompressSync(br.bytes)), LONG);
        const gzip = await ask(style, { 'accept-encoding': 'gzip;q=1, br;q=0' });
        assert.is(String(gunzipSync(gzip.bytes)), LONG);
        assert.is(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3);
        const head = await ask(style, { 'accept-encoding': 'br' }, 'HEAD');
        assert.is(head.bytes.length, 0);
        assert.is(head.headers['content-length'], br.headers['content-length']);
        const tag = String(plain.headers.etag);
        for (const given of [tag, `W/${tag}`, `"x", ${tag}`, '*', String(br.headers.etag)]) {
          const same = await ask(style, { 'if-none-match': given });
          assert.is(same.status, 304, given);
          assert.is(same.bytes.length, 0);
          assert.ok(same.headers.etag);
          assert.ok(same.headers['cache-control']);
        }
        assert.is((await ask(style, { 'if-none-match': '"x"', 'if-modified-since': OLD.toUTCString() })).status, 200);
        assert.is((await ask(style, { 'if-modified-since': OLD.toUTCString() })).status, 304);
        assert.is((await ask(style, { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status, 200);
        const part = await ask(style, { range: 'bytes=5-9', 'accept-encoding': 'br' });
        assert.equal([part.status, String(part.bytes)], [206, LONG.slice(5, 10)]);
        assert.is(part.headers['content-range'], `bytes 5-9/${LONG.length}`);
        assert.is(part.headers['content-encoding'], undefined);
        assert.is((await ask(style, { range: 'bytes=5-9', 'if-range': tag })).status, 206);
        assert.is((await ask(style, { range: 'bytes=5-9', 'if-range': `W/${tag}` })).status, 200);
        const beyond = await ask(style, { range: `bytes=${LONG.length}-` });
        assert.equal([beyond.status, beyond.headers['content-range']], [416, `bytes */${LONG.length}`]);
      }
    }));

  test(`${mode}: sends a changed file, and not one that is gone or became a link out of the folder`, () =>
    withFiles(mode, async ({ url, folder: root }, at) => {
      for (const path of ['/about', '/about.html'])
        assert.is(String((await ask(url + path)).bytes), '<p>About</p>', path);
      assert.is((await ask(`${url}/about`)).headers['content-type'], 'text/html;charset=utf-8');
      writeFileSync(at('about.html'), '<p>Other</p>');
      assert.is(String((await ask(`${url}/about`)).bytes), '<p>Other</p>');
      writeFileSync(join(root, 'secret.html'), 'SECRET');
      rmSync(at('about.html'));
      symlinkSync(join(root, 'secret.html'), at('about.html'));
      assert.is((await ask(`${url}/about`)).status, 404);
      rmSync(at('about.html'));
      assert.is((await ask(`${url}/about.html`)).status, 404);
      writeFileSync(at('new.css'), 'new');
      assert.is(String((await ask(`${url}/new.css`)).bytes), 'new');
      const large = Buffer.alloc(200_000, 'x');
      write(at('large.png'), large);
      assert.ok((await ask(`${url}/large.png`)).bytes.equals(large));
      write(at('large.png'), Buffer.alloc(150_000, 'y'));
      assert.is((await ask(`${url}/large.png`)).bytes.length, 150_000);
    }));
}

test.run();
