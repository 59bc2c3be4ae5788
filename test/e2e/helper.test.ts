import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('e2e/helper');

const page = (template: string, code = ''): Readonly<Record<string, string>> => ({
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  ${code}
  app.get('/page', (request, response) => {
    response.setContent(app.package('/app/www').view('page', { rating: 3, text: '*a* <script>', time: '2026-01-02' }));
  });
}
`,
  'app/www/src/template/page.html': `<!doctype html><html>${template}</html>`,
});

const CASES: readonly (readonly [string, string, string])[] = [
  ['{{stars rating}}', '/page', '★★★☆☆'],
  ['{{markdown text}}', '/page', '<p><em>a</em> &lt;script&gt;</p>'],
  ['{{format time "date" "Y"}}', '/page', '2026'],
  ['{{format text "upper"}}', '/page', '*A* &lt;SCRIPT&gt;'],
  ['{{sorturl "a"}}', '/page?q=x&page=2', '/page?q&#x3D;x&amp;sort&#x3D;a'],
  ['{{sorturl "a"}}', '/page?sort=a', '/page?sort&#x3D;-a'],
];

test('the helpers of templates', async () => {
  const site = await boot({ template: 'none', files: page(CASES.map(([text]) => `<i>${text}</i>`).join('')) });
  for (const [index, [template, path, expected]] of CASES.entries()) {
    const { text } = await site.get(path);
    const parts = [...text.matchAll(/<i>([\s\S]*?)<\/i>/g)].map(([, part = '']) => part.trim());
    assert.is(parts[index], expected, template);
  }
  await site.close();
});

test("a project's own helper gets values and named values; its result is escaped", async () => {
  const code = `app.helper('shout', (value, { times }) => String(value).toUpperCase() + '<'.repeat(times));`;
  const site = await boot({ template: 'none', files: page('{{shout "hey" times=2}}', code) });
  assert.match((await site.get('/page')).text, 'HEY&lt;&lt;');
  await site.close();
});

test('a helper with a name that no template can call is refused with its rule', async () => {
  const files = page('', `app.helper('no name', () => '');`);
  const refused = await boot({ template: 'none', files }).then(() => '', String);
  assert.match(refused, '"no name" is no name of a helper');
});

test.run();
