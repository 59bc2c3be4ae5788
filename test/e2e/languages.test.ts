import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BootOptions, boot, type Site } from '../boot.ts';
import { Project } from '../project.ts';

const test = suite('e2e/languages');

const CONTROLLER = `export default function greeting(app) {
  app.get('/greeting', async (request, response) => {
    response.setContent(app.package('/app/www').view('greeting', { count: 1200, time: '2026-03-04 05:06:07' }));
  });
  app.get('/mail', async (request, response) => {
    await app.mail({ to: 'ada@example.org', subject: 'x', template: 'welcome', language: 'de' });
    response.setContent('sent');
  });
}
`;
const TEMPLATE = `<!doctype html><html lang="{{lang}}"><p>{{t "Welcome, {name}" name="Ada"}}</p><p>{{t "{count, plural, one {# row} other {# rows}}" count=count}}</p><p>{{date time}}|{{number 1234.5 1}}|{{date time "short"}}</p><a href="/greeting?a=1">x</a><link href="/styles/app.css"><form action="/greeting"></form></html>`;
const GERMAN = {
  'Welcome, {name}': 'Willkommen, {name}',
  '{count, plural, one {# row} other {# rows}}': '{count, plural, one {# Zeile} other {# Zeilen}}',
};
const files = {
  'app/www/.treadle.ts': `import greeting from './src/controller/greeting';\nexport default [greeting];\n`,
  'app/www/src/controller/greeting.ts': CONTROLLER,
  'app/www/src/template/greeting.html': TEMPLATE,
  'app/www/src/template/mail/welcome.txt': '{{t "Welcome, {name}" name="Ada"}}',
  'config/locale/de.json': GERMAN,
};
const start = (settings: object, options: BootOptions = {}): Promise<Site> =>
  boot({ template: 'none', files, settings, ...options });

const WELCOME = { en: 'Welcome, Ada', de: 'Willkommen, Ada' };

const CHOICES: readonly (readonly [string, Readonly<Record<string, string>>, keyof typeof WELCOME])[] = [
  ['nothing said', {}, 'en'],
  ['the range of a region', { 'accept-language': 'de-AT' }, 'de'],
  ['the higher quality', { 'accept-language': 'en;q=0.3, de;q=0.8' }, 'de'],
  ['quality 0 is none', { 'accept-language': 'de;q=0, en;q=0.1' }, 'en'],
  ['a language that is not offered', { 'accept-language': 'fr, ja;q=0.9' }, 'en'],
  ['the second choice', { 'accept-language': 'fr, de;q=0.5' }, 'de'],
  ['any', { 'accept-language': '*' }, 'en'],
  ['a broken quality', { 'accept-language': 'de;q=x, en' }, 'en'],
  ['the cookie before the header', { cookie: 'language=de', 'accept-language': 'en' }, 'de'],
  ['a cookie of no offered language', { cookie: 'language=fr', 'accept-language': 'de' }, 'de'],
];

test('the language is chosen by cookie and Accept-Language, and said in the answer', async () => {
  const site = await start({ languages: ['en', 'de'] });
  for (const [title, headers, tag] of CHOICES) {
    const answer = await site.get('/greeting', headers);
    assert.match(answer.text, `<html lang="${tag}"><p>${WELCOME[tag]}`, title);
    assert.is(answer.headers['content-language'], tag, title);
    assert.match(answer.headers.vary ?? '', /Accept-Language.*Cookie/, title);
  }
  assert.is((await site.get('/de/greeting')).status, 404);
  await site.close();
});

test('plural forms, numbers and dates follow the language', async () => {
  const site = await start({ languages: ['en', 'de'] });
  const english = await site.get('/greeting');
  assert.match(english.text, '<p>1,200 rows</p><p>March 04, 2026|1,234.5|3/4/26</p>');
  const german = await site.get('/greeting', { 'accept-language': 'de' });
  assert.match(german.text, '<p>1.200 Zeilen</p><p>4. März 2026|1.234,5|04.03.26</p>');
  await site.close();
});

test('a mail is in the language that its code names', async () => {
  const site = await start({ languages: ['en', 'de'] }, { mode: 'development' });
  await site.get('/mail', { 'accept-language': 'en' });
  const [mail] = await site.mails();
  assert.is(mail?.text, 'Willkommen, Ada');
  await site.close();
});

