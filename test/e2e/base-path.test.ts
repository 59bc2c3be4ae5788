// A site under https://example.org/blog, whether the proxy leaves the path on or takes it off. The whole net under a path:
// `node test/record/run.mjs --under /blog`.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { areOwnResources } from '../../src/feature/oauth/client/resource.ts';
import { addArticle, boot, type Site } from '../boot.ts';
import { type Answer, PASSWORD } from '../client.ts';

const BASE = 'https://example.org/blog';
const test = suite<{ site: Site }>('under a path');
/** Larger than what is kept in memory, so that it is sent from the disk. */
const LARGE = 'x'.repeat(3_000_000);

const CODE = `export default function page(app) {
  app.get('/echo', (request, response) => {
    const facts = [request.getPath('string'), request.getServer('REQUEST_URI'), request.getQuery()];
    response.addHeader('content-type', 'text/plain').setContent(facts.join(' '));
  });
  app.get('/go', (request, response) => response.setRedirect(request.getGet('to')));
  app.get('/headers', (request, response) => response
    .addHeader('link', '</a>; rel="next", <https://e.org/b>; rel="x", <//e.org/c>; rel="y"')
    .addHeader('content-location', '/c')
    .addHeader('refresh', '5;url=/r')
    .addHeader('set-cookie', ['a=/x; Path=/', 'b=1; path=/staff; Secure', 'c=1', '__Host-d=1; Path=/; Secure'])
    .setContent('<!doctype html><a href="/in">x</a><pre>&lt;a href="/text"&gt;</pre>'));
  app.get('/staff/room', (request, response) => response.setContent('<!doctype html>secret'));
}
`;
const FILES = {
  'app/www/.treadle.ts':
    "import page from './src/controller/page';\nimport own from './src/controller/static';\nimport template from './src/bootstrap/template';\nimport events from './src/events';\nexport default [template, page, own, events];\n",
  'app/www/src/controller/page.ts': CODE,
  'config/role/staff.json': { slug: 'staff', name: 'Staff', permissions: [{ method: 'all', path: '/staff/**' }] },
  'public/plain.html': '<a href="/left">as it is</a>',
  'public/large.txt': LARGE,
  'public/staff/file.txt': 'secret',
};

test.before(async (at) => {
  at.site = await boot({
    template: 'bare',
    files: FILES,
    settings: { api: true, admin: { write: true }, languages: ['en', 'de'], languagePath: true },
    env: { TREADLE_BASE_URL: `${BASE}/` },
  });
});
test.after(({ site }) => site.close());

