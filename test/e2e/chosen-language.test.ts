// Also on PostgreSQL: answers are kept until a table changes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { type Answer, Client } from '../client.ts';

/** No answer that is kept for one reader reaches a reader of another language. */
const test = suite('e2e/chosen-language');

const PAGES = `export default function kept(app) {
  app.get('/kept', (request, response) => {
    globalThis.keptPages = (globalThis.keptPages ?? 0) + 1;
    response.setContent(app.package('/app/www').view('kept', {})).setCache('article');
  });
  app.post('/kept', (request, response) => response.setContent('<!doctype html><p>posted</p>'));
  app.get('/private', (request, response) => {
    response.setContent('<!doctype html><p>x</p>').addHeader('cache-control', 'no-store');
  });
  app.get('/stream', async (request, response) => {
    const { Readable } = await import('node:stream');
    response.addHeader('content-type', 'text/html; charset=utf-8').setStream({ stream: Readable.from(['<p>x</p>']) });
  });
}`;

const start = (settings: object): Promise<Site> =>
  boot({
    settings: { languages: ['en', 'de'], ...settings },
    change: (project) => {
      project.write('app/www/src/controller/kept.ts', PAGES);
      project.write(
        'app/www/src/template/kept.html',
        '<!doctype html><html lang="{{lang}}"><p>{{t "Log in"}}</p></html>',
      );
      const added = project
        .read('app/www/.treadle.ts')
        .replace('export default [', 'export default [kept, ')
        .replace(/^/, "import kept from './src/controller/kept';\n");
      project.write('app/www/.treadle.ts', added);
    },
  });

const TEXT: Readonly<Record<string, RegExp>> = {
  en: /<html lang="en"><p>Log in</,
  de: /<html lang="de"><p>Anmelden</,
};
const german = { 'accept-language': 'de' };
const countMade = (): number => (globalThis as { keptPages?: number }).keptPages ?? 0;

/** Readers who ask one after the other, four times around: what is kept for one of them is there for the next. */
const READERS: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
  ['no wish', '/kept', {}, 'en'],
  ['Accept-Language', '/kept', german, 'de'],
  ['a cookie', '/kept', { cookie: 'language=de' }, 'de'],
  ['a cookie against Accept-Language', '/kept', { cookie: 'language=en', ...german }, 'en'],
  ['the path', '/de/kept', {}, 'de'],
  ['the path against Accept-Language', '/en/kept', german, 'en'],
];

test('a kept page is in the language of each reader', async () => {
  const site = await start({ languagePath: true });
  const ada = await site.as('Ada');
  await site.emit('auth-update', { auth_slug: 'ada@example.org', auth_language: 'de' });
  const before = countMade();
  for (let round = 0; round < 4; round += 1) {
    for (const [title, path, headers, tag] of READERS) {
      const answer = await site.get(path, headers);
      assert.match(answer.text, TEXT[tag] as RegExp, `${title}, round ${round}`);
      assert.is(answer.headers['content-language'], tag, title);
    }
    assert.match((await ada.get('/kept')).text, TEXT.de as RegExp, 'her account');
  }
  // Pages of the three readers with a cookie are never kept; each of the other four is made twice: the first time only notes it.
  assert.is(countMade() - before, 3 * 4 + 4 * 2);
  await site.close();
});

test("a reader with another language's ETag gets the page, not 304", async () => {
  const site = await start({});
  const etags: Record<string, string> = {};
  for (const tag of ['en', 'de', 'en', 'de', 'en', 'de'])
    etags[tag] = String((await site.get('/kept', { 'accept-language': tag })).headers.etag);
  assert.is.not(etags.en, etags.de);
  for (const [tag, other] of [
    ['en', 'de'],
    ['de', 'en'],
  ] as const) {
    const changed = await site.get('/kept', { 'accept-language': tag, 'if-none-match': String(etags[other]) });
    assert.is(changed.status, 200, tag);
    assert.match(changed.text, TEXT[tag] as RegExp);
    const same = await site.get('/kept', { 'accept-language': tag, 'if-none-match': String(etags[tag]) });
    assert.is(same.status, 304, tag);
    assert.match(String(same.headers.vary), /Accept-Language.*Cookie/, 'a 304 says what a cache must compare');
  }
  await site.close();
});

