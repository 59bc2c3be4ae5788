import { posix } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readErrorCatalog } from '../../../src/core/error-catalog.ts';
import { renderDocs } from '../../../src/feature/docs/static.ts';
import { createDocs, NASTY } from './_world.ts';

const files = (() => {
  const { plan, views } = createDocs();
  return renderDocs(plan, views);
})();

const statics = suite('static docs');

statics('there is a page for each call, scope, hook and schema', () => {
  const { plan } = createDocs();
  const wanted = [
    'index.html',
    'openapi.json',
    'search.js',
    'favicon.svg',
    'styles/treadle.css',
    'styles/docs.css',
    'styles/theme.css',
    'scripts/docs.js',
    'scripts/docs-console.js',
    ...['authentication', 'errors', 'searching', 'writing', 'limits'].map((name) => `guide/${name}.html`),
    ...['calls', 'scopes', 'webhooks', 'schemas', 'errors'].map((kind) => `${kind}.html`),
    ...plan.calls.map(({ name }) => `calls/${name}.html`),
    ...[...plan.model.scopes.keys()].map((slug) => `scopes/${slug}.html`),
    ...plan.hooks.map(({ name }) => `webhooks/${name}.html`),
    ...[...plan.model.schemas.keys()].map((name) => `schemas/${name}.html`),
    ...[...readErrorCatalog().values()].flatMap(({ code, status }) =>
      status === undefined ? [] : [`errors/${code}.html`],
    ),
  ];
  assert.equal([...files.keys()].sort(), wanted.sort());
});

statics('the lists name every entry', () => {
  const { plan } = createDocs();
  const list = String(files.get('calls.html'));
  for (const { name, path } of plan.calls) {
    assert.match(list, `href="./calls/${name}.html"`);
    assert.match(list, path);
  }
  for (const slug of plan.model.scopes.keys()) assert.match(String(files.get('scopes.html')), `./scopes/${slug}.html`);
  for (const { name, definition } of plan.hooks) {
    assert.match(String(files.get('webhooks.html')), `./webhooks/${name}.html`);
    assert.match(String(files.get('webhooks.html')), definition.type);
  }
});

statics('apps are registered on the site, where its address is known', () => {
  assert.not.match(String(files.get('index.html')), 'Register an app');
  const { plan, views } = createDocs();
  const { settings } = plan.model;
  const server = { ...settings.server, baseUrl: 'https://blog.example' };
  const known = renderDocs({ ...plan, model: { ...plan.model, settings: { ...settings, server } } }, views);
  assert.match(String(known.get('index.html')), 'href="https://blog.example/developer/app/search"');
});

statics('every link and stylesheet is a file of the set', () => {
  for (const [file, text] of files) {
    if (!file.endsWith('.html')) continue;
    const links = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href = '']) => href);
    assert.ok(links.length > 5, file);
    for (const link of links) {
      if (link === '' || link.startsWith('#')) continue;
      const [path = '', anchor] = link.split('#');
      const target = posix.join(posix.dirname(file), decodeURIComponent(path));
      assert.ok(files.has(target), `${file} leads to ${link}`);
      if (anchor) assert.match(String(files.get(target)), `id="${anchor}"`);
    }
  }
});

statics('the same plan gives the same bytes, and none of them names a machine', () => {
  const { plan, views } = createDocs();
  const again = renderDocs(plan, views);
  assert.equal([...again], [...files]);
  const all = [...files.values()].join('\n');
  assert.not.match(all, '127.0.0.1');
  assert.not.match(all, process.cwd());
});

statics('names are escaped; no page has an inline script or style', () => {
  for (const [file, text] of files) {
    if (!file.endsWith('.html')) continue;
    assert.not.match(text, /<script(?![^>]* src=)|javascript:/, file);
    assert.not.match(text, /\sstyle=|<style|\son[a-z]+="/, file);
    assert.not.match(text, 'undefined', file);
    assert.not.match(text, '[object Object]', file);
  }
  assert.match(String(files.get('webhooks/profile-created.html')), '&lt;script&gt;alert(&#x27;&quot;&amp;{{x}}');
  assert.ok(NASTY.includes('<script>'));
});

statics('headings come in order, one h1 a page, every table has headers', () => {
  for (const [file, text] of files) {
    if (!file.endsWith('.html')) continue;
    assert.is(text.match(/<h1/g)?.length, 1, file);
    assert.is(text.match(/<table/g)?.length, text.match(/<thead/g)?.length, file);
    assert.match(text, '<html lang="en">');
  }
});

statics('a base URL of the settings is used', () => {
  const { plan, views } = createDocs({ server: { baseUrl: 'https://api.example.com' } });
  const made = renderDocs(plan, views);
  assert.match(
    String(made.get('calls/public-article-search.html')),
    'https://api.example.com/rest/public/article/search',
  );
});

statics.run();
