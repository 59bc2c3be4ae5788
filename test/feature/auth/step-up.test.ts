import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../../client.ts';
import { createUser, type FactorSite, isIn, logIn, startFactors, step, toCode } from './_second-factor.ts';

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;
const wait = (seconds = 601): void => {
  world().shift.seconds += seconds;
};

const stepUp = suite('confirmation before secrets');
stepUp.before(async () => {
  at.world = await startFactors({ change: (project) => project.cli('api', 'populate') });
});
stepUp.after(() => world().site.close());

async function createApp(name: string) {
  const browser = await world().site.as(name);
  const made = await browser.post('/developer/app/create', { title: `App of ${name}`, scopes: ['profile_read'] });
  const id = /\/developer\/app\/detail\/(\d+)/.exec(made.text)?.[1] ?? '';
  const hash = async () =>
    (await world().site.rows('treadle_app')).find((row) => String(row.app_id) === id)?.secret_hash;
  return { browser, id, hash, first: await hash() };
}

stepUp('a new app secret needs a fresh proof; the form goes on by itself', async () => {
  const { browser, id, hash, first } = await createApp('Ann');
  const quick = await browser.post(`/developer/app/refresh/${id}`, {});
  assert.match(quick.text, /tk_cs_/, 'right after the login');
  const second = await hash();
  assert.is.not(second, first);
  wait();
  const asked = await browser.post(`/developer/app/refresh/${id}`, {});
  assert.equal(
    [asked.status, asked.location],
    [303, `/auth/confirm?redirect_uri=${encodeURIComponent(`/developer/app/update/${id}`)}`],
  );
  assert.is(await hash(), second, 'nothing is changed yet');
  assert.match((await browser.get(asked.location)).text, 'Confirm that it is you');
  const wrong = await browser.post('/auth/confirm', { auth_current: 'not the password' });
  assert.is(wrong.status, 422);
  assert.match(wrong.text, /id="t-auth_current-error">That is not your current password/);
  const done = await browser.post('/auth/confirm', { auth_current: PASSWORD });
  assert.is(done.status, 200);
  assert.match(done.text, /tk_cs_/);
  assert.is.not(await hash(), second);
  const third = await hash();
  await browser.post('/auth/confirm', { auth_current: PASSWORD });
  assert.is(await hash(), third, 'a form goes on once');
});

stepUp('signing secrets of web hooks need it, too', async () => {
  const { browser, id } = await createApp('Ben');
  for (const action of ['secret', 'rotate']) {
    wait();
    const asked = await browser.post(`/developer/app/webhook/${id}`, { action });
    assert.match(asked.location, /^\/auth\/confirm\?/, action);
  }
  const free = await browser.post(`/developer/app/webhook/${id}`, { action: 'disable' });
  assert.not.match(free.location, '/auth/confirm');
});

stepUp('every change of second factors needs it, and keeps the work', async () => {
  const user = await createUser(world(), 'cat');
  const { browser } = user;
  const changes = [
    ['/auth/second-factor', { action: 'totp-remove' }],
    ['/auth/second-factor/recovery', {}],
    ['/auth/second-factor/totp', { auth_code: '123456' }],
    ['/auth/passkey', { name: 'Key', credential: '{}' }],
    ['/auth/passkey', { action: 'remove', passkey: '1' }],
  ] as const;
  for (const [path, form] of changes) {
    wait();
    assert.match((await browser.post(path, form)).location, /^\/auth\/confirm\?/, path);
  }
  for (const path of ['/auth/second-factor/totp', '/auth/passkey']) {
    const asked = await browser.get(path);
    assert.is(asked.location, `/auth/confirm?redirect_uri=${encodeURIComponent(path)}`);
  }
  assert.is((await browser.get('/auth/second-factor')).status, 200, 'the overview shows no secret');
  wait(31);
  const back = await browser.post('/auth/confirm', {
    auth_code: toCode(user.seed, world().now()),
    redirect_uri: '/auth/second-factor/totp',
  });
  assert.is(back.location, '/auth/second-factor/totp');
  assert.is((await browser.get(back.location)).status, 200);
});

stepUp('a code that was used for a login does not confirm', async () => {
  const user = await createUser(world(), 'dan');
  const browser = world().site.browser();
  await logIn(browser, user.email);
  const code = toCode(user.seed, world().now());
  await step(browser, code);
  wait();
  assert.is((await browser.post('/auth/confirm', { auth_code: code })).status, 422);
  assert.is((await browser.get('/auth/second-factor/totp')).status, 303);
});

stepUp('a form of one account does not go on in the session of another', async () => {
  const ann = await createApp('Eve');
  wait();
  await ann.browser.post(`/developer/app/refresh/${ann.id}`, {});
  await world().site.as('Fay');
  await ann.browser.post('/auth/login', { auth_slug: 'fay@example.org', auth_password: PASSWORD });
  const done = await ann.browser.post('/auth/confirm', { auth_current: PASSWORD });
  assert.is(done.location, '/auth/account');
  assert.is(await ann.hash(), ann.first);
});

stepUp('leads only to paths of this site', async () => {
  const browser = await world().site.as('Gus');
  for (const target of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
    const done = await browser.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: target });
    assert.is(done.location, '/auth/account', target);
  }
});

stepUp('a visitor is led to the login, a half-open login too', async () => {
  const user = await createUser(world(), 'hal');
  const half = world().site.browser();
  await logIn(half, user.email);
  for (const browser of [world().site.browser(), half]) {
    assert.match((await browser.get('/auth/confirm')).location, /^\/auth\/login\?/);
    const sent = await browser.post('/auth/confirm', { auth_current: PASSWORD, auth_slug: user.email });
    assert.match(sent.location, /^\/auth\/login\?/);
    assert.is(await isIn(browser), false);
  }
});

stepUp('guesses of the password are slowed here as well', async () => {
  const browser = await world().site.as('Ida');
  wait();
  const statuses: number[] = [];
  for (let round = 0; round < 6; round += 1)
    statuses.push((await browser.post('/auth/confirm', { auth_current: 'wrong' })).status);
  assert.equal(statuses, [422, 422, 422, 422, 422, 429]);
});

stepUp.run();