test('a kept answer of the API, and its errors, are of the language that the call asks for', async () => {
  const site = await start({});
  await addArticle(site);
  const search = '/rest/public/article/search';
  for (let round = 0; round < 3; round += 1) {
    for (const [tag, message] of [
      ['en', 'Article 999 does not exist.'],
      ['de', '999 existiert nicht.'],
    ] as const) {
      const headers = { 'accept-language': tag, cookie: 'language=en' };
      const found = await site.get(search, headers);
      assert.is(found.json().results.total, 1);
      assert.match(String(found.headers.vary), 'Accept-Language');
      assert.not.match(String(found.headers.vary), 'Cookie');
      const missing = await site.get('/rest/public/article/detail/999', headers);
      assert.match(missing.json().detail, message, tag);
    }
  }
  await site.close();
});

test('errors of the API are in German, too, with a challenge in ASCII', async () => {
  const site = await start({});
  await site.project.cli('api', 'populate');
  await site.app.reload();
  const answer = await site.get('/rest/user/profile/detail', german);
  assert.is(answer.status, 401);
  assert.match(answer.json().detail, 'Dieser Aufruf braucht ein Zugriffstoken');
  assert.match(String(answer.headers['www-authenticate']), /^[\x20-\x7e]+$/);
  assert.match((await site.get('/rest/user/profile/detail')).json().detail, 'This call needs an access token');
  await site.close();
});

const own = (answer: Answer, name: string): string => String(answer.headers[name] ?? '');

/** Path, whether it lists the page in all languages, and what a cache must compare. */
const HEADERS: readonly (readonly [string, boolean, RegExp, string])[] = [
  ['/kept', true, /Accept-Language.*Cookie/, 'en'],
  ['/de/kept', true, /^(?!.*(?:Accept-Language|Cookie))/, 'de'],
  ['/de/articles?limit=1&sort=-article_id', true, /^(?!.*(?:Accept-Language|Cookie))/, 'de'],
  ['/nowhere', false, /Accept-Language.*Cookie/, 'en'],
  ['/de/private', false, /^(?!.*(?:Accept-Language|Cookie))/, 'de'],
  ['/stream', true, /Accept-Language.*Cookie/, 'en'],
  ['/rest/public/article/search', false, /^(?!.*Cookie).*Accept-Language/, ''],
  ['/styles/treadle.css', false, /^(?!.*(?:Accept-Language|Cookie))/, ''],
  ['/health/live', false, /^(?!.*(?:Accept-Language|Cookie))/, ''],
];

test('only a page that was found lists its languages, with its query; all answers say what they depend on', async () => {
  const site = await start({ languagePath: true });
  for (const [path, isListed, vary, tag] of HEADERS) {
    const answer = await site.get(path);
    assert.match(own(answer, 'vary'), vary, path);
    assert.is(own(answer, 'content-language'), tag, path);
    const bare = path.replace(/^\/de(?=\/)/, '');
    const links = [
      ['/en', 'en'],
      ['/de', 'de'],
      ['', 'x-default'],
    ].map(([prefix, language]) => `<${site.url}${prefix}${bare}>; rel="alternate"; hreflang="${language}"`);
    assert.is(own(answer, 'link').includes('hreflang'), isListed, path);
    if (isListed) assert.is(own(answer, 'link'), links.join(', '), path);
  }
  const posted = await new Client(site.url).post('/kept', {});
  assert.is(own(posted, 'link'), '', 'a post');
  assert.match(own(await site.send('HEAD', '/kept'), 'link'), 'hreflang="de"');
  const odd = await site.send('GET', '/kept?q=a>b"c');
  assert.match(own(odd, 'link'), `<${site.url}/de/kept?q=a%3Eb%22c>; rel`);
  const ada = await site.as('Ada');
  assert.is(own(await ada.get('/kept'), 'link'), '', 'who is logged in is not a search engine');
  await site.close();
});

test.run();
