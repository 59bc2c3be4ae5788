import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Answer, Client } from '../client.ts';
import type { Project } from '../project.ts';
import { toPath, toToken } from './_mail.ts';

const PASSWORD = 'a long enough word';
const NEW = 'another long enough word';

const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
const lastMail = async () => {
  return (await site().mails()).at(-1);
};
const logIn = (browser: Client, email: string, password = PASSWORD): Promise<Answer> =>
  browser.post('/auth/login', { auth_slug: email, auth_password: password });

/** Gives the profile a required field of its own. */
function requireCity(project: Project): void {
  const validation = [{ method: 'required', message: 'City is required' }];
  const city = { name: 'city', label: 'City', type: 'text', validation };
  project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => void fields.splice(1, 0, city));
}

const account = suite('the account');
account.before(async () => {
  at.site = await boot({ mode: 'development', change: requireCity });
});
account.after(() => site().close());

account("a sign-up asks for the profile's own required fields, with errors next to them", async () => {
  const browser = site().browser();
  assert.match((await browser.get('/auth/signup')).text, /<label class="t-label" for="t-profile_city">City</);
  const typed = { profile_name: 'Ann', auth_slug: 'ann@example.org', auth_password: PASSWORD, confirm: PASSWORD };
  const refused = await browser.post('/auth/signup', { ...typed, profile_city: '' });
  assert.is(refused.status, 422);
  assert.match(refused.text, /id="t-profile_city-error">City is required</);
  const done = await browser.post('/auth/signup', { ...typed, profile_city: 'Paris', profile_active: '0' });
  assert.is(done.status, 303);
  const detail = await site().app.emit('auth-detail', { auth_slug: 'ann@example.org' });
  assert.equal([detail.getResults('profile_city'), detail.getResults('profile_active')], ['Paris', 1]);
});

account('lists the sessions with browser and address, and ends one of them', async () => {
  const [here, there] = [site().browser(), site().browser()];
  await logIn(here, 'ann@example.org');
  await logIn(there, 'ann@example.org');
  const page = await here.get('/auth/sessions');
  assert.match(page.text, /Unknown browser|Chrome|Firefox/);
  assert.match(page.text, '127.0.0.1');
  assert.match(page.text, 'This browser');
  const before = (await site().app.emit('auth-session-search', { auth_slug: 'ann@example.org' })).getResults('total');
  const ids = [...page.text.matchAll(/name="session" value="([0-9a-f]{16})"/g)].map(([, id = '']) => id);
  assert.is(ids.length, before);
  // Another account's session is not found by its id.
  const eve = site().browser();
  await eve.signUp('Eve', 'eve@example.org', { profile_city: 'Bonn' });
  assert.is((await there.get('/auth/account')).status, 200);
  const own = page.text.split('<form').filter((form) => form.includes('This browser'))[0] ?? '';
  for (const id of ids)
    if (!own.includes(id)) assert.is((await here.post('/auth/sessions', { session: id })).status, 303);
  assert.is((await there.get('/auth/account')).status, 303);
  assert.is((await here.get('/auth/account')).status, 200);
  const all = await here.post('/auth/sessions', { action: 'all' });
  assert.equal([all.status, all.location], [303, '/auth/login']);
  assert.is((await here.get('/auth/account')).status, 303);
});

account('a session of somebody else is not ended by its id', async () => {
  const [ann, ben] = [site().browser(), site().browser()];
  await logIn(ann, 'ann@example.org');
  await site().cli('user', 'list');
  const rows = (await site().app.emit('auth-session-search', { auth_slug: 'ann@example.org' })).getResults('rows');
  const [{ session }] = rows as [{ session: string }];
  await site().app.emit('auth-create', {
    auth_slug: 'ben@example.org',
    auth_password: PASSWORD,
    profile_name: 'Ben',
    profile_city: 'Rome',
  });
  await logIn(ben, 'ben@example.org');
  await ben.post('/auth/sessions', { session });
  assert.is((await ann.get('/auth/account')).status, 200);
});

account('changes the e-mail by a link to the new address, with a word to the old one', async () => {
  const browser = site().browser();
  await site().emit('auth-verify', { auth_slug: 'ann@example.org' });
  await logIn(browser, 'ann@example.org');
  const ask = (email: string, word: string) =>
    browser.post('/auth/account', { action: 'email', email, auth_current: word });
  const wrong = await ask('ann@new.example', 'not the word');
  assert.is(wrong.status, 422);
  assert.match(wrong.text, /id="t-email-current-error">That is not your current password</);
  // Taken and free addresses answer alike; the taken one gets no mail.
  const taken = await ask('ben@example.org', PASSWORD);
  assert.is((await site().mails()).length, 0);
  const free = await ask('Ann@New.example', PASSWORD);
  assert.equal([taken.status, taken.location], [free.status, free.location]);
  const mail = await lastMail();
  assert.is(mail?.to, 'ann@new.example');
  const path = toPath(mail);
  assert.match((await browser.get(path)).text, 'new e-mail');
  const other = site().browser();
  await logIn(other, 'ann@example.org');
  const token = toToken(path);
  assert.is((await browser.post('/auth/verify', { token, auth_password: 'wrong word' })).status, 422);
  assert.is((await browser.post('/auth/verify', { token, auth_password: PASSWORD })).status, 303);
  const word = await lastMail();
  assert.equal([word?.to, word?.subject], ['ann@example.org', 'Your e-mail at Blog was changed']);
  assert.is((await other.get('/auth/account')).status, 303, 'other sessions end');
  assert.is((await logIn(site().browser(), 'ann@example.org')).status, 401);
  assert.is((await logIn(site().browser(), 'ann@new.example')).status, 303);
});

