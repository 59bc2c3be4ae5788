import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chooseEncoding, ENCODINGS, isPackable, toEncodedTag } from '../../../src/http/respond/encoding.ts';
import { createHarness, type HarnessOptions } from '../_harness.ts';

const test = suite('http/respond/packing');
const LONG = 'warp and weft '.repeat(500);

interface Packed {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly bytes: Buffer;
}

const fetchBytes = (url: string, headers: Record<string, string>, method = 'GET'): Promise<Packed> =>
  new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers as Record<string, string>,
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

test('H13: a page, a style and a stream: what is text and long is packed, once where everybody may have it', async () => {
  const routes: HarnessOptions['routes'] = {
    'GET /page': (_q, r) => void r.setContent(`<p>${LONG}`),
    'GET /style': {
      kind: 'open',
      listener: (_q, r) =>
        void r
          .addHeader('content-type', 'text/css')
          .addHeader('cache-control', 'public')
          .addHeader('etag', '"1"')
          .setContent(LONG),
    },
    'GET /other': {
      kind: 'open',
      listener: (_q, r) =>
        void r
          .addHeader('content-type', 'text/css')
          .addHeader('cache-control', 'public')
          .addHeader('etag', '"1"')
          .setContent(LONG.toUpperCase()),
    },
    'GET /image': { kind: 'open', listener: (_q, r) => void r.addHeader('content-type', 'image/png').setContent(LONG) },
    'GET /done': {
      kind: 'open',
      listener: (_q, r) =>
        void r.addHeader('content-type', 'text/css').addHeader('content-encoding', 'zstd').setContent(LONG),
    },
    'GET /cookie': { kind: 'open', listener: (_q, r) => void r.addHeader('set-cookie', 'a=b').setContent(LONG) },
  };
  const harness = await createHarness({ routes });
  try {
    for (const [path, text] of [
      ['page', `<p>${LONG}`],
      ['style', LONG],
      ['other', LONG.toUpperCase()],
    ] as const) {
      for (const encoding of [...ENCODINGS, ...ENCODINGS]) {
        const { headers, bytes } = await fetchBytes(`${harness.url}/${path}`, { 'accept-encoding': encoding });
        assert.is(headers['content-encoding'], encoding);
        assert.is(unpack[encoding](bytes).toString(), text, path);
        assert.is(headers.vary, 'Accept-Encoding');
      }
    }
    for (const path of ['image', 'done', 'cookie']) {
      const { headers, bytes } = await fetchBytes(`${harness.url}/${path}`, { 'accept-encoding': 'br' });
      assert.is(headers['content-encoding'], path === 'done' ? 'zstd' : undefined, path);
      assert.is(bytes.toString(), LONG);
    }
  } finally {
    await harness.remove();
  }
});

for (const mode of ['test', 'development'] as const) {
  test(`H13: files of public/ are packed too, in mode ${mode}; parts, images and short ones are not`, async () => {
    const harness = await createHarness({
      mode,
      prepare: (at: string) => {
        mkdirSync(join(at, 'public'));
        writeFileSync(join(at, 'public/site.css'), LONG);
        writeFileSync(join(at, 'public/short.css'), 'a{}');
        writeFileSync(join(at, 'public/photo.png'), LONG);
      },
    });
    try {
      const ask = (file: string, headers: Record<string, string>, method?: string) =>
        fetchBytes(`${harness.url}/${file}`, headers, method);
      const plain = await ask('site.css', {});
      assert.is(plain.headers.vary, 'Accept-Encoding');
      for (const encoding of [...ENCODINGS, ...ENCODINGS]) {
        const { status, headers, bytes } = await ask('site.css', { 'accept-encoding': encoding });
        assert.is(status, 200);
        assert.is(unpack[encoding](bytes).toString(), LONG);
        // A strong tag names bytes, so each encoding has its own.
        assert.is(headers.etag, toEncodedTag(String(plain.headers.etag), encoding));
        for (const name of ['content-type', 'cache-control', 'last-modified', 'x-content-type-options', 'vary'])
          assert.is(headers[name], plain.headers[name], name);
        assert.is(
          (await ask('site.css', { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) })).status,
          304,
        );
        const head = await ask('site.css', { 'accept-encoding': encoding }, 'HEAD');
        assert.is(head.headers['content-length'], String(bytes.length));
        assert.is(head.bytes.length, 0);
      }
      const part = await ask('site.css', { 'accept-encoding': 'br', range: 'bytes=0-3' });
      assert.equal([part.status, part.bytes.toString()], [206, 'warp']);
      for (const file of ['short.css', 'photo.png'])
        assert.is((await ask(file, { 'accept-encoding': 'br' })).headers['content-encoding'], undefined);
    } finally {
      await harness.remove();
    }
  });
}

test('H13: what a client takes, and what may be packed', () => {
  for (const [accept, encoding] of [
    [undefined, undefined],
    ['br;q=0.1, gzip;q=0.2, *;q=0.3', 'gzip'],
    ['br;q=1.5', 'br'],
    ['br;q=x', 'br'],
    ['gzip;q=0.000', undefined],
    [';;,,', undefined],
    [`${'gzip,'.repeat(2000)}br`, 'br'],
  ] as const)
    assert.is(chooseEncoding(accept), encoding, accept);
  const json = { 'content-type': 'application/json' };
  assert.is(isPackable(json, 1024), true);
  assert.is(isPackable(json, 1023), false);
  assert.is(isPackable({ ...json, 'cache-control': 'private, no-store' }, 5000), false);
  assert.is(isPackable({ 'content-type': 'application/vnd.api+json' }, 5000), true);
  assert.is(isPackable({ 'content-type': 'application/zip' }, 5000), false);
  assert.is(isPackable({}, 5000), false);
  assert.equal(
    [toEncodedTag('"a"', 'br'), toEncodedTag('W/"a"', 'gzip'), toEncodedTag('odd', 'gzip')],
    ['"a-br"', 'W/"a"', 'odd'],
  );
});

test.run();
