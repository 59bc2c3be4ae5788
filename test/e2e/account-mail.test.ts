// Also on PostgreSQL: mails are rows that a worker takes.
import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Answer, Client } from '../client.ts';
import { toPath, toToken } from './_mail.ts';

const PASSWORD = 'a long enough word';
const NEW = 'another long enough word';

const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
const last = async () => {
  return (await site().mails()).at(-1);
};
/** The last mail with a link to this page. Mails are prepared several at a time: the last one may belong to an earlier request. */
const lastWith = async (path: string) => {
  return (await site().mails()).filter(({ text = '' }) => text.includes(`${path}?token=`)).at(-1);
};
const count = async (): Promise<number> => {
  return (await site().mails()).length;
};
const logIn = (browser: Client, email: string, password: string): Promise<Answer> =>
  browser.post('/auth/login', { auth_slug: email, auth_password: password });
/** A page without what differs for each visitor. */
const toStable = (page: Answer, email: string): string =>
  page.text
    .replaceAll(email, '<e-mail>')
    .replace(/name="csrf" value="[^"]*"/g, '')
    .replace(/data-version="[^"]*"/g, '');

const lost = suite('a lost password');
lost.before(async () => {
  at.site = await boot({ mode: 'development' });
  await site().browser().signUp('Ann', 'ann@example.org');
});
lost.after(() => site().close());

lost('is replaced by a mailed link that works once, ends every session and confirms the e-mail', async () => {
  const old = site().browser();
  assert.is((await logIn(old, 'ann@example.org', PASSWORD)).status, 303);
  const browser = site().browser();
  assert.match((await browser.get('/auth/login')).text, 'href="/auth/forgot"');
  assert.is((await browser.post('/auth/forgot', { auth_slug: ' Ann@Example.org ' })).status, 200);
  const mail = await last();
  assert.equal([mail?.to, mail?.subject], ['ann@example.org', 'New password for Blog']);
  assert.match(mail?.text ?? '', 'Hello,', 'no name before the e-mail is confirmed');
  const path = toPath(mail);
  const form = await browser.get(path);
  assert.match(form.text, /autocomplete="new-password"/);
  assert.is(form.headers['cache-control'], 'no-store');
  const token = toToken(path);
  const bad = await browser.post('/auth/recover', { token, auth_password: 'short', confirm: 'other' });
  assert.is(bad.status, 422);
  assert.match(bad.text, 'at least 8 characters');
  const done = await browser.post('/auth/recover', { token, auth_password: NEW, confirm: NEW });
  assert.equal([done.status, done.location], [303, '/auth/login']);
  assert.is((await old.get('/auth/account')).status, 303, 'the old session');
  assert.is((await logIn(site().browser(), 'ann@example.org', PASSWORD)).status, 401);
  assert.is((await logIn(browser, 'ann@example.org', NEW)).status, 303);
  const again = await browser.post('/auth/recover', { token, auth_password: PASSWORD, confirm: PASSWORD });
  assert.is(again.status, 410);
  const { data } = await site().cli('user', 'list');
  assert.is((data as unknown as { auth_verified: number }[])[0]?.auth_verified, 1);
});

lost('two requests with one link: one wins', async () => {
  await site().browser().post('/auth/forgot', { auth_slug: 'ann@example.org' });
  const token = toToken(toPath(await last()));
  const tries = await Promise.all(
    [PASSWORD, NEW].map((word) =>
      site().browser().post('/auth/recover', { token, auth_password: word, confirm: word }),
    ),
  );
  assert.equal(tries.map(({ status }) => status).sort(), [303, 410]);
});

lost('the answer is the same for an unknown address, which gets no mail', async () => {
  const before = await count();
  const known = await site().browser().post('/auth/forgot', { auth_slug: 'ann@example.org' });
  const unknown = await site().browser().post('/auth/forgot', { auth_slug: 'eve@example.org' });
  assert.equal([known.status, unknown.status], [200, 200]);
  assert.is(toStable(known, 'ann@example.org'), toStable(unknown, 'eve@example.org'));
  assert.is(await count(), before + 1);
});