account('the commands show, invite, give roles to and end the sessions of a user', async () => {
  const shown = await site().cli('user', 'show', 'ben@example.org');
  assert.is(shown.data.profile_city, 'Rome');
  assert.equal((await site().cli('user', 'role', 'add', 'ben@example.org', 'admin')).data.roles, 'admin');
  assert.equal((await site().cli('user', 'role', 'remove', 'ben@example.org', 'admin')).data.roles, '');
  const unknown = await site()
    .cli('user', 'role', 'add', 'ben@example.org', 'nobody')
    .catch((error: Error) => error.message);
  assert.match(String(unknown), 'Should be the slug of a role');
  const sessions = await site().cli('user', 'sessions', 'ben@example.org');
  assert.is((sessions.data as unknown as unknown[]).length, 1);
  await site().cli('user', 'sessions', 'ben@example.org', '--end-all');
  const none = (await site().app.emit('auth-session-search', { auth_slug: 'ben@example.org' })).getResults('total');
  assert.is(none, 0);
});

account('an invited user chooses a password by the mailed link', async () => {
  const response = await site().app.emit('auth-invite', {
    auth_slug: 'kim@example.org',
    profile_name: 'Kim',
    profile_city: 'Oslo',
  });
  assert.is(response.isError(), false, String(response));
  const mail = await lastMail();
  assert.equal([mail?.to, mail?.subject], ['kim@example.org', 'Your account at Blog']);
  const token = toToken(toPath(mail));
  const browser = site().browser();
  assert.is((await browser.post('/auth/recover', { token, auth_password: NEW, confirm: NEW })).status, 303);
  assert.is((await logIn(browser, 'kim@example.org', NEW)).status, 303);
});

account('events for the command line are closed to pages', async () => {
  const { context } = site().app;
  const { Request } = await import('../../src/core/request/request.ts');
  const { Response } = await import('../../src/core/request/response.ts');
  const { createAccess, runAs } = await import('../../src/core/access.ts');
  for (const [event, stage] of [
    ['auth-role', { auth_slug: 'ben@example.org', add: 'admin' }],
    ['auth-invite', { auth_slug: 'x@example.org', profile_name: 'X' }],
  ] as const) {
    const request = new Request().setStage(stage);
    const response = new Response(request);
    await runAs(createAccess({ kind: 'page' }), () => context.emit(event, request, response));
    assert.is(response.getStatus(), 403, event);
  }
});

const leave = suite('leaving');
/** What somebody else writes about a comment. */
const REPLY = {
  name: 'reply',
  singular: 'Reply',
  plural: 'Replies',
  fields: [{ name: 'detail', label: 'Reply', type: 'text' }],
  relations: [{ schema: 'comment', kind: '1:1' }],
};

leave.before(async () => {
  at.site = await boot({ mode: 'development', files: { 'config/schema/reply.json': REPLY } });
  await site().cli('api', 'populate');
  await site().app.reload();
});
leave.after(() => site().close());

/** Somebody who wrote a comment, has an app and gave another app access. */
async function makeOwner(email: string): Promise<{ browser: Client; profileId: number; authId: number }> {
  const browser = site().browser();
  await browser.signUp('Ann', email);
  const detail = await site().app.emit('auth-detail', { auth_slug: email });
  const [profileId, authId] = [Number(detail.getResults('profile_id')), Number(detail.getResults('auth_id'))];
  await site().app.emit('system-model-create', { schema: 'comment', comment_detail: 'Mine', profile_id: profileId });
  return { browser, profileId, authId };
}

const rowsOf = (table: string) => site().app.services.database.kysely.selectFrom(table).selectAll().execute();

leave('a user downloads what is stored, and nothing of others or secret', async () => {
  const { browser } = await makeOwner('ann@example.org');
  await makeOwner('ben@example.org');
  assert.is((await site().browser().get('/auth/data')).status, 303);
  const file = await browser.get('/auth/data');
  assert.match(file.headers['content-disposition'] ?? '', /^attachment; filename="my-data\.json"$/);
  assert.match(file.headers['content-type'] ?? '', 'application/json');
  const data = JSON.parse(file.text);
  assert.equal(
    [data.account.auth_slug, data.account.profile_name, data.sessions.length],
    ['ann@example.org', 'Ann', 1],
  );
  assert.equal(
    data.rows.comment.map((row: { comment_detail: string }) => row.comment_detail),
    ['Mine'],
  );
  assert.not.match(file.text, /\$scrypt|ben@example/);
});

