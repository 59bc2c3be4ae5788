import { rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../src/boot.ts';
import { boot, type Site } from '../boot.ts';
import { Project } from '../project.ts';

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

/** Templates, and the places that advice names: `line:column`. */
const PLAIN: readonly (readonly [string, readonly string[]])[] = [
  ['<p>\n{{image item.photo alt="x"}}', ['2:1']],
  ['{{image "/photo.png" alt=""}}', ['1:1']],
  ['{{#if x}}<img src="/photo.png?width=320">{{/if}}', ['1:30']],
  ['<img src="/photo.png?v=1&amp;width=320">\n{{image "/a.png" alt=""}}', ['1:21', '2:1']],
  ['<img src="{{photo}}?width=640">', ['1:20']],
  ['<img src="/photo.png" width="320">{{!-- {{image x}} --}}<p>image</p>', []],
];

test('without sharp, check and doctor name the templates that ask for sizes', async () => {
  const loader = Module as unknown as { _resolveFilename: (name: string, ...rest: unknown[]) => string };
  const resolve = loader._resolveFilename;
  const project = new Project('none');
  project.write('app/www/.treadle.ts', 'export default [];\n');
  const check = async (template: string): Promise<string[]> => {
    project.write('app/www/src/template/shop.html', template);
    const { problems } = await compileProject(project.root, {});
    return problems
      .filter(({ code }) => code === 'VIEW_IMAGE_SIZE')
      .map(({ file, line, column, severity, hint }) => {
        assert.equal([file, severity], ['app/www/src/template/shop.html', 'advice']);
        assert.is(hint, 'Install it: npm install sharp');
        return `${line}:${column}`;
      });
  };
  for (const [template] of PLAIN) assert.equal(await check(template), [], 'sharp is installed');
  loader._resolveFilename = function find(name, ...rest) {
    if (name === 'sharp') throw new Error('not installed');
    return resolve.call(this, name, ...rest);
  };
  try {
    for (const [template, places] of PLAIN) assert.equal(await check(template), places, template);
    project.write('app/www/src/template/shop.html', '<p>\n{{image item.photo alt="x"}}');
    const said = await project.cli('doctor').then(({ out, err }) => out + err, String);
    assert.match(said, /app\/www\/src\/template\/shop\.html:2: .*npm install sharp/);
  } finally {
    loader._resolveFilename = resolve;
    await project.remove();
  }
});

test.run();