lost('a link of another purpose, an old one and a made-up one do nothing', async () => {
  await site().app.emit('auth-verify-mail', { auth_slug: 'ann@example.org' });
  await site().browser().signUp('Ben', 'ben@example.org');
  await site().app.emit('auth-verify-mail', { auth_slug: 'ben@example.org' });
  const verify = toToken(toPath(await lastWith('/auth/verify')));
  for (const token of [verify, 'tk_ml_made-up', '', 'x'.repeat(5000)]) {
    const answer = await site().browser().post('/auth/recover', { token, auth_password: NEW, confirm: NEW });
    assert.is(answer.status, 410, token.slice(0, 20));
  }
  await site().browser().post('/auth/forgot', { auth_slug: 'ben@example.org' });
  const path = toPath(await last());
  await site().app.services.database.kysely.updateTable('treadle_auth_token').set({ expires_at: 1 }).execute();
  assert.is((await site().browser().get(path)).status, 410);
});

/** Posts a form with headers that `fetch` does not let a program choose. */
const postRaw = (path: string, form: Record<string, string>, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(site().url + path, { method: 'POST', headers: { ...type, ...headers } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(new URLSearchParams(form).toString());
  });

lost('the link has the address of the server, for any Host and X-Forwarded-Host', async () => {
  const host = `localhost:${new URL(site().url).port}`;
  const headers = { host, 'x-forwarded-host': 'evil.example', 'sec-fetch-site': 'same-origin' };
  const before = await count();
  assert.is(await postRaw('/auth/forgot', { auth_slug: 'ben@example.org' }, headers), 200);
  assert.is(await count(), before + 1);
  const mail = await last();
  assert.match(mail?.text ?? '', `${site().url}/auth/recover?token=`);
  assert.not.match(`${mail?.text}${mail?.html}`, /evil|localhost/);
});

lost('a disabled account gets no link', async () => {
  await site().browser().signUp('Dan', 'dan@example.org');
  await site().app.emit('auth-remove', { auth_slug: 'dan@example.org' });
  const before = await count();
  await site().browser().post('/auth/forgot', { auth_slug: 'dan@example.org' });
  assert.is(await count(), before);
});

lost(
  'mails to one address are limited, and the answer stays the same; a network that asks on is told to wait',
  async () => {
    const before = await count();
    for (let index = 0; index < 7; index += 1) {
      const response = await site().app.emit('auth-forgot', { auth_slug: 'limit@example.org' });
      assert.is(response.getStatus(), 200);
    }
    assert.ok((await count()) - before <= 5);
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1)
      statuses.push(
        (
          await site()
            .browser()
            .post('/auth/forgot', { auth_slug: `n${index}@example.org` })
        ).status,
      );
    assert.is(statuses.at(-1), 429);
  },
);

lost('a token is stored as a hash, and no table holds an address or a link in clear', async () => {
  const { kysely } = site().app.services.database;
  const tables = await Promise.all(
    ['treadle_auth_token', 'treadle_mail', 'treadle_job'].map((table) =>
      kysely.selectFrom(table).selectAll().execute(),
    ),
  );
  assert.not.match(JSON.stringify(tables), /tk_ml_|example\.org/);
});

const verify = suite('`auth.verify`');
verify.before(async () => {
  at.site = await boot({ mode: 'development' });
  await site().browser().signUp('Old', 'old@example.org');
  site().project.set({ auth: { verify: true, signup: true } });
  await site().app.reload();
});
verify.after(() => site().close());

verify('accounts made before it was switched on log in', async () => {
  assert.is((await logIn(site().browser(), 'old@example.org', PASSWORD)).status, 303);
});

verify('a new account logs in once the mailed link and the password confirmed it', async () => {
  const browser = site().browser();
  const page = await browser.signUp('Ann', 'ann@example.org');
  assert.equal([page.status, page.location], [200, '']);
  assert.match(page.text, /Look at your mail[\s\S]*ann@example\.org/);
  const refused = await logIn(browser, 'ann@example.org', PASSWORD);
  assert.is(refused.status, 401);
  const path = toPath(await last());
  assert.match(path, /^\/auth\/verify\?token=/);
  const token = toToken(path);
  assert.match((await browser.get(path)).text, 'autocomplete="current-password"');
  assert.is((await browser.post('/auth/verify', { token, auth_password: 'not the word' })).status, 422);
  const done = await browser.post('/auth/verify', { token, auth_password: PASSWORD });
  assert.is(done.status, 303);
  assert.is((await browser.get('/auth/account')).status, 200);
  assert.is((await site().browser().get(path)).status, 410);
  assert.is((await logIn(site().browser(), 'ann@example.org', PASSWORD)).status, 303);
});

