import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

const test = suite('e2e/error-page');

const FILES: Readonly<Record<string, string>> = {
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  app.get('/thrown', () => { throw new Error('the password is 1234'); });
  app.get('/busy', (request, response) => response.setError(true, 'Slow down, <please>.').setStatus(429).addHeader('retry-after', '7'));
  app.get('/late', (request, response) => response.setError(true, 'the password is 1234').setStatus(503));
  app.get('/gone', (request, response) => response.setError(true, 'Sold.').setStatus(410));
  app.get('/wrong', (request, response) => response.setError(true, 'No.').setStatus(418));
  app.on('www-render-page', (request, response) => {
    response.setContent('<!doctype html><html><title>' + response.getPage('title') + '</title><body>LAYOUT ' + response.getContent() + '</body></html>');
  });
}
`,
  'app/www/src/template/404.html': '<p>OWN404 {{status}} {{path}} {{title}}</p>',
  'app/www/src/template/500.html': '<p>OWN500 {{message}} {{id}}</p>',
  'app/www/src/template/410.html': '<!doctype html><html lang="{{lang}}"><p>OWN410 whole {{message}}</html>',
  'app/www/src/template/418.html': '<p>{{asset "/" status}}</p>',
  'app/www/src/template/error.html': '<p>OWNERROR {{status}} {{message}}</p>',
  'config/role/editor.json': JSON.stringify({
    slug: 'editor',
    name: 'Editor',
    permissions: [{ method: 'all', path: '/inside/**' }],
  }),
};

const HTML = { accept: 'text/html,*/*' };
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;

test.before(async () => {
  at.site = await boot({ template: 'bare', files: FILES });
});
test.after(() => site().close());

const CASES: readonly (readonly [string, number, string])[] = [
  ['/nowhere/<b>', 404, 'LAYOUT <p>OWN404 404 /nowhere/'],
  ['/thrown', 500, 'LAYOUT <p>OWN500 The server failed. The error has been logged.'],
  ['/busy', 429, 'LAYOUT <p>OWNERROR 429 Slow down, &lt;please&gt;.</p>'],
  ['/late', 503, 'LAYOUT <p>OWNERROR 503 The service is busy.'],
  ['/gone', 410, '<p>OWN410 whole Sold.'],
];

for (const [path, status, expected] of CASES) {
  test(`${path} shows the project's own page for ${status}`, async () => {
    const { status: told, text, headers } = await site().get(path, HTML);
    assert.is(told, status);
    assert.match(text, expected);
    assert.not.match(text, 'password');
    assert.match(headers['cache-control'] ?? '', 'no-store');
    if (status === 410) assert.not.match(text, 'LAYOUT');
    if (status === 429) assert.is(headers['retry-after'], '7');
  });
}

test('who may not open a path gets the own page with 403', async () => {
  const person = await site().as('ann@example.org');
  const answer = await person.get('/inside/x');
  assert.is(answer.status, 403);
  assert.match(answer.text, 'LAYOUT <p>OWNERROR 403');
});

test('a program gets no page', async () => {
  for (const path of ['/thrown', '/nowhere']) {
    const answer = await site().get(path, { accept: 'application/json' });
    assert.match(answer.headers['content-type'] ?? '', /json/, path);
    assert.not.match(answer.text, /OWN[0-9E]/, path);
  }
  assert.not.match((await site().get('/rest/public/none', HTML)).text, /OWN[0-9E]/);
});

test("an own page that fails is replaced by Treadle's, in the layout of the site", async () => {
  const { status, text } = await site().get('/wrong', HTML);
  assert.is(status, 418);
  assert.match(text, /LAYOUT <section[\s\S]*No\./);
  assert.ok(site().log.some((line) => line.includes("the project's error page failed")));
});

test('in development the own pages are shown too, except that a fault shows its trace', async () => {
  const dev = await boot({ template: 'bare', files: FILES, mode: 'development' });
  assert.match((await dev.get('/nowhere', HTML)).text, 'OWN404');
  assert.match((await dev.get('/busy', HTML)).text, 'OWNERROR 429');
  assert.match((await dev.get('/thrown', HTML)).text, 'the password is 1234');
  await dev.close();
});

test.run();