leave('a user removes the account with what it owns, which the page names before', async () => {
  const { browser, profileId, authId } = await makeOwner('cid@example.org');
  await site().app.emit('app-create', {
    owner: authId,
    title: 'My reader',
    redirect_uris: ['https://reader.example/callback'],
    scopes: [],
  });
  const page = await browser.get('/auth/remove');
  assert.match(page.text, '1 Comment');
  assert.match(page.text, 'your app My reader');
  const wrong = await browser.post('/auth/remove', { auth_current: 'not the word' });
  assert.is(wrong.status, 422);
  assert.is((await rowsOf('comment')).length, 3);
  const done = await browser.post('/auth/remove', { auth_current: PASSWORD });
  assert.is(done.status, 303, done.text);
  for (const table of ['comment', 'profile', 'treadle_auth', 'treadle_grant', 'treadle_session']) {
    const left = (await rowsOf(table)).filter((row) => row.profile_id === profileId || row.auth_id === authId);
    assert.equal(left, [], table);
  }
  assert.is((await rowsOf('comment')).length, 2, 'the comments of others stay');
  const [app] = (await rowsOf('treadle_app')).filter(({ title }) => title === 'My reader');
  assert.equal([Number(app?.active), app?.owner_auth_id], [0, null]);
  assert.is((await logIn(site().browser(), 'cid@example.org')).status, 401);
  assert.is((await browser.get('/auth/account')).status, 303);
});

leave('a row that others refer to keeps the account and everything that it owns', async () => {
  const { browser, profileId, authId } = await makeOwner('dee@example.org');
  for (const detail of ['Second', 'Third'])
    await site().emit('system-model-create', { schema: 'comment', comment_detail: detail, profile_id: profileId });
  const of = async () => (await rowsOf('comment')).filter((row) => row.profile_id === profileId);
  const last = (await of()).at(-1);
  await site().emit('system-model-create', { schema: 'reply', reply_detail: 'No', comment_id: last?.comment_id });
  const before = JSON.stringify(await of());
  const refused = await browser.post('/auth/remove', { auth_current: PASSWORD });
  assert.is(refused.status, 409);
  assert.match(refused.text, 'The account cannot be removed yet: ');
  assert.is(JSON.stringify(await of()), before, 'no comment was removed');
  assert.ok((await rowsOf('treadle_auth')).some((row) => row.auth_id === authId));
  await site().emit('system-model-remove', { schema: 'reply', reply_id: 1 });
  assert.is((await browser.post('/auth/remove', { auth_current: PASSWORD })).status, 303);
  assert.equal(await of(), []);
});

const setup = suite('the first administrator');
setup.before(async () => {
  at.site = await boot({ mode: 'development' });
});
setup.after(() => site().close());

setup('signs up by a link that works once, and only while no administrator exists', async () => {
  const link = String((await site().app.emit('auth-setup-link')).getResults('link'));
  assert.match(link, `${site().url}/auth/setup?token=`);
  const token = new URL(link).searchParams.get('token') ?? '';
  const browser = site().browser();
  assert.match((await browser.get(link)).text, 'Create the administrator');
  const typed = {
    token,
    profile_name: 'Root',
    auth_slug: 'root@example.org',
    auth_password: PASSWORD,
    confirm: PASSWORD,
  };
  assert.is((await browser.post('/auth/setup', { ...typed, confirm: 'other' })).status, 422);
  const tries = await Promise.all([
    site().browser().post('/auth/setup', typed),
    site()
      .browser()
      .post('/auth/setup', { ...typed, auth_slug: 'second@example.org' }),
  ]);
  assert.equal(tries.map(({ status }) => status).sort(), [303, 410]);
  assert.is(tries.find(({ status }) => status === 303)?.headers.location, '/admin');
  const { data } = await site().cli('user', 'list');
  const types = (data as unknown as { auth_type: string }[]).map(({ auth_type: type }) => type);
  assert.equal(types, ['admin']);
  assert.is((await site().app.emit('auth-setup-link')).getResults('link'), undefined);
  assert.is((await browser.get('/auth/setup?token=tk_ml_x')).status, 410);
});

setup('an open form of the sign-up gives no role', async () => {
  await site().browser().post('/auth/signup', {
    profile_name: 'Eve',
    auth_slug: 'eve@example.org',
    auth_password: PASSWORD,
    confirm: PASSWORD,
    auth_type: 'admin',
    token: 'x',
  });
  assert.is((await site().app.emit('auth-detail', { auth_slug: 'eve@example.org' })).getResults('auth_type'), '');
});

account.run();
setup.run();
leave.run();
