import markdownIt from 'markdown-it';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toWholeLinks } from '../../../../src/feature/docs/links.ts';
import { toMarkdown } from '../../../../src/feature/docs/markdown/markdown.ts';
import { renderLlms, renderMarkdown } from '../../../../src/feature/docs/markdown/page.ts';
import { listPages } from '../../../../src/feature/docs/page/pages.ts';
import { createDocs, NASTY } from '../_world.ts';

const test = suite('docs as Markdown');
const options = { toHref: (href: string) => href };

for (const [html, wanted] of [
  ['<h1>A &amp; B</h1><p>One\n two</p>', '# A & B\n\nOne two\n'],
  ['<p>a * b_c [d] &lt;e&gt;</p>', 'a \\* b_c \\[d\\] \\<e>\n'],
  ['<p># no heading</p><p>1. no list</p><p>- none</p>', '\\# no heading\n\n\\1. no list\n\n\\- none\n'],
  ['<p><code>a`b</code> <a href="/x">y <b>z</b></a></p>', '``a`b`` [y **z**](/x)\n'],
  ['<ul><li>a</li><li><p>b</p><p>c</p></li></ul>', '- a\n- b\n  \n  c\n'],
  ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b\n'],
  ['<pre><code>{"a": "```"}\n```</code></pre>', '````json\n{"a": "```"}\n```\n````\n'],
  [
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>x|y</td></tr></tbody></table>',
    '| A |\n| --- |\n| x\\|y |\n',
  ],
  ['<dl><div><dt><code>a</code></dt><dd>b</dd></div></dl>', '- `a`: b\n'],
  [
    '<details data-language="curl"><summary>curl</summary><pre><code>curl x</code></pre></details>',
    '**curl**\n\n```sh\ncurl x\n```\n',
  ],
  ['<section aria-labelledby="try"><h2>Try</h2></section><form><p>x</p></form><p hidden>y</p><p>z</p>', 'z\n'],
] as const) {
  test(`${html.slice(0, 60)} becomes Markdown`, () => {
    assert.is(toMarkdown(html, options), wanted);
  });
}

const { plan, views } = createDocs();
const links = toWholeLinks('https://example.org/base');
const pages = listPages({ plan, baseUrl: 'https://example.org/base', server: '/base' });

/** The words of a page that a reader sees. */
function listWords(html: string): string[] {
  const seen = html
    .replace(/<section[^>]*aria-labelledby="try"[\s\S]*?<\/section>/g, ' ')
    .replace(/<(form|script|style|nav|button)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&#(?:x27|39);/g, "'")
    .replace(/&#x60;/g, '`')
    .replace(/&#x3D;/g, '=')
    .replace(/&amp;/g, '&');
  return seen.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
}

test('the Markdown of a page has every word of the page, in its order', () => {
  for (const page of pages) {
    const html = views.render('docs', page.template, page.data(links));
    const text = renderMarkdown(page, views, links).replace(/\\(?=[^\w\s])/g, '');
    let at = 0;
    for (const word of listWords(html)) {
      const found = text.indexOf(word, at);
      assert.ok(found >= 0, `${page.path}: "${word}" is missing after …${text.slice(Math.max(0, at - 60), at)}`);
      at = found + word.length;
    }
  }
});

test('what people wrote stays text: no HTML and no link comes of it', () => {
  const parser = markdownIt({ html: true });
  for (const page of pages) {
    const html = parser.render(renderMarkdown(page, views, links));
    assert.not.match(html, /<script/i, page.path);
  }
  assert.match(NASTY, '<script>');
});

test('links lead to the Markdown of other pages, with the address of the site', () => {
  const known = new Set(pages.map(({ path }) => links.markdown(path)));
  const others =
    /^https:\/\/example\.org\/base\/(?:developer\/(?:app|docs\/(?:openapi|postman|api\.http))|\.well-known)|^https?:\/\/(?!example\.org)/;
  for (const page of pages) {
    const text = renderMarkdown(page, views, links).replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
    for (const [, href = ''] of text.matchAll(/(?<!\\)\]\(([^)]*)\)/g))
      assert.ok(known.has(href.replace(/#.*$/, '')) || others.test(href), `${page.path}: ${href}`);
  }
});

test('llms.txt has a title, a summary and a link to every page', () => {
  const text = renderLlms(pages, 'Ann’s [site]', links);
  assert.match(text, /^# Ann’s \\\[site\\\]\n\n> .+\n/);
  const entries = pages.filter(({ path, kind }) =>
    /^errors(?:\/|$)/.test(path) ? path === 'errors' : kind === 'guide' || path.includes('/'),
  );
  for (const { path } of entries) assert.ok(text.includes(`](${links.markdown(path)})`), path);
  assert.match(text, '(https://example.org/base/developer/docs/openapi.json)');
  assert.is([...text.matchAll(/^- \[/gm)].length, entries.length + 1);
});

test.run();
