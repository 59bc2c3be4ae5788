import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, PASSWORD } from '../../client.ts';
import { addTotp, createUser, type FactorSite, isIn, logIn, startFactors, step, toCode } from './_second-factor.ts';

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;
const subjects = async (): Promise<string[]> =>
  (await world().site.mails()).map(({ to, subject }) => `${to}: ${subject}`);

const factor = suite('second factor');
factor.before(async () => {
  at.world = await startFactors();
});
factor.after(() => world().site.close());

factor('adds an authenticator app by QR code or key, with ten recovery codes shown once', async () => {
  const browser = world().site.browser();
  await browser.signUp('Ann', 'ann@example.org');
  const form = await browser.get('/auth/second-factor/totp');
  assert.match(form.text, /<svg class="t-qr"[^>]*role="img"/);
  assert.not.match(form.text, /style="/);
  assert.match(form.text, 'autocomplete="one-time-code"');
  const { codes, page } = await addTotp(world(), browser);
  assert.is(page.status, 200);
  assert.is(codes.length, 10);
  assert.is(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[a-km-np-z2-9]{5}(?:-[a-km-np-z2-9]{5}){2}$/);
  const overview = await browser.get('/auth/second-factor');
  assert.match(overview.text, '10 of 10 codes are left');
  assert.not.match(overview.text, codes[0] ?? '');
  const stored = JSON.stringify(
    await world().site.app.services.database.kysely.selectFrom('treadle_auth_recovery').selectAll().execute(),
  );
  assert.not.match(stored, codes[0] ?? '');
  const file = await browser.post('/auth/second-factor/recovery/file', { codes: codes.join('\n') });
  assert.match(String(file.headers['content-disposition']), 'attachment');
  assert.match(file.text, codes[9] ?? '');
  const forged = await browser.post('/auth/second-factor/recovery/file', { codes: 'call 555-1234' });
  assert.is(forged.status, 303);
  assert.ok((await subjects()).some((text) => text.startsWith('ann@example.org: A second factor was added')));
});

factor('refuses a wrong code at the set-up, and keeps the key of the page', async () => {
  const browser = world().site.browser();
  await browser.signUp('Wes', 'wes@example.org');
  const form = await browser.get('/auth/second-factor/totp');
  const offer = /name="offer" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
  const answer = await browser.post('/auth/second-factor/totp', { offer, auth_code: '000000' });
  assert.is(answer.status, 422);
  assert.match(answer.text, /id="t-auth_code-error">That is not the current code/);
  const seed = /id="t-seed">([^<]*)</.exec(form.text)?.[1];
  assert.is(/id="t-seed">([^<]*)</.exec(answer.text)?.[1], seed);
  const other = world().site.browser();
  await other.signUp('Wim', 'wim@example.org');
  const stolen = await other.post('/auth/second-factor/totp', {
    offer,
    auth_code: toCode(String(seed).replaceAll(' ', ''), world().now()),
  });
  assert.is(stolen.status, 422, 'an offer belongs to its account');
});

factor('asks for the second step after the password, under a new session id each time', async () => {
  const { email, seed } = await createUser(world(), 'bob');
  const browser = world().site.browser();
  const half = await logIn(browser, email);
  assert.equal([half.status, half.location], [303, '/auth/second-factor']);
  const first = browser.cookie();
  assert.is(await isIn(browser), false);
  const page = await browser.get('/auth/second-factor');
  assert.match(page.text, 'Second step');
  const wrong = await step(browser, '000000');
  assert.is(wrong.status, 422);
  assert.match(wrong.text, /id="t-auth_code-error">That is not the current code/);
  const done = await step(browser, toCode(seed, world().now()));
  assert.equal([done.status, done.location], [303, '/articles']);
  assert.is.not(/sid=([^;]*)/.exec(browser.cookie())?.[1], /sid=([^;]*)/.exec(first)?.[1]);
  assert.is(await isIn(browser), true);
  const old = await ask(`${world().site.url}/auth/second-factor`, { headers: { cookie: first } });
  assert.match(old.location, '/auth/login');
});

factor('leads back to the page that asked for the login', async () => {
  const { email, seed } = await createUser(world(), 'ben');
  const browser = world().site.browser();
  await browser.post('/auth/login', { auth_slug: email, auth_password: PASSWORD, redirect_uri: '/auth/sessions?x=1' });
  assert.is((await step(browser, toCode(seed, world().now()))).location, '/auth/sessions?x=1');
});

factor('takes each code once: not again, and not by two requests at a time', async () => {
  const { email, seed } = await createUser(world(), 'cat');
  const code = toCode(seed, world().now());
  const browsers = [world().site.browser(), world().site.browser(), world().site.browser()];
  for (const browser of browsers) await logIn(browser, email);
  const answers = await Promise.all(browsers.map((browser) => step(browser, code)));
  assert.equal(answers.map(({ status }) => status).sort(), [303, 422, 422]);
  const late = world().site.browser();
  await logIn(late, email);
  assert.is((await step(late, code)).status, 422, 'a replay');
  world().shift.seconds += 30;
  assert.is((await step(late, code)).status, 422, 'a replay in the next step');
  assert.is((await step(late, toCode(seed, world().now()))).status, 303);
});

factor('takes a recovery code once, in a race too, tells its owner and counts what is left', async () => {
  const { email, codes } = await createUser(world(), 'dan');
  const browsers = [world().site.browser(), world().site.browser()];
  for (const browser of browsers) await logIn(browser, email);
  const code = String(codes[3]);
  const answers = await Promise.all(
    browsers.map((browser) =>
      browser.post('/auth/second-factor', { recovery_code: code.toUpperCase().replaceAll('-', ' ') }),
    ),
  );
  assert.equal(answers.map(({ status }) => status).sort(), [303, 422]);
  assert.match(
    answers.find(({ status }) => status === 422)?.text ?? '',
    /id="t-recovery_code-error">That is not a recovery code/,
  );
  const winner = browsers[answers.findIndex(({ status }) => status === 303)];
  assert.match((await winner?.get('/auth/second-factor'))?.text ?? '', '9 of 10 codes are left');
  assert.is(
    (await subjects()).filter((text) => text.startsWith('dan@example.org: A recovery code was used')).length,
    1,
  );
  const other = await createUser(world(), 'don');
  const thief = world().site.browser();
  await logIn(thief, other.email);
  assert.is(
    (await thief.post('/auth/second-factor', { recovery_code: String(codes[4]) })).status,
    422,
    "another account's code",
  );
  assert.is(
    (await thief.post('/auth/second-factor', { auth_code: String(other.codes[0]) })).status,
    303,
    'in the field of the code',
  );
});

factor('new recovery codes replace the old ones', async () => {
  const { browser, email, codes } = await createUser(world(), 'eli');
  const page = await browser.post('/auth/second-factor/recovery', {});
  const fresh = /id="t-codes">([^<]*)</.exec(page.text)?.[1]?.split('\n') ?? [];
  assert.is(fresh.length, 10);
  const late = world().site.browser();
  await logIn(late, email);
  assert.is((await late.post('/auth/second-factor', { recovery_code: String(codes[0]) })).status, 422);
  assert.is((await late.post('/auth/second-factor', { recovery_code: String(fresh[0]) })).status, 303);
});

factor('slows guesses of strangers, and not the browser that the owner uses', async () => {
  const { browser, email, seed } = await createUser(world(), 'fay');
  const stranger = world().site.browser();
  await logIn(stranger, email);
  const statuses: number[] = [];
  for (let round = 0; round < 6; round += 1) statuses.push((await step(stranger, '000000')).status);
  assert.equal(statuses, [422, 422, 422, 422, 422, 429]);
  await browser.post('/auth/logout', {});
  await logIn(browser, email);
  assert.is((await step(browser, toCode(seed, world().now()))).status, 303);
});

factor('a trusted device is not asked, until its time, the password or the owner ends it', async () => {
  const { browser, email, seed } = await createUser(world(), 'gus');
  const trusted = world().site.browser();
  const again = async (): Promise<string> => {
    await trusted.post('/auth/logout', {});
    return (await logIn(trusted, email)).location;
  };
  const trustIt = async (): Promise<void> => {
    world().shift.seconds += 30;
    await logIn(trusted, email);
    await step(trusted, toCode(seed, world().now()), { remember: '1' });
  };
  await trustIt();
  assert.is(await again(), '/articles');
  const list = await browser.get('/auth/sessions');
  const device = /name="device" value="(\d+)"/.exec(list.text)?.[1] ?? '';
  const eve = await createUser(world(), 'gun');
  await eve.browser.post('/auth/sessions', { device });
  assert.is(await again(), '/articles', "another account's owner ends nothing");
  await browser.post('/auth/sessions', { device });
  assert.is(await again(), '/auth/second-factor');
  await trustIt();
  world().shift.seconds += 31 * 86_400;
  assert.is(await again(), '/auth/second-factor', 'after its time');
  await trustIt();
  await world().site.app.emit('auth-reset', { auth_slug: email, auth_password: 'quite another word' });
  await trusted.post('/auth/logout', {});
  assert.is(
    (await logIn(trusted, email, 'quite another word')).location,
    '/auth/second-factor',
    'after a new password',
  );
});

factor('a new password on the account page, or a removed factor, ends the trust in devices', async () => {
  const { email, seed } = await createUser(world(), 'gil');
  const stage = {
    auth_slug: email,
    auth_current: PASSWORD,
    auth_password: 'quite another word',
    confirm: 'quite another word',
  };
  const count = async (): Promise<unknown> =>
    ((await world().site.emit('auth-second-factor-search', { auth_slug: email })).getResults('devices') as unknown[])
      .length;
  const trusted = world().site.browser();
  await logIn(trusted, email);
  await step(trusted, toCode(seed, world().now()), { remember: '1' });
  assert.is(await count(), 1);
  await world().site.emit('auth-update', { auth_slug: email, profile_name: 'Gil' });
  assert.is(await count(), 1, 'a new name ends nothing');
  await world().site.emit('auth-update', stage);
  assert.is(await count(), 0);
  world().shift.seconds += 30;
  await logIn(trusted, email, 'quite another word');
  await step(trusted, toCode(seed, world().now()), { remember: '1' });
  assert.is(await count(), 1);
  await world().site.emit('auth-totp-remove', { auth_slug: email });
  assert.is(await count(), 0);
});

factor('a token of another account opens nothing', async () => {
  const one = await createUser(world(), 'hal');
  const two = await createUser(world(), 'han');
  const browser = world().site.browser();
  await logIn(browser, one.email);
  await step(browser, toCode(one.seed, world().now()), { remember: '1' });
  await browser.post('/auth/logout', {});
  assert.is((await logIn(browser, two.email)).location, '/auth/second-factor');
});

const waitFor = (seconds: number): void => {
  world().shift.seconds += seconds;
};

factor('a half-open login ends after ten minutes, with the password, and with the account', async () => {
  const { email, seed } = await createUser(world(), 'ida');
  const cases = [
    ['ten minutes', async () => waitFor(601)],
    ['a new password', () => world().site.app.emit('auth-reset', { auth_slug: email, auth_password: PASSWORD })],
    ['a disabled account', () => world().site.app.emit('auth-remove', { auth_slug: email })],
  ] as const;
  for (const [name, end] of cases) {
    const browser = world().site.browser();
    assert.is((await logIn(browser, email)).location, '/auth/second-factor', name);
    await end();
    const answer = await step(browser, toCode(seed, world().now()));
    assert.equal([answer.status, answer.location], [303, '/auth/login'], name);
    assert.is(await isIn(browser), false, name);
  }
});

factor('a lost password does not lead around the second factor', async () => {
  const { email, seed } = await createUser(world(), 'joy');
  await world().site.emit('auth-verify', { auth_slug: email });
  const browser = world().site.browser();
  await browser.post('/auth/forgot', { auth_slug: email });
  const mail = (await world().site.mails()).filter(({ to }) => to === email).at(-1);
  const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const done = await browser.post('/auth/recover', {
    token,
    auth_password: 'quite another word',
    confirm: 'quite another word',
  });
  assert.equal([done.status, await isIn(browser)], [303, false]);
  assert.is((await logIn(browser, email, 'quite another word')).location, '/auth/second-factor');
  assert.is(await isIn(browser), false);
  assert.is((await step(browser, toCode(seed, world().now()))).status, 303);
});

/** The token of the last mail to somebody. */
const toMailed = async (address: string): Promise<string> => {
  const mail = (await world().site.mails()).filter(({ to }) => to === address).at(-1);
  return /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
};
const NEW = 'quite another word';
const FACTORS = ['totp', 'passkey', 'recovery', 'device', 'provider'].map((name) => `treadle_auth_${name}`);

/** Signs up with somebody's address, and adds all that opens an account. Returns what the tables hold of it. */
async function hijack(name: string, hasFactor = true) {
  const { browser, email } = await createUser(world(), name);
  if (!hasFactor) await world().site.emit('auth-second-factor-remove', { auth_slug: email });
  const { kysely } = world().site.app.services.database;
  const authId = Number((await world().site.emit('auth-detail', { auth_slug: email })).getResults('auth_id'));
  const own = { auth_id: authId, created_at: 1 };
  const used = { ...own, used_at: 1 };
  const key = { credential_key: name, credential_id: name, public_key: 'x', counter: 0, name };
  await kysely
    .insertInto('treadle_auth_passkey')
    .values({ ...own, ...key })
    .execute();
  const device = { key: name, browser: 'x', address: 'x', expires_at: 9_999_999_999 };
  await kysely
    .insertInto('treadle_auth_device')
    .values({ ...used, ...device })
    .execute();
  const link = { provider: 'x', issuer: 'x', subject: name };
  await kysely
    .insertInto('treadle_auth_provider')
    .values({ ...used, ...link })
    .execute();
  const left = async (): Promise<string[]> => {
    const counts = FACTORS.map((table) =>
      kysely.selectFrom(table).select('auth_id').where('auth_id', '=', authId).execute(),
    );
    return (await Promise.all(counts)).flatMap((rows, index) => (rows.length > 0 ? [String(FACTORS[index])] : []));
  };
  return { browser, email, left };
}

factor('the first new password by mail leaves nothing of whoever signed up with the address before', async () => {
  const { browser: thief, email, left } = await hijack('jon');
  assert.equal(await left(), FACTORS);
  const owner = world().site.browser();
  await owner.post('/auth/forgot', { auth_slug: email });
  const token = await toMailed(email);
  await owner.post('/auth/recover', { token, auth_password: NEW, confirm: NEW });
  assert.equal(await left(), []);
  const account = (await world().site.emit('auth-detail', { auth_slug: email })).getResults() as Record<
    string,
    unknown
  >;
  assert.equal([account.auth_verified, account.auth_second_factor ?? ''], [1, '']);
  assert.is((await thief.get('/auth/account')).location.startsWith('/auth/login'), true);
  assert.is((await logIn(owner, email, NEW)).status, 303);
  assert.ok(await isIn(owner));
});

factor('the link that confirms an address leaves nothing to others, and all to the user who is logged in', async () => {
  for (const [name, isOwn] of [
    ['jan', false],
    ['jim', true],
  ] as const) {
    const { browser: before, email, left } = await hijack(name, isOwn);
    await world().site.browser().post('/auth/verify', { auth_slug: email });
    const token = await toMailed(email);
    const browser = isOwn ? before : world().site.browser();
    await browser.post('/auth/verify', { token, auth_password: PASSWORD });
    const account = await world().site.emit('auth-detail', { auth_slug: email });
    assert.is(account.getResults('auth_verified'), 1, name);
    assert.equal(await left(), isOwn ? FACTORS : [], name);
    if (!isOwn) assert.is(await isIn(before), false);
  }
});

factor('the link that confirms an address wants the second factor of the account too', async () => {
  const { browser, email } = await createUser(world(), 'jil');
  await browser.post('/auth/verify', { auth_slug: email });
  const mail = (await world().site.mails()).filter(({ to }) => to === email).at(-1);
  const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const form = { token, auth_password: PASSWORD };
  const refused = await world().site.browser().post('/auth/verify', form);
  assert.is(refused.status, 403);
  assert.match(refused.text, 'This account has a second factor. Log in with it first');
  await browser.post('/auth/verify', form);
  const account = await world().site.emit('auth-detail', { auth_slug: email });
  assert.is(account.getResults('auth_verified'), 1);
});

factor("a project's own login with the password alone is refused; with a code it is complete", async () => {
  const { email, seed, codes } = await createUser(world(), 'kim');
  const { app } = world().site;
  const bare = await app.emit('auth-login', { auth_slug: email, auth_password: PASSWORD });
  assert.equal([bare.getStatus(), bare.isError(), bare.getResults()], [401, true, undefined]);
  const whole = await app.emit('auth-login', {
    auth_slug: email,
    auth_password: PASSWORD,
    auth_code: toCode(seed, world().now()),
  });
  assert.is(whole.getResults('auth_slug'), email);
  const login = { auth_slug: email, auth_password: PASSWORD, auth_code: '', recovery_code: String(codes[0]) };
  assert.equal(
    [(await app.emit('auth-login', login)).getStatus(), (await app.emit('auth-login', login)).getStatus()],
    [200, 422],
  );
});

factor('removing the last factor takes codes and trusted devices along, and mails the owner', async () => {
  const { browser, email } = await createUser(world(), 'lea');
  const done = await browser.post('/auth/second-factor', { action: 'totp-remove' });
  assert.equal([done.status, done.location], [303, '/auth/second-factor']);
  assert.match((await browser.get('/auth/second-factor')).text, 'Add an app');
  const late = world().site.browser();
  assert.is((await logIn(late, email)).location, '/articles');
  assert.ok((await subjects()).some((text) => text.startsWith('lea@example.org: A second factor was removed')));
  const found = await world().site.app.emit('auth-second-factor-search', { auth_slug: email });
  assert.equal(found.getResults(), { rows: [], recovery_codes: 0, devices: [] });
});

factor('other sessions end when the first factor is added', async () => {
  const [one, two] = [world().site.browser(), world().site.browser()];
  await one.signUp('Max', 'max@example.org');
  await logIn(two, 'max@example.org');
  await addTotp(world(), one);
  assert.equal([await isIn(one), await isIn(two)], [true, false]);
});

factor('the command line shows the factors, and removes them for a lost device', async () => {
  const { email } = await createUser(world(), 'ned');
  const { data } = await world().site.cli('user', 'show', email);
  const { rows } = data.second_factor as { rows: { kind: string }[] };
  assert.equal(
    rows.map(({ kind }) => kind),
    ['totp'],
  );
  assert.not.match(JSON.stringify(data), 'sealed');
  await world().site.cli('user', 'second-factor', 'remove', email);
  assert.is((await logIn(world().site.browser(), email)).location, '/articles');
});

factor("one's own data names the factors and holds no secret", async () => {
  const { browser, seed } = await createUser(world(), 'oli');
  const text = (await browser.get('/auth/data')).text;
  const { second_factor: second } = JSON.parse(text);
  assert.equal([second.rows[0].kind, second.recovery_codes], ['totp', 10]);
  assert.not.match(text, seed);
  assert.not.match(text, 'sealed');
  const { email } = JSON.parse(text).account;
  assert.is(email, undefined);
});

factor('with the account its factors go', async () => {
  const { browser, email } = await createUser(world(), 'pia');
  const { kysely } = world().site.app.services.database;
  const auth = await kysely
    .selectFrom('treadle_auth')
    .select('auth_id')
    .where('auth_slug', '=', email)
    .executeTakeFirst();
  assert.is((await browser.post('/auth/remove', { auth_current: PASSWORD })).status, 303);
  for (const table of ['treadle_auth_totp', 'treadle_auth_recovery', 'treadle_auth_device'])
    assert.equal(await kysely.selectFrom(table).selectAll().where('auth_id', '=', auth?.auth_id).execute(), [], table);
});

factor.run();
