import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('e2e/asset');

const page = (template: string): Readonly<Record<string, string>> => ({
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  app.get('/page', (request, response) => response.setContent(app.package('/app/www').view('page', {})));
}
`,
  'app/www/src/template/page.html': `<!doctype html><html>\n${template}</html>`,
});

const IMMUTABLE = 'public, max-age=31536000, immutable';
const LARGE = `/* ${'x'.repeat(200_000)} */`;

/** Addresses of assets on a page. */
const listUrls = (text: string): string[] =>
  [...text.matchAll(/<i>([^<]+)<\/i>/g)].map(([, url = '']) => url.replaceAll('&#x3D;', '='));

for (const mode of ['test', 'development'] as const) {
  test(`a URL has the hash of the content, and its answer is kept for good (${mode})`, async () => {
    const files = {
      ...page(
        '<i>{{asset "/app.css"}}</i><i>{{asset "/large.js"}}</i><i>{{asset "/styles/treadle.css"}}</i><i>{{asset "/pi" "c.svg"}}</i>',
      ),
      'public/app.css': 'a { color: red }',
      'public/large.js': LARGE,
      'public/pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    };
    const site = await boot({ template: 'none', mode, files });
    const urls = listUrls((await site.get('/page')).text);
    assert.is(urls.length, 4);
    for (const url of urls) {
      assert.match(url, /^\/[a-z/]+\.[a-z]+\?v=[\w-]{20}$/);
      for (const encoding of ['identity', 'gzip']) {
        const kept = await site.get(url, { 'accept-encoding': encoding });
        assert.equal([kept.status, kept.headers['cache-control']], [200, IMMUTABLE], url);
      }
      const other = await site.get(`${url.slice(0, -20)}aaaaaaaaaaaaaaaaaaaa`);
      assert.is(other.status, 200);
      assert.match(other.headers['cache-control'] ?? '', /no-cache|must-revalidate/, 'another hash');
      assert.not.match((await site.get(url.split('?')[0] ?? '')).headers['cache-control'] ?? '', 'immutable');
    }
    await site.close();
  });
}

test('a saved file has a new URL at once in development', async () => {
  const site = await boot({
    template: 'none',
    mode: 'development',
    files: { ...page('<i>{{asset "/app.css"}}</i>'), 'public/app.css': 'a { color: red }' },
  });
  const [before = ''] = listUrls((await site.get('/page')).text);
  writeFileSync(join(site.root, 'public/app.css'), 'a { color: tan }');
  const [after = ''] = listUrls((await site.get('/page')).text);
  assert.is.not(after, before);
  assert.is((await site.get(after)).text, 'a { color: tan }');
  assert.not.match((await site.get(before)).headers['cache-control'] ?? '', 'immutable');
  await site.close();
});

test('a file behind a guard is kept by no shared cache, whatever its URL', async () => {
  const site = await boot({
    settings: {},
    files: {
      'public/inside/app.css': 'a {}',
      'config/role/editor.json': JSON.stringify({
        slug: 'editor',
        name: 'Editor',
        permissions: [{ method: 'all', path: '/inside/**' }],
      }),
      'app/www/src/template/home.html': '<i>{{asset "/inside/app.css"}}</i>',
    },
  });
  const [url = ''] = listUrls((await site.get('/')).text);
  assert.is((await site.get(url)).status, 303);
  const answer = await (await site.as('eve@example.org', ['editor'])).get(url);
  assert.equal([answer.status, answer.headers['cache-control']], [200, 'private, no-cache']);
  await site.close();
});

test('an unknown file is a problem with its place, for check and for the page', async () => {
  const files = {
    ...page('<i>{{asset "/ap.css"}}</i>{{asset "/../package.json"}}'),
    'public/app.css': 'a {}',
  };
  const refused = await boot({ template: 'none', files }).then(() => '', String);
  assert.match(refused, 'There is no file /ap.css in public/.');
  const site = await boot({
    template: 'none',
    mode: 'development',
    files: { ...files, 'app/www/src/template/page.html': 'x' },
  });
  const file = join(site.root, 'app/www/src/template/page.html');
  writeFileSync(file, '<p>\n{{asset "/ap.css"}}');
  const problems = await site.app.reload();
  const [problem] = problems;
  assert.equal(
    [problem?.code, problem?.file, problem?.line, problem?.hint],
    ['VIEW_ASSET_MISSING', 'app/www/src/template/page.html', 2, 'Did you mean "/app.css"?'],
  );
  writeFileSync(file, '<p>\n{{asset "/" name}}');
  await site.app.reload();
  const failed = await site.get('/page', { accept: 'text/html' });
  assert.is(failed.status, 500);
  assert.match(failed.text, 'app/www/src/template/page.html:2: There is no file / in public/.');
  await site.close();
});

test.run();
