import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

const test = suite('e2e/image');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;

const draw = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

test.before(async () => {
  at.site = await boot({
    files: {
      'public/text.png': 'no image',
      'public/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'public/inside/note.txt': 'x',
      'app/www/src/template/home.html':
        '{{image "/photo.png" alt="A <loom>" sizes="50vw" class="wide"}}|{{image "/mark.svg" alt="" loading="eager"}}|{{asset "/photo.png"}}',
      'config/role/editor.json': JSON.stringify({
        slug: 'editor',
        name: 'Editor',
        permissions: [{ method: 'all', path: '/inside/**' }],
      }),
    },
    change: async ({ root }: { root: string }) => {
      writeFileSync(join(root, 'public/photo.png'), await draw(1000, 500));
      writeFileSync(join(root, 'public/inside/photo.png'), await draw(1000, 500));
    },
  });
});
test.after(() => site().close());

/** Status, type, and width in pixels of an answer. */
async function look(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${site().url}${path}`, { headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const width = answer.status === 200 ? (await sharp(bytes).metadata()).width : undefined;
  return { status: answer.status, width, headers: answer.headers, text: bytes.toString('utf8') };
}

test('an image of public/ comes in the width that is asked for, by ETag', async () => {
  const { status, width, headers } = await look('/photo.png?width=300');
  assert.equal([status, width, headers.get('content-type')], [200, 320, 'image/png']);
  assert.is(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('cache-control') ?? '', 'must-revalidate');
  const etag = headers.get('etag') ?? '';
  assert.is((await look('/photo.png?width=320', { 'if-none-match': etag })).status, 304);
  assert.is((await look('/photo.png?width=640', { 'if-none-match': etag })).status, 200);
  assert.is((await look('/photo.png?width=2000')).width, 1000, 'never larger than it is');
  const head = await fetch(`${site().url}/photo.png?width=320`, { method: 'HEAD' });
  assert.equal([head.status, Number(head.headers.get('content-length')) > 0], [200, true]);
});

test('what cannot be asked for is told', async () => {
  const wrong = await look('/photo.png?width=wide', { accept: 'application/json' });
  assert.is(wrong.status, 400);
  assert.match(wrong.text, '320, 480, 640, 960, 1280, 1920, 2560');
  const broken = await look('/text.png?width=320', { accept: 'application/json' });
  assert.is(broken.status, 422);
  assert.match(broken.text, 'text.png cannot be read as an image.');
  assert.is((await look('/none.png?width=320')).status, 404);
  assert.is((await site().get('/mark.svg?width=320')).text, '<svg xmlns="http://www.w3.org/2000/svg"/>');
});

test('sizes obey the guard of their file', async () => {
  assert.is((await fetch(`${site().url}/inside/photo.png?width=320`, { redirect: 'manual' })).status, 303);
  const eve = await site().as('eve@example.org', ['editor']);
  const answer = await eve.get('/inside/photo.png?width=320');
  assert.equal([answer.status, answer.headers['cache-control']], [200, 'private, no-cache']);
  const ann = await site().as('ann@example.org');
  assert.is((await ann.get('/inside/photo.png?width=320')).status, 403);
});

test('an uploaded image comes in sizes until it is removed', async () => {
  const { files } = site().app.services;
  const address = await files.save(await draw(900, 90), 'png');
  const { status, width, headers } = await look(`${address}?width=480`);
  assert.equal([status, width], [200, 480]);
  assert.match(headers.get('cache-control') ?? '', 'immutable');
  assert.match(headers.get('content-security-policy') ?? '', 'sandbox');
  const etag = headers.get('etag') ?? '';
  assert.is((await look(`${address}?width=480`, { 'if-none-match': etag })).status, 304);
  assert.is((await look(address)).width, 900);
  await files.remove(address);
  assert.is((await look(`${address}?width=480`)).status, 404);
});

test('the helper gives an image in all its widths', async () => {
  const { text } = await site().get('/');
  const [, first = '', second = '', url = ''] = /<main[^>]*>\s*([^|]*)\|([^|]*)\|([^<]*)/.exec(text) ?? [];
  const plain = first.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&');
  assert.match(plain, /^<img src="\/photo\.png\?v=[\w-]{20}&width=1280"/);
  assert.match(plain, /srcset="\/photo\.png\?v=[\w-]{20}&width=320 320w, .*width=2560 2560w"/);
  assert.match(plain, / sizes="50vw" .*alt="A &lt;loom&gt;".*class="wide"/);
  assert.match(plain, / loading="lazy" decoding="async"/);
  assert.match(second, /^<img src="\/mark\.svg[^"]*" loading="eager" decoding="async" alt="">/);
  const sized = await look(`${url.trim().replaceAll('&#x3D;', '=')}&width=640`);
  assert.equal([sized.width, sized.headers.get('cache-control')], [640, 'public, max-age=31536000, immutable']);
});

test('a replaced file has new sizes, a removed one none', async () => {
  const file = join(site().root, 'public/photo.png');
  writeFileSync(file, await draw(700, 70));
  assert.is((await look('/photo.png?width=2560')).width, 700);
  rmSync(file);
  assert.is((await look('/photo.png?width=320')).status, 404);
});

test.run();
