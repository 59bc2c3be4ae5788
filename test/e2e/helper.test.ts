import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('e2e/helper');

const page = (template: string, code = ''): Readonly<Record<string, string>> => ({
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  ${code}
  app.get('/page', (request, response) => {
    response.setContent(app.package('/app/www').view('page', { rating: 3, list: [1], text: '*a* <script>', time: '2026-01-02' }));
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
  ['{{sortcaret "a"}}{{sortcaret "b"}}', '/page?sort=-a', '↓'],
  ['{{redirecturl "/auth/login"}}', '/page?q=1&r=%3C', '/auth/login?redirect_uri&#x3D;%2Fpage%3Fq%3D1%26r%3D%253C'],
  ['{{request "path"}} {{request "method"}} {{request "query" "q"}}', '/page?q=<b>', '/page GET &lt;b&gt;'],
  ['{{settings "home"}} {{settings "auth.signup"}}', '/page', '/ true'],
  ['{{json list 2}}', '/page', '[\n  1\n]'],
  ['{{short 1234567}} {{add rating 1 "2"}} {{concat "a" rating}} {{default none "" "x"}}', '/page', '1.2M 6 a3 x'],
  [
    '{{#eq rating "3"}}y{{else}}n{{/eq}}{{#if (ne rating 3)}}n{{/if}}{{#lt rating 4}}y{{/lt}}{{#gte rating 3}}y{{/gte}}{{#if (gt rating 3)}}n{{/if}}{{#lte rating 3}}y{{/lte}}',
    '/page',
    'yyyy',
  ],
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

const NOTES = {
  'config/schema/note.json': JSON.stringify({
    name: 'note',
    singular: 'Note',
    plural: 'Notes',
    fields: [{ name: 'title', label: 'Title', type: 'text', sortable: true }],
  }),
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  app.get('/notes', async (request, response) => {
    request.setStage('schema', 'note');
    await app.emit('system-model-search', request, response);
    response.setContent(app.package('/app/www').view('notes', {}));
  });
  app.get('/paged', async (request, response) => {
    const page = Number(request.getStage('page') ?? 1);
    request.setStage('schema', 'note').setStage('limit', 2).setStage('offset', (page - 1) * 2);
    await app.emit('system-model-search', request, response);
    response.setContent(app.package('/app/www').view('paged', {}));
  });
}
`,
  'app/www/src/template/notes.html': '<!doctype html><html>{{pager}}</html>',
  'app/www/src/template/paged.html': '<!doctype html><html>{{pager by="page" nextLabel="Older"}}</html>',
};

test('the pager links to the other pages of a search and keeps the other parameters', async () => {
  const site = await boot({ template: 'none', files: NOTES });
  const links = async (path: string): Promise<string[]> => {
    const { text } = await site.get(path);
    return [...text.matchAll(/<a ([^>]*)href="([^"]*)"([^>]*)>/g)].map(([, before = '', href = '', after = '']) => {
      const rel = /rel="(\w+)"/.exec(before)?.[1] ?? (after.includes('aria-current="page"') ? 'here' : 'page');
      return `${rel} ${href.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=')}`;
    });
  };
  assert.equal(await links('/notes'), [], 'one page needs no links');
  for (let index = 0; index < 9; index += 1)
    await site.emit('system-model-create', { schema: 'note', note_title: 'n' });
  assert.equal(await links('/notes?limit=2&offset=4&sort=note_title&x=%3C'), [
    'prev /notes?limit=2&sort=note_title&x=%3C&offset=2',
    'page /notes?limit=2&sort=note_title&x=%3C',
    'page /notes?limit=2&sort=note_title&x=%3C&offset=2',
    'here /notes?limit=2&sort=note_title&x=%3C&offset=4',
    'page /notes?limit=2&sort=note_title&x=%3C&offset=6',
    'page /notes?limit=2&sort=note_title&x=%3C&offset=8',
    'next /notes?limit=2&sort=note_title&x=%3C&offset=6',
  ]);
  assert.equal(await links('/paged?page=5'), [
    'prev /paged?page=4',
    'page /paged',
    'page /paged?page=4',
    'here /paged?page=5',
  ]);
  const [first = ''] = (await links('/notes?limit=4&total=0')).map((link) => link.replace('next ', ''));
  assert.match(first, /^\/notes\?limit=4&total=0&after=/);
  const [previous = '', next = ''] = await links(first);
  assert.match(previous, /^prev \/notes\?limit=4&total=0&before=/);
  assert.match(next, /^next \/notes\?limit=4&total=0&after=/);
  const { text } = await site.get('/paged');
  assert.match(text, /<nav class="t-pager" aria-label="Pages">[\s\S]*aria-label="Page 2">2<\/a>[\s\S]*>Older<\/a>/);
  await site.close();
});

test('a setting that may hold a secret is refused, by check and where it is shown', async () => {
  const refused = await boot({ template: 'none', files: page('{{settings "database.url"}}') }).then(() => '', String);
  assert.match(refused, '"database.url" is not a public setting.');
  const site = await boot({ template: 'none', files: page('{{settings (concat "database." "url")}}') });
  assert.is((await site.get('/page')).status, 500);
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
  assert.match(refused, '"no name" is not a name of a helper');
});

test.run();
