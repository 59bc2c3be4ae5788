// Also on PostgreSQL: the session is read together with the language of its account.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { type BootOptions, boot, type Site, until } from '../boot.ts';
import { Client, PASSWORD } from '../client.ts';

const test = suite('e2e/account-language');

const CONTROLLER = `export default function pages(app) {
  app.get('/greeting', async (request, response) => {
    response.setContent(app.package('/app/www').view('greeting', {}));
  });
  app.get('/fault', () => { throw new Error('broken'); });
  app.get('/mail', async (request, response) => {
    await app.mail({ to: ['ben@example.org', 'ada@example.org', 'nobody@example.org'], template: 'welcome' });
    response.setContent('sent');
  });
  app.job('remind', async () => {
    await app.mail({ to: 'ada@example.org', template: 'welcome' });
  });
}
`;
const PROFILE = {
  singular: 'Profile',
  plural: 'Profiles',
  name: 'profile',
  fields: [{ name: 'name', label: 'Name', type: 'text' }],
};
const files = {
  'config/schema/profile.json': PROFILE,
  'app/www/.treadle.ts': `import pages from './src/controller/pages';\nexport default [pages];\n`,
  'app/www/src/controller/pages.ts': CONTROLLER,
  'app/www/src/template/greeting.html': '<!doctype html><html lang="{{lang}}"><p>{{t "Log in"}}</p></html>',
  'app/www/src/template/mail/welcome.txt': 'Subject: {{t "Log in"}}\n\n{{t "Sign up"}}',
};
const start = (settings: object = {}, options: BootOptions = {}): Promise<Site> =>
  boot({ template: 'none', files, settings: { languages: ['en', 'de'], ...settings }, ...options });

const setLanguage = (site: Site, email: string, tag: string): Promise<unknown> =>
  site.emit('auth-update', { auth_slug: `${email}@example.org`, auth_language: tag });

const readLanguage = async (site: Site, email: string): Promise<unknown> =>
  (await site.emit('auth-detail', { auth_slug: `${email}@example.org` })).getResults('auth_language');

async function shownIn(client: Client, path = '/greeting', headers = {}): Promise<string | undefined> {
  const answer = await client.get(path, headers);
  const tag = /<html lang="([^"]*)"/.exec(answer.text)?.[1];
  assert.is(answer.headers['content-language'], tag, path);
  return tag;
}

const ORDER: readonly (readonly [string, string, string, Readonly<Record<string, string>>, string])[] = [
  ['the path before the account', 'de', '/en/greeting', {}, 'en'],
  ['the account before the cookie', 'de', '/greeting', { cookie: 'language=en' }, 'de'],
  ['the account before Accept-Language', 'de', '/greeting', { 'accept-language': 'en' }, 'de'],
  ['the default, chosen by the account', 'en', '/greeting', { 'accept-language': 'de' }, 'en'],
  ['no choice: the cookie', '', '/greeting', { cookie: 'language=de', 'accept-language': 'en' }, 'de'],
  ['no choice: Accept-Language', '', '/greeting', { 'accept-language': 'de' }, 'de'],
  ['no choice: the default', '', '/greeting', {}, 'en'],
  ['a language that is no longer offered: the cookie', 'fr', '/greeting', { cookie: 'language=de' }, 'de'],
  ['a language that is no longer offered: the default', 'fr', '/greeting', {}, 'en'],
];

test('the language of the account comes after the path and before cookie and Accept-Language', async () => {
  const site = await start({ languagePath: true });
  const ada = await site.as('Ada');
  const { kysely } = site.app.services.database;
  for (const [title, language, path, headers, expected] of ORDER) {
    await kysely.updateTable('treadle_auth').set({ auth_language: language }).execute();
    const cookie = [ada.cookie(), headers.cookie].filter(Boolean).join('; ');
    assert.is(await shownIn(ada, path, { ...headers, cookie }), expected, title);
  }
  await site.close();
});

test('a sign-up keeps the language of its page, which holds on other devices', async () => {
  const site = await start();
  const ada = new Client(site.url, { 'accept-language': 'de' });
  await ada.signUp('Ada', 'ada@example.org');
  assert.is(await readLanguage(site, 'ada'), 'de');
  const other = new Client(site.url, { 'accept-language': 'en' });
  assert.is(await shownIn(other), 'en');
  await other.post('/auth/login', { auth_slug: 'ada@example.org', auth_password: PASSWORD });
  assert.is(await shownIn(other), 'de');
  await site.emit('auth-create', { auth_slug: 'ben@example.org', auth_password: PASSWORD, profile_name: 'Ben' });
  assert.is(await readLanguage(site, 'ben'), '', 'an account that nobody signed up for has no choice');
  await site.close();
});

