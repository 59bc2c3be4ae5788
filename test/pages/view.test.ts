import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { createPackageView, createTemplates, createViews } from '../../src/pages/view.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('pages/view');
const clock = createFakeClock(Date.UTC(2026, 5, 15, 12));

function withFiles(files: Record<string, string>, run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-view-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const render = (template: string, data: object = {}): string => {
  let result = '';
  withFiles({ 'a.html': template }, (folder) => {
    result = createTemplates({ folder, clock }).render('a', data);
  });
  return result;
};

const thrown = (fn: () => unknown): TreadleError & { detail: { file?: string; line?: number } } => {
  try {
    fn();
  } catch (error) {
    if (error instanceof TreadleError) return error as TreadleError & { detail: { file?: string; line?: number } };
  }
  throw new Error('nothing was thrown');
};

test('escaped by default, triple braces, dotted paths, own properties only', () => {
  const data = { a: '<i>&"\'`=', item: { title: 'T' } };
  assert.is(render('{{a}}', data), '&lt;i&gt;&amp;&quot;&#x27;&#x60;&#x3D;');
  assert.is(render('{{{a}}}{{item.title}}', data), '<i>&"\'`=T');
  assert.is(render('[{{constructor}}{{__proto__.x}}{{item.toString}}{{lookup this "constructor"}}]', data), '[]');
});

test('helpers', () => {
  const data = { list: ['a', 'b'], n: 1234.5, zero: 0, text: '<p>One two</p> <p>three</p>', o: { k: 1 } };
  const table: [string, string][] = [
    ['{{upper "aé"}}{{lower "AÉ"}}{{capital "one two"}}', 'AÉaéOne Two'],
    ['{{strip text}}|{{excerpt text 8}}|{{chars "abcdef" 3}}|{{words "a b c" 2}}', 'One two three|One two…|abc…|a b…'],
    ['{{join list}}|{{join list "-"}}|{{#each (split "x,y")}}{{this}}{{/each}}', 'a, b|a-b|xy'],
    ['{{number n}}|{{number n 1}}|{{price n}}|{{number "x"}}', '1,235|1,234.5|1,234.50|'],
    ['{{json o}}', '{&quot;k&quot;:1}'],
    [
      "{{#when n '>' 5}}yes{{else}}no{{/when}}{{#when 'a' '==' 'b'}}yes{{else}}no{{/when}}{{#when 1 '===' '1'}}y{{else}}n{{/when}}",
      'yesnon',
    ],
    [
      "{{#when 10 '>' '9'}}y{{/when}}{{#when 'b' '>=' 'a'}}y{{/when}}{{#when n '&&' zero}}y{{/when}}{{#when '' '||' 0}}y{{/when}}",
      'yyyy',
    ],
    [
      '{{#in "a" list}}y{{/in}}{{#notin "z" list}}y{{/notin}}{{#has o "k"}}y{{/has}}{{#hasnt o "z"}}y{{/hasnt}}',
      'yyyy',
    ],
    [
      '{{#if (or "" o.k)}}y{{/if}}{{#if (and o.k "")}}n{{/if}}{{#not ""}}y{{/not}}{{#is_array list}}y{{/is_array}}',
      'yyy',
    ],
    ['{{{query a="1 2" b=""}}}', '?a=1+2'],
    [
      "{{date '2026-03-05 06:07:08'}}|{{date '2026-03-05 06:07:08' 'D j M y, H:i'}}|{{date 'x'}}",
      'March 05, 2026|Thu 5 Mar 26, 06:07|',
    ],
  ];
  for (const [template, expected] of table) assert.is(render(template, data), expected, template);
});

test('a value is shown before a helper of its name; with parameters the helper is called', () => {
  assert.is(render('{{format}} {{json}} {{number}}', { format: 'A5', json: 0, number: '' }), 'A5 0 ');
  assert.is(render('{{#with row}}{{upper}}{{/with}} {{upper name}}', { row: { upper: 'u' }, name: 'a' }), 'u A');
  assert.is(render('{{constructor}}', {}), '');
});

test('relative times', () => {
  const table: [string, string][] = [
    ['2026-06-15 11:59:57', 'Now'],
    ['2026-06-15 11:59:50', '10 seconds ago'],
    ['2026-06-15 11:59:00', '1 minute ago'],
    ['2026-06-15 14:00:00', '2 hours from now'],
    ['2026-06-14 11:00:00', 'Yesterday'],
    ['2026-06-16 13:00:00', 'Tomorrow'],
    ['2026-06-12 11:00:00', '3 days ago'],
    ['2026-06-01 11:00:00', '2 weeks ago'],
    ['2026-04-01 11:00:00', '2 months ago'],
    ['2020-06-01 11:00:00', '6 years ago'],
    ['1820-06-01 11:00:00', 'June 01, 1820'],
    ['', ''],
  ];
  for (const [stamp, expected] of table) assert.is(render('{{relative at}}', { at: stamp }), expected, stamp);
});

test('partials by path, inline ones, layouts with a block, and one that names itself', () => {
  const files = {
    'page.html': '{{#> site/layout title="T"}}{{#*inline "nav"}}NAV{{/inline}}{{> article/row row}}{{/site/layout}}',
    'site/layout.html': '<{{title}}>{{> nav}}{{> @partial-block}}',
    'article/row.html': '({{name}}{{#if child}}{{> article/row child}}{{/if}})',
  };
  withFiles(files, (folder) => {
    const templates = createTemplates({ folder, clock });
    assert.is(templates.render('page', { row: { name: 'a', child: { name: 'b' } } }), '<T>NAV(a(b))');
    assert.equal(templates.check(), []);
  });
});

test('a missing or broken template names itself, its file and line', () => {
  const files = {
    'src/template/a/ok.html': 'ok',
    'src/template/broken.html': '<p>\n{{#if x}}\n</p>',
    'src/template/late.html': '\n{{nothing 1}}',
  };
  withFiles(files, (folder) => {
    const view = createPackageView({ folder, clock, root: dirname(folder) });
    const missing = thrown(() => view.view('a/none'));
    assert.is(missing.code, 'VIEW_TEMPLATE_MISSING');
    assert.match(missing.hint ?? '', 'a/ok');
    assert.is(thrown(() => view.view('../secret')).code, 'VIEW_TEMPLATE_MISSING');
    const broken = thrown(() => view.view('broken'));
    assert.is(broken.code, 'VIEW_TEMPLATE_BROKEN');
    assert.match(broken.detail.file ?? '', /^treadle-view-.*\/src\/template\/broken\.html$/);
    assert.is(broken.detail.line, 3);
    assert.is(thrown(() => view.view('late')).code, 'VIEW_TEMPLATE_BROKEN');
    const problems = view.check();
    assert.equal(
      problems.map(({ code, line }) => [code, line]),
      [
        ['VIEW_TEMPLATE_BROKEN', 3],
        ['VIEW_HELPER_UNKNOWN', 2],
      ],
    );
  });
});

test('keeps a template until the views are reloaded', () => {
  withFiles({ 'f/a.html': 'one', 'f/b.html': 'one {{> f/a}}' }, (folder) => {
    const views = createViews({ folder, clock });
    assert.is(views.render('f', 'b', {}), 'one one');
    writeFileSync(join(folder, 'f/a.html'), '{{#if');
    assert.is(views.render('f', 'b', {}), 'one one');
    assert.equal(views.check(), []);
    views.reload();
    assert.is(views.check().length, 1);
    writeFileSync(join(folder, 'f/a.html'), 'two');
    views.reload();
    assert.is(views.render('f', 'b', {}), 'one two');
  });
});

test('equal texts of two folders use the helpers and partials of their own, in HTML and in plain text', () => {
  const files = { 'page.html': '{{own a}}{{> part}}{{a}}', 'page.txt': '{{own a}}{{> part}}{{a}}' };
  const show = (part: string, extension: '.html' | '.txt'): string => {
    let shown = '';
    withFiles({ ...files, [`part${extension}`]: part }, (folder) => {
      const helpers = new Map([['own', (value: unknown) => `${part}:${value} `]]);
      shown = createTemplates({ folder, clock, helpers, extension }).render('page', { a: '<' });
    });
    return shown;
  };
  assert.is(show('x', '.html'), 'x:&lt; x&lt;');
  assert.is(show('y', '.html'), 'y:&lt; y&lt;');
  assert.is(show('z', '.txt'), 'z:< z<');
});

test('the templates of the runtime and of www are whole', () => {
  const views = createViews({ folder: join(packageRoot, 'templates'), clock });
  const own = views.check().filter(({ file }) => /^(www|runtime)\//.test(file));
  assert.equal(own, []);
});

test.run();