/** What a request answers: the status, and what must be in its header or its text. */
type Row = readonly [
  path: string,
  status: number,
  where: 'location' | 'link' | 'text' | 'cookie',
  expected: string | RegExp,
];
const ROWS: readonly Row[] = [
  ['/', 200, 'text', /<link rel="stylesheet" href="\/blog\/styles\/treadle\.css\?v/],
  ['', 200, 'text', 'href="/blog/auth/signup"'],
  ['?q=1', 200, 'text', 'href="/blog/auth/signup"'],
  ['/de', 200, 'text', 'href="/blog/de/auth/login'],
  ['/de', 200, 'link', '<https://example.org/blog/de/>; rel="alternate"; hreflang="de"'],
  ['/echo?a=/x', 200, 'text', '/echo /echo?a=/x a=/x'],
  ['/de/echo', 200, 'text', '/echo /echo '],
  ['/blogger', 404, 'text', 'href="/blog/'],
  ['/go?to=/there?a=/b', 303, 'location', '/blog/there?a=/b'],
  ['/go?to=/', 303, 'location', '/blog/'],
  ['/go?to=/blog/there', 303, 'location', '/blog/there'],
  ['/go?to=//evil.example/x', 303, 'location', '//evil.example/x'],
  ['/go?to=https://other.example/x', 303, 'location', 'https://other.example/x'],
  ['/de/go?to=/there', 303, 'location', '/blog/de/there'],
  ['/de/go?to=/blog/there', 303, 'location', '/blog/de/there'],
  ['/headers', 200, 'link', '</blog/a>; rel="next", <https://e.org/b>; rel="x", <//e.org/c>; rel="y"'],
  ['/headers', 200, 'cookie', 'a=/x; Path=/blog|b=1; path=/blog/staff; Secure|c=1|__Host-d=1; Path=/; Secure'],
  ['/headers', 200, 'text', '<a href="/blog/in">x</a><pre>&lt;a href="/text"&gt;</pre>'],
  ['/staff/room', 303, 'location', '/blog/auth/login?redirect_uri=%2Fstaff%2Froom'],
  ['/staff/file.txt', 303, 'location', '/blog/auth/login?redirect_uri=%2Fstaff%2Ffile.txt'],
  ['/de/staff/room', 303, 'location', '/blog/de/auth/login?redirect_uri=%2Fstaff%2Froom'],
  ['/%62log/staff/room', 404, 'text', 'href="/blog/'],
  ['//staff/room', 303, 'location', '/blog/auth/login?redirect_uri='],
  ['/admin', 303, 'location', '/blog/auth/login?redirect_uri=%2Fadmin'],
  ['/plain.html', 200, 'text', '<a href="/left">as it is</a>'],
  ['/plain', 200, 'text', '<a href="/left">as it is</a>'],
  ['/large.txt', 200, 'text', LARGE],
  ['/de/large.txt', 200, 'text', LARGE],
  ['/scripts/admin.js', 200, 'text', '../admin/go.json'],
  ['/health/live', 200, 'text', 'up'],
  ['/auth/login', 200, 'text', ' action="/blog/auth/login"'],
  ['/auth/login?redirect_uri=/developer/app/search', 200, 'text', 'value="/developer/app/search"'],
  ['/developer/docs', 200, 'text', 'data-index="/blog/developer/docs/search.js'],
  ['/developer/docs/search.js', 200, 'text', '"href":"/blog/developer/docs/guide/'],
  ['/developer/docs/openapi.json', 200, 'text', /"url": "https:\/\/example\.org\/blog"/],
  ['/rest/none', 404, 'text', '"instance":"/blog/rest/none"'],
  ['/.well-known/oauth-authorization-server', 200, 'text', '"issuer": "https://example.org/blog"'],
  [
    '/.well-known/oauth-authorization-server/blog',
    200,
    'text',
    '"token_endpoint": "https://example.org/blog/oauth/token"',
  ],
  ['/.well-known/oauth-authorization-server/other', 404, 'text', ''],
  ['/.well-known/oauth-protected-resource', 200, 'text', '"resource": "https://example.org/blog"'],
  ['/.well-known/oauth-protected-resource/blog', 200, 'text', '"authorization_servers"'],
];

const read = (answer: Answer, where: Row[2]): string => {
  if (where === 'text') return answer.text;
  if (where === 'location') return answer.location;
  const found = where === 'link' ? answer.headers.link : answer.headers['set-cookie'];
  return [found ?? []].flat().join('|');
};

for (const [what, prefix] of [
  ['left on', '/blog'],
  ['taken off', ''],
] as const)
  test(`links, redirects and headers have the path, and routes, guards and files don't: ${what}`, async ({ site }) => {
    for (const [path, status, where, expected] of ROWS) {
      const asked = `${prefix}${path}`;
      // The form of a URL without a path is asked for with a slash.
      const answer = await site.get(asked.startsWith('/') ? asked : `/${asked}`);
      const found = read(answer, where);
      const hint = `${asked}: ${answer.status} ${found.slice(0, 400)}`;
      assert.is(answer.status, status, hint);
      assert.ok(typeof expected === 'string' ? found.includes(expected) : expected.test(found), `${expected}: ${hint}`);
    }
  });

test('cookies have the path, and a name that fits it', async ({ site }) => {
  const ada = site.browser();
  const answer = await ada.post('/blog/auth/signup', {
    profile_name: 'Ada',
    auth_slug: 'ada@example.org',
    auth_password: PASSWORD,
    confirm: PASSWORD,
  });
  assert.is(answer.status, 303);
  assert.is(answer.location, '/blog/');
  const cookies = answer.headers['set-cookie'] ?? [];
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) {
    assert.match(cookie, /; Path=\/blog(?:\/auth)?;/);
    assert.not.match(cookie, /__Host-/);
  }
  assert.ok(cookies.some((cookie) => cookie.startsWith('__Secure-sid=')));
  // Both ways of a proxy find it.
  assert.is((await ada.get('/auth/account')).status, 200);
  assert.is((await ada.get('/blog/auth/account')).status, 200);
  const chosen = await ada.post('/blog/language', { language: 'de', redirect_uri: '/echo' });
  assert.match(String(chosen.headers['set-cookie']), /^language=de; Path=\/blog;/);
  assert.is(chosen.location, '/blog/de/echo');
});

test('a form of another site is refused, and one of the own host is not', async ({ site }) => {
  const login = (origin: string) =>
    site.send('POST', '/blog/auth/login', { headers: { origin }, form: { auth_slug: 'a@b.c', auth_password: 'x' } });
  assert.is((await login('https://evil.example')).status, 403);
  assert.is.not((await login('https://example.org')).status, 403);
});

test('a token may be asked for the site and its API only', () => {
  for (const path of ['', '/', '/rest', '/rest/x']) assert.ok(areOwnResources(BASE, [BASE + path]), path);
  const others = ['https://example.org', 'https://example.org/rest', `${BASE}ger`, `${BASE}/admin`, `${BASE}rest`];
  for (const other of others) assert.not(areOwnResources(BASE, [other]), other);
});

test('a path that a route begins with is refused', async () => {
  const start = (baseUrl: string, settings: object = {}) =>
    boot({ template: 'blog', settings: { ...settings, server: { baseUrl } } }).then(
      (site) => site.close().then(() => 'started'),
      (error: { problems?: readonly { code: string }[] }) => error.problems?.map(({ code }) => code).join(),
    );
  assert.is(await start('https://example.org/admin'), 'BASE_PATH_TAKEN');
  assert.is(await start('https://example.org/article'), 'BASE_PATH_TAKEN');
  assert.is(await start('https://example.org/de', { languages: ['en', 'de'], languagePath: true }), 'BASE_PATH_TAKEN');
  assert.is(await start('https://example.org/de'), 'started');
});

test('the addresses of a row stay as they are stored, and its page has the path', async () => {
  const site = await boot({ settings: { server: { baseUrl: BASE } } });
  const id = await addArticle(site, 'A "/title"', '<p><a href="/articles">all</a> <img src="/upload/x.png"></p>');
  const page = await site.get(`/article/${id}`);
  assert.match(page.text, 'href="/blog/articles"');
  assert.match(page.text, '<img src="/blog/upload/x.png"');
  const [row] = await site.rows('article');
  assert.match(String(row?.article_detail), 'href="/articles"');
  const feed = await site.get('/blog/feed.xml');
  assert.match(feed.text, `<link href="${BASE}/article/${id}"/>`);
  await site.close();
});

test.run();