test('a choice on the account page or in the menu holds in sessions that are open already', async () => {
  const site = await start();
  const [here, there] = [await site.as('Ada'), await site.as('Ada')];
  const page = await here.get('/auth/account');
  assert.match(page.text, '<option value="de" lang="de">Deutsch</option>');
  const saved = await here.post('/auth/account', { action: 'language', auth_language: 'de' });
  assert.is(saved.location, '/auth/account');
  const changed = await here.get('/auth/account');
  assert.match(changed.text, 'Gespeichert.');
  assert.match(changed.text, '<option value="de" lang="de" selected>');
  assert.is(await shownIn(there), 'de');
  await there.post('/language', { language: 'en', redirect_uri: '/greeting' });
  assert.is(await readLanguage(site, 'ada'), 'en');
  assert.is(await shownIn(here), 'en');
  await here.post('/auth/account', { action: 'language', auth_language: '' });
  assert.is(await shownIn(here, '/greeting', { 'accept-language': 'de' }), 'de', 'as the browser asks');
  await here.post('/auth/logout', {});
  assert.is(await shownIn(here), 'en', 'a visitor');
  await site.close();
});

const REFUSED: readonly (readonly [string, string])[] = [
  ['not offered', 'fr'],
  ['in another form', 'DE'],
  ['no tag', '<b>'],
];

test('a language that the site does not offer is refused and named', async () => {
  const site = await start();
  const ada = await site.as('Ada');
  for (const [title, tag] of REFUSED) {
    const answer = await ada.post('/auth/account', { action: 'language', auth_language: tag });
    assert.is(answer.status, 422, title);
    assert.match(answer.text, 'Should be a language of the site: en, de', title);
    await ada.post('/language', { language: tag });
    const made = { auth_slug: 'x@example.org', auth_password: PASSWORD, profile_name: 'X', auth_language: tag };
    const response = await site.app.emit('auth-create', made);
    assert.equal(Object.keys(response.getValidation() as object), ['auth_language'], title);
  }
  assert.is(await readLanguage(site, 'ada'), '');
  await site.close();
});

test('errors are in the language of the account, too', async () => {
  const site = await start();
  const ada = await site.as('Ada');
  await setLanguage(site, 'ada', 'de');
  assert.match((await ada.get('/nowhere')).text, /<html lang="de"[\s\S]*Seite nicht gefunden/);
  assert.match((await ada.get('/fault')).text, /<html lang="de"[\s\S]*Fehler des Servers/);
  const json = (await ada.get('/fault', { accept: 'application/json' })).json();
  assert.is(json.title, 'Fehler des Servers');
  await site.close();
});

const WELCOME = { en: 'Sign up', de: 'Registrieren' };

test('a mail is in the language of the account that it goes to, whoever caused it', async () => {
  const site = await start({}, { mode: 'development' });
  const ben = await site.as('Ben');
  await site.as('Ada');
  await setLanguage(site, 'ada', 'de');
  await setLanguage(site, 'ben', 'en');
  const visitor = new Client(site.url, { 'accept-language': 'de' });
  await visitor.get('/mail');
  await ben.get('/mail');
  await site.emit('job-queue', { name: 'remind' });
  const mails = await until(async () => {
    const found = await site.mails();
    return found.length === 7 ? found : undefined;
  });
  const texts = mails.map(({ to, text }) => `${to.split('@')[0]}: ${text}`);
  const [ada, toBen] = [`ada: ${WELCOME.de}`, `ben: ${WELCOME.en}`];
  const nobody = (tag: 'en' | 'de'): string => `nobody: ${WELCOME[tag]}`;
  assert.equal(texts, [toBen, ada, nobody('de'), toBen, ada, nobody('en'), ada]);
  await site.close();
});

/** What a browser that asks for English does to the account of Ada, who chose German, and the subject of the mail. */
const LETTERS: readonly (readonly [string, (site: Site, ada: Client) => Promise<unknown>, RegExp, string])[] = [
  [
    'a lost password',
    (site) => site.browser().post('/auth/forgot', { auth_slug: 'ada@example.org' }),
    /^Neues Passwort[\s\S]*(?:Minuten|Stunde)/,
    '/de/auth/recover?token=',
  ],
  [
    'a sign-up with her address',
    (site) => site.browser().signUp('Eve', 'ada@example.org'),
    /sie hat schon ein Konto[\s\S]*(?:Minuten|Stunde)/,
    '/de/auth/recover?token=',
  ],
  [
    'another e-mail',
    (_, ada) => ada.post('/auth/account', { action: 'email', email: 'new@example.org', auth_current: PASSWORD }),
    /new@example\.org[\s\S]*(?:Minuten|Stunde)/,
    '/de/auth/verify?token=',
  ],
];