test('with languagePath, each language has its paths; links, redirects and headers stay in it', async () => {
  const site = await start({ languages: ['en', 'de'], languagePath: true, home: '/greeting' });
  const german = await site.get('/de/greeting', { cookie: 'language=en', 'accept-language': 'en' });
  assert.match(german.text, 'Willkommen, Ada');
  assert.match(german.text, '<a href="/de/greeting?a=1">');
  assert.match(german.text, '<form action="/de/greeting">');
  assert.match(german.text, '<link href="/styles/app.css">');
  assert.not.match(german.headers.vary ?? '', /Cookie/);
  assert.match(String(german.headers.link), `<${site.url}/en/greeting>; rel="alternate"; hreflang="en"`);
  assert.match(String(german.headers.link), `<${site.url}/greeting>; rel="alternate"; hreflang="x-default"`);
  const menu = await site.browser().post('/de/language', { language: 'de', redirect_uri: '/greeting' });
  assert.is(menu.location, '/de/greeting');
  assert.is((await site.get('/de/rest/public/profile/search')).status, 404);
  assert.is((await site.get('/greeting', { 'accept-language': 'de' })).headers['content-language'], 'de');
  await site.close();
});

test('the language menu keeps the choice in a cookie and goes back', async () => {
  const site = await start({ languages: ['en', 'de'] });
  const visitor = site.browser();
  const login = await visitor.get('/auth/login');
  assert.match(login.text, '<button name="language" value="de" lang="de">Deutsch</button>');
  const chosen = await visitor.post('/language', { language: 'de', redirect_uri: '/greeting' });
  assert.is(chosen.headers.location, '/greeting');
  assert.match((await visitor.get('/greeting')).text, 'Willkommen');
  const away = await visitor.post('/language', { language: 'de', redirect_uri: '//example.org' });
  assert.is(away.headers.location, '/');
  await visitor.post('/language', { language: 'fr' });
  assert.match((await visitor.get('/greeting')).text, 'Willkommen');
  await site.close();
});

/** Frames of pages: visitors of each choose the language there. */
const FRAMES = [
  '/auth/login',
  '/developer/docs',
  '/developer/docs/calls',
  '/developer/docs/calls/public-article-search',
  '/nowhere',
];

test('the pages of every frame have the language menu, which comes back to the page', async () => {
  const site = await boot({ change: (project) => project.cli('api', 'populate') });
  for (const path of [...FRAMES, '/developer/app/search', '/admin']) {
    const reader = path.startsWith('/admin') || path.includes('app') ? await site.as('Ada', ['admin']) : site.browser();
    const page = await reader.get(path);
    const menu = /<nav class="t-languages"[\s\S]*?<\/nav>/.exec(page.text)?.[0] ?? '';
    assert.match(menu, `<input type="hidden" name="redirect_uri" value="${path}">`, path);
    assert.match(menu, '<button name="language" value="de" lang="de">Deutsch</button>', path);
  }
  const visitor = site.browser();
  await visitor.post('/language', { language: 'de', redirect_uri: '/developer/docs' });
  assert.match((await visitor.get('/developer/docs')).text, '<html lang="de">');
  await site.close();
});

test('a site in one language chooses nothing', async () => {
  const english = await start({});
  const answer = await english.get('/greeting', { 'accept-language': 'de', cookie: 'language=de' });
  assert.match(answer.text, 'Welcome');
  assert.is(answer.headers['content-language'], undefined);
  assert.not.match(answer.headers.vary ?? '', /Language|Cookie/);
  await english.close();
  const german = await start({ languages: ['de'] });
  assert.match((await german.get('/greeting', { 'accept-language': 'en' })).text, 'Willkommen');
  assert.not.match((await german.get('/auth/login')).text, 't-languages');
  await german.close();
});

const CHECKS: readonly (readonly [string, string, RegExp])[] = [
  [
    'de.json',
    '{ "Wellcome, {name}": "Hallo" }',
    /Nothing shows the text "Wellcome, \{name\}"\.[\s\S]*Did you mean "Welcome, \{name\}"\?/,
  ],
  ['de.json', '{ "Welcome, {name}": "Hallo {nam}" }', /the place \{nam\}/],
  ['de.json', '{ "Welcome, {name}": 1 }', /must be a text/],
  ['de.json', '{ "A": "{count, plural, one {#" }', /not an ICU message/],
  ['de.json', '[]', /must be an object/],
  ['DE.json', '{}', /Name it de\.json/],
];

test('check names what is wrong in a locale file', async () => {
  for (const [name, text, expected] of CHECKS) {
    const project = new Project('none');
    for (const [file, value] of Object.entries(files)) if (file !== 'config/locale/de.json') project.write(file, value);
    project.set({ languages: ['en', 'de'] });
    project.write(`config/locale/${name}`, text);
    const said = await project.cli('check').then(({ out, err }) => out + err, String);
    assert.match(said.replaceAll('\\"', '"'), expected, text);
    await project.remove();
  }
});

test.run();
