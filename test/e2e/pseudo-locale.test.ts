// Every text of the pages, mails and messages in the pseudo-language is in brackets: what is not is not text that could be translated.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';
import { type Client, PASSWORD } from '../client.ts';

const test = suite('e2e/pseudo-locale');

/** Data and names, which are the same in every language. */
const DATA = [
  'Site',
  'Ada',
  'A title',
  'Reader',
  'ada@example.org',
  'bob@example.org',
  'UTC',
  'curl',
  'Treadle',
  'Text',
  'blog',
  'Blog',
  '127.0.0.1',
];

/** Elements whose text is code or data. */
const CODE = /<(script|style|pre|code|svg|textarea|time)\b[^>]*>[\s\S]*?<\/\1>/g;
/** Elements inside a sentence. */
const INLINE = /<\/?(?:a|strong|em|bdi|b)\b[^>]*>/g;
const TAG = /<[^>]*>/g;
const READ = /\b(?:aria-label|placeholder|alt|title)="([^"]*)"/g;

/** What is outside of the brackets, which may be nested. */
function toBare(text: string): string {
  let [bare, last] = [text, ''];
  while (bare !== last) {
    last = bare;
    bare = bare.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  const words = bare.replace(/https?:\/\/\S+|\b[\w.+-]+@[\w.-]+/g, ' ');
  return DATA.reduce((rest, name) => rest.replaceAll(name, ' '), words).replace(/&[a-z]+;|&#\w+;/g, ' ');
}

/** Words that people read, without brackets. */
function findPlain(html: string): string[] {
  const body = html.replace(/<!--[\s\S]*?-->/g, '').replace(CODE, ' ');
  const title = /<title>([^<]*)<\/title>/.exec(body)?.[1] ?? '';
  const inner = body.replace(/<head>[\s\S]*?<\/head>/, '');
  const attributes = [...inner.matchAll(READ)].map(([, value = '']) => value);
  const pieces = [title, ...inner.replace(INLINE, '').split(TAG), ...attributes];
  return pieces.map((piece) => toBare(piece).trim()).filter((piece) => /[A-Za-z]{3,}/.test(piece));
}

const start = (more: object = {}): Promise<Site> =>
  boot({ settings: { name: 'Site', languages: ['en-XA'], api: true, ...more }, mode: 'development' });

async function look(client: Client, paths: readonly string[], found: string[]): Promise<void> {
  for (const path of paths) {
    const { text, status } = await client.get(path);
    assert.ok(status < 500, `${path}: ${status}`);
    for (const piece of findPlain(text)) found.push(`${path}: ${piece}`);
  }
}

const VISITOR = [
  '/',
  '/articles',
  '/articles?q=nothing-there',
  '/article/1',
  '/article/999',
  '/nowhere',
  '/auth/login',
  '/auth/signup',
  '/auth/forgot',
  '/auth/verify',
  '/auth/recover?token=x',
  '/dialog/request',
];
const MEMBER = [
  '/auth/account',
  '/auth/sessions',
  '/auth/second-factor',
  '/auth/second-factor/totp',
  '/auth/passkey',
  '/auth/remove',
  '/auth/logout',
  '/auth/apps',
  '/auth/confirm',
  '/article/1',
];

test('no plain English is left on the pages of a site', async () => {
  const site = await start();
  const found: string[] = [];
  await addArticle(site);
  const visitor = site.browser();
  await look(visitor, VISITOR, found);
  await look(await site.as('Ada'), MEMBER, found);
  assert.equal(found, []);
  await site.close();
});

const FORMS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['/auth/login', { auth_slug: 'ada@example.org', auth_password: 'wrong' }],
  ['/auth/login', { auth_slug: '', auth_password: '' }],
  ['/auth/signup', { auth_slug: 'x', auth_password: 'short', confirm: 'other', profile_name: '' }],
  ['/auth/signup', { auth_slug: 'ada@example.org', auth_password: PASSWORD, confirm: PASSWORD, profile_name: 'Ada' }],
  ['/auth/forgot', { auth_slug: '' }],
  ['/auth/forgot', { auth_slug: 'ada@example.org' }],
  ['/auth/recover?token=x', { auth_password: 'short', confirm: '' }],
  ['/article/1', { comment_detail: 'x' }],
];

test('messages and mails are translated', async () => {
  const site = await start();
  const found: string[] = [];
  await addArticle(site);
  await site.as('Ada');
  for (const [path, form] of FORMS) {
    const { text } = await site.browser().post(path, form);
    for (const piece of findPlain(text)) found.push(`POST ${path}: ${piece}`);
  }
  const member = await site.as('Ada');
  for (const [path, form] of [
    ['/article/1', { comment_detail: '' }],
    ['/auth/account', { action: 'password', current_password: 'wrong', auth_password: 'short', confirm: 'x' }],
  ] as const) {
    const { text } = await member.post(path, form);
    for (const piece of findPlain(text)) found.push(`POST ${path}: ${piece}`);
  }
  const mails = await site.mails();
  assert.ok(mails.length > 0, 'mails');
  for (const { subject, text = '', html = '' } of mails)
    for (const piece of findPlain(`${subject}<br>${text.replace(/\n/g, '<br>')}<br>${html}`))
      found.push(`mail: ${piece}`);
  assert.equal(found, []);
  await site.close();
});

test('problem details of the API are translated', async () => {
  const site = await start();
  for (const path of ['/rest/public/article/detail/999', '/rest/nowhere']) {
    const { detail, title } = (await site.get(path)).json();
    assert.match(detail, /^⟦.*⟧$/, path);
    assert.match(title, /^⟦.*⟧$/, path);
  }
  await site.close();
});

test.run();