verify('a sign-up with a taken address answers alike, changes nothing and tells the owner by mail', async () => {
  const free = await site().browser().signUp('Cid', 'cid@example.org');
  const before = await count();
  const taken = await site().browser().signUp('Eve', 'old@example.org');
  assert.is(taken.status, free.status);
  assert.is(toStable(taken, 'old@example.org'), toStable(free, 'cid@example.org'));
  const mails = (await site().mails()).slice(before);
  assert.equal(
    mails.map(({ to, subject }) => [to, subject]),
    [['old@example.org', 'You have an account at Blog']],
  );
  assert.is((await logIn(site().browser(), 'old@example.org', PASSWORD)).status, 303);
  const { kysely } = site().app.services.database;
  assert.equal(await kysely.selectFrom('profile').selectAll().where('profile_name', '=', 'Eve').execute(), []);
  // What a form refuses, it refuses for both.
  for (const email of ['new@example.org', 'old@example.org']) {
    const page = await site().browser().post('/auth/signup', {
      profile_name: '',
      auth_slug: email,
      auth_password: PASSWORD,
      confirm: PASSWORD,
    });
    assert.is(page.status, 422, email);
    assert.not.match(page.text, 'Already');
  }
});

verify(
  'the login says the same of a wrong password, an unknown address and an account that is not confirmed',
  async () => {
    const pages = [
      await logIn(site().browser(), 'cid@example.org', PASSWORD),
      await logIn(site().browser(), 'old@example.org', 'not the password'),
      await logIn(site().browser(), 'nobody@example.org', PASSWORD),
    ];
    assert.equal(
      pages.map(({ status }) => status),
      [401, 401, 401],
    );
    const [first, ...others] = pages.map((page, index) =>
      toStable(page, ['cid@example.org', 'old@example.org', 'nobody@example.org'][index] ?? ''),
    );
    for (const other of others) assert.is(other, first);
  },
);

verify(
  'who signed up with the address of somebody else never gets in: the owner sets a password of their own',
  async () => {
    const thief = site().browser();
    await thief.signUp('Thief', 'victim@example.org');
    const owner = site().browser();
    await owner.post('/auth/forgot', { auth_slug: 'victim@example.org' });
    const token = toToken(toPath(await lastWith('/auth/recover')));
    assert.is((await owner.post('/auth/recover', { token, auth_password: NEW, confirm: NEW })).status, 303);
    assert.is((await logIn(owner, 'victim@example.org', NEW)).status, 303);
    assert.is((await logIn(thief, 'victim@example.org', PASSWORD)).status, 401);
  },
);

verify('the mail is sent again on request, not to who is confirmed or unknown', async () => {
  await site().browser().signUp('Dee', 'dee@example.org');
  const before = await count();
  const pages: string[] = [];
  for (const email of ['dee@example.org', 'old@example.org', 'nobody@example.org'])
    pages.push(toStable(await site().browser().post('/auth/verify', { auth_slug: email }), email));
  assert.equal(new Set(pages).size, 1);
  assert.is(
    (await site().mails()).slice(before).some(({ to }) => to === 'nobody@example.org'),
    false,
  );
  const token = toToken(toPath((await site().mails()).filter(({ to }) => to === 'dee@example.org').at(-1)));
  assert.is((await site().browser().post('/auth/verify', { token, auth_password: PASSWORD })).status, 303);
});

verify('switched off again, nobody is asked', async () => {
  site().project.set({ auth: { verify: false, signup: true } });
  await site().app.reload();
  assert.is((await logIn(site().browser(), 'cid@example.org', PASSWORD)).status, 303);
});

lost.run();
verify.run();