test('mails about an account are in its language, with links to pages in it', async () => {
  const site = await start({ languagePath: true, auth: { verify: true } }, { mode: 'development' });
  const ada = await site.as('Ada');
  await setLanguage(site, 'ada', 'de');
  for (const [index, [title, cause, expected, link]] of LETTERS.entries()) {
    await cause(site, ada);
    const mails = await until(async () => {
      const found = await site.mails();
      return found.length > index ? found : undefined;
    });
    const last = mails.at(-1);
    assert.match(`${last?.subject}\n${last?.text}`, expected, title);
    assert.match(last?.text ?? '', `${site.url}${link}`, title);
    assert.not.match(last?.text ?? '', /Hello|The link/, title);
  }
  await site.close();
});

test('with languagePath the menu of a logged-in person stores the choice and leads to that language', async () => {
  const site = await start({ languagePath: true });
  const ada = await site.as('Ada');
  assert.match((await site.get('/en/auth/login')).text, '<a href="/de/auth/login" hreflang="de" lang="de">');
  const page = await ada.get('/en/auth/account?a=1');
  assert.match(page.text, '<input type="hidden" name="redirect_uri" value="/auth/account?a&#x3D;1">');
  const chosen = await ada.post('/en/language', { language: 'de', redirect_uri: '/auth/account?a=1' });
  assert.is(chosen.location, '/de/auth/account?a=1');
  assert.is(await readLanguage(site, 'ada'), 'de');
  const again = await ada.post('/de/language', { language: 'en', redirect_uri: '/de/greeting' });
  assert.is(again.location, '/en/greeting');
  const saved = await ada.post('/en/auth/account', { action: 'language', auth_language: 'de' });
  assert.is(saved.location, '/de/auth/account');
  await site.close();
});

test('the admin section shows and sets the language of a person', async () => {
  const site = await start();
  const root = await site.as('Root', ['admin']);
  const ada = await site.as('Ada');
  const path = '/admin/user/detail/2';
  assert.match((await root.get(path)).text, '<option value="de" lang="de">Deutsch</option>');
  assert.is((await root.post('/admin/user/language/2', { auth_language: 'de' })).location, path);
  const page = await root.get(path);
  assert.match(page.text, 'The language of ada@example.org is changed.');
  assert.match(page.text, '<option value="de" lang="de" selected>');
  assert.is(await shownIn(ada), 'de');
  await root.post('/admin/user/language/2', { auth_language: 'fr' });
  assert.match((await root.get(path)).text, 'auth_language');
  assert.is((await ada.post('/admin/user/language/1', { auth_language: 'de' })).status, 403);
  assert.is(await readLanguage(site, 'root'), '');
  await site.close();
});

test('only code that runs as the system finds the languages of accounts', async () => {
  const site = await start();
  await site.as('Ada');
  await setLanguage(site, 'ada', 'de');
  const found = await site.emit('auth-language-search', { emails: [' ADA@example.org ', 'x@example.org', 1] });
  assert.equal(found.getResults('languages'), { 'ada@example.org': 'de' });
  const asked = await site.app.emit('auth-language-search', { emails: 'ada@example.org' as never });
  assert.equal(asked.getResults('languages'), {});
  await site.close();
});

test('a table of accounts from before gets the column', async () => {
  const site = await start();
  await site.as('Ada');
  const { kysely } = site.app.services.database;
  await kysely.schema.alterTable('treadle_auth').dropColumn('auth_language').execute();
  await site.app.close();
  const app = await createApp({ mode: 'test', env: {}, log: silentLog, root: site.root });
  const account = await app.emit('auth-update', { auth_slug: 'ada@example.org', auth_language: 'de' });
  assert.is(account.getResults('auth_language'), 'de');
  await app.close();
  await site.project.remove();
});

test('a site with one language asks for none and stores none', async () => {
  const site = await start({ languages: ['de'] });
  const ada = site.browser();
  await ada.signUp('Ada', 'ada@example.org');
  assert.is(await readLanguage(site, 'ada'), '');
  assert.not.match((await ada.get('/auth/account')).text, 'auth_language');
  await site.close();
});

test.run();
