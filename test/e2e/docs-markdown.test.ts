import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('docs as Markdown over HTTP');

const ADDRESSES = [
  ['/developer/docs.md', '/developer/docs'],
  ['/developer/docs/guide/errors.md', '/developer/docs/guide/errors'],
  ['/developer/docs/calls.md', '/developer/docs/calls'],
  ['/developer/docs/calls/public-article-search.md', '/developer/docs/calls/public-article-search'],
  ['/developer/docs/schemas.md', '/developer/docs/schemas'],
  ['/developer/docs/schemas/article.md', '/developer/docs/schemas/article'],
  ['/developer/docs/scopes.md', '/developer/docs/scopes'],
  ['/developer/docs/webhooks.md', '/developer/docs/webhooks'],
] as const;

test('each page is there as Markdown, at its own address by Accept, and as HTML else', async () => {
  const site = await boot({ settings: { api: true } });
  try {
    for (const [markdown, path] of ADDRESSES) {
      const text = await site.send('GET', markdown);
      assert.is(text.status, 200, markdown);
      assert.is(text.headers['content-type'], 'text/markdown; charset=utf-8');
      assert.match(text.text, /^# /);
      const same = await site.send('GET', path, { headers: { accept: 'text/markdown, text/html;q=0.8' } });
      assert.is(same.text, text.text);
      assert.match(String(same.headers.vary), /(?:^|, )Accept(?:,|$)/);
      const page = await site.send('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      assert.match(page.text, '<!doctype html>');
      assert.match(page.text, `<link rel="alternate" href="${markdown}" type="text/markdown">`);
      assert.match(String(page.headers.vary), /(?:^|, )Accept(?:,|$)/);
      const again = await site.send('GET', markdown, {
        headers: { 'if-none-match': String(text.headers.etag) },
      });
      assert.is(again.status, 304);
    }
    for (const path of ['/developer/docs/calls/nothing.md', '/developer/docs/nothing.md', '/developer/docs/calls/.md'])
      assert.is((await site.send('GET', path)).status, 404, path);
    const list = await site.send('GET', '/llms.txt');
    assert.is(list.status, 200);
    assert.match(list.text, `(${site.url}/developer/docs/calls/public-article-search.md)`);
  } finally {
    await site.close();
  }
});

test('where the docs are closed, nothing tells of them', async () => {
  const site = await boot({ settings: { api: false } });
  try {
    for (const path of ['/llms.txt', ...ADDRESSES.map(([markdown]) => markdown)])
      assert.is((await site.send('GET', path)).status, 404, path);
  } finally {
    await site.close();
  }
});

const ROLE = (path: string) => ({ slug: 'staff', name: 'Staff', permissions: [{ method: 'all', path }] });

for (const [guarded, hidden] of [
  ['/developer/docs/**', ADDRESSES],
  ['/developer/docs', ADDRESSES.slice(0, 1)],
  ['/developer/docs/calls/public-article-search', ADDRESSES.slice(3, 4)],
] as const) {
  test(`what roles guard at ${guarded} is not shown as Markdown either`, async () => {
    const change = (project: { write(file: string, value: unknown): void }) =>
      project.write('config/role/staff.json', ROLE(guarded));
    const site = await boot({ settings: { api: true }, change });
    try {
      const list = await site.send('GET', '/llms.txt');
      for (const [markdown, path] of hidden) {
        assert.is.not((await site.send('GET', markdown)).status, 200, markdown);
        const own = await site.send('GET', path, { headers: { accept: 'text/markdown' } });
        assert.is.not(own.status, 200, path);
        assert.ok(!list.text.includes(`${markdown})`), `llms.txt names ${markdown}`);
      }
    } finally {
      await site.close();
    }
  });
}

test('pages lead to pages in their own language where each language has its paths', async () => {
  const settings = { api: true, languages: ['en', 'de'], languagePath: true };
  const site = await boot({ settings });
  try {
    for (const path of ['/de/llms.txt', '/de/developer/docs.md', '/de/developer/docs/calls.md']) {
      const { text } = await site.send('GET', path);
      const pages = [...text.matchAll(/\((https?:[^)]*\.md)\)/g)].map(([, address = '']) => new URL(address).pathname);
      assert.ok(pages.length > 0, path);
      assert.equal(
        pages.filter((page) => !page.startsWith('/de/developer/docs')),
        [],
      );
      assert.is((await site.send('GET', pages[0] ?? '')).status, 200);
    }
  } finally {
    await site.close();
  }
});

test('a file or a route of the project at /llms.txt wins', async () => {
  const file = await boot({
    settings: { api: true },
    change: (project) => project.write('public/llms.txt', 'Our own file\n'),
  });
  try {
    assert.is((await file.send('GET', '/llms.txt')).text, 'Our own file\n');
  } finally {
    await file.close();
  }
  const code = "export default function own(app) { app.get('/llms.txt', {}, () => 'Our own route'); }\n";
  const route = await boot({ settings: { api: true }, change: (project) => project.addController('own', code) });
  try {
    assert.is((await route.send('GET', '/llms.txt')).text, 'Our own route');
  } finally {
    await route.close();
  }
});

test.run();
