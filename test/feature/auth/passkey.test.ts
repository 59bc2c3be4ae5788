import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findRelyingParty } from '../../../src/feature/auth/second-factor/passkey/relying-party.ts';
import type { Services } from '../../../src/plan/feature.ts';
import type { Client } from '../../client.ts';
import { addKey, Key, readOptions, type Use, useKey } from './_key.ts';
import { type FactorSite, isIn, logIn, startFactors } from './_second-factor.ts';

const at: { world?: FactorSite } = {};
const world = (): FactorSite => at.world as FactorSite;
const origin = (): string => world().site.url.replace('127.0.0.1', 'localhost');
const use = (more: Partial<Use> = {}): Use => ({ origin: origin(), ...more });

/** Signs up, and adds a key. */
async function createUser(name: string, more: Partial<Use> = {}) {
  const browser = world().site.browser();
  const email = `${name}@example.org`;
  await browser.signUp(name, email);
  const { key, page } = await addKey(browser, use(more));
  return { browser, email, key, page };
}

const passkey = suite('passkey');
passkey.before(async () => {
  at.world = await startFactors();
});
passkey.after(() => world().site.close());

for (const [baseUrl, party] of [
  ['https://example.org', { id: 'example.org', origin: 'https://example.org' }],
  ['https://a.example.org:8443', { id: 'a.example.org', origin: 'https://a.example.org:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['https://192.0.2.7', undefined],
  ['http://192.0.2.7:3000', undefined],
  ['http://example.org', undefined],
] as const)
  passkey(`the relying party of ${baseUrl}`, () => {
    assert.equal(findRelyingParty({ baseUrl: () => baseUrl } as Services), party);
  });

passkey('adds a passkey with ten recovery codes, and lists it by name with its last use', async () => {
  const { browser, key, page } = await createUser('ann');
  assert.is(page.status, 200);
  assert.match(page.text, 'The passkey is your second factor from now on.');
  assert.match((await browser.get('/auth/passkey')).text, /value="Key".*not used yet/s);
  const late = world().site.browser();
  const done = await useKey(late, key, use());
  assert.equal([done.status, done.location, await isIn(late)], [303, '/articles', true]);
  assert.not.match((await browser.get('/auth/passkey')).text, 'not used yet');
});

passkey('renames and removes a passkey of its account only', async () => {
  const ben = await createUser('ben');
  const bea = await createUser('bea');
  const id = /name="passkey" value="(\d+)"/.exec((await ben.browser.get('/auth/passkey')).text)?.[1] ?? '';
  await bea.browser.post('/auth/passkey', { action: 'rename', passkey: id, name: 'Mine' });
  await bea.browser.post('/auth/passkey', { action: 'remove', passkey: id });
  assert.match((await ben.browser.get('/auth/passkey')).text, 'value="Key"');
  await ben.browser.post('/auth/passkey', { action: 'rename', passkey: id, name: '<b>Blue</b>' });
  assert.match((await ben.browser.get('/auth/passkey')).text, 'value="&lt;b&gt;Blue&lt;/b&gt;"');
  const empty = await ben.browser.post('/auth/passkey', { action: 'rename', passkey: id, name: ' ' });
  assert.is(empty.status, 422);
  assert.match(empty.text, `t-name-${id}-error">Cannot be empty`);
  await ben.browser.post('/auth/passkey', { action: 'remove', passkey: id });
  const late = world().site.browser();
  assert.is((await useKey(late, ben.key, use())).location.split('?')[0], '/auth/login', 'it opens nothing any more');
  assert.is((await logIn(late, ben.email)).location, '/articles');
});

passkey('is a second step after the password, also without user verification', async () => {
  const { email, key } = await createUser('cat');
  const browser = world().site.browser();
  assert.is((await logIn(browser, email)).location, '/auth/second-factor');
  const { options, state } = await readOptions(browser, 'step');
  assert.is(options.allowCredentials.length, 1);
  const credential = key.get(options, use({ isVerified: false, handle: '' }));
  const done = await browser.post('/auth/passkey', { action: 'step', state, credential });
  assert.equal([done.status, done.location, await isIn(browser)], [303, '/articles', true]);
});

type Attack = (
  browser: Client,
  own: { key: Key; email: string },
  other: { key: Key; email: string },
) => Promise<unknown>;

const attacks: Readonly<Record<string, Attack>> = {
  'another origin': (browser, { key }) => useKey(browser, key, { origin: 'https://evil.example' }),
  'the same host at another port': (browser, { key }) => useKey(browser, key, { origin: 'http://localhost:1' }),
  'another relying party': (browser, { key }) => useKey(browser, key, use({ rpId: 'evil.example' })),
  'no user verification': (browser, { key }) => useKey(browser, key, use({ isVerified: false })),
  "another account's handle": (browser, { key }, other) => useKey(browser, key, use({ handle: other.key.handle })),
  'no handle': (browser, { key }) => useKey(browser, key, use({ handle: '' })),
  'an unknown key': (browser, { key }) => {
    const unknown = new Key();
    unknown.handle = key.handle;
    return useKey(browser, unknown, use());
  },
  'a challenge of its own': async (browser, { key }) => {
    const { state } = await readOptions(browser, 'login');
    const credential = key.get({ challenge: 'A'.repeat(43) }, use());
    return browser.post('/auth/passkey', { action: 'login', state, credential });
  },
  "another browser's challenge": async (browser, { key }) => {
    const { options, state } = await readOptions(world().site.browser(), 'login');
    await readOptions(browser, 'login');
    return browser.post('/auth/passkey', { action: 'login', state, credential: key.get(options, use()) });
  },
  'a challenge after five minutes': async (browser, { key }) => {
    const { options, state } = await readOptions(browser, 'login');
    world().shift.seconds += 301;
    return browser.post('/auth/passkey', { action: 'login', state, credential: key.get(options, use()) });
  },
  'a later end of the challenge': async (browser, { key }) => {
    const { options, state } = await readOptions(browser, 'login');
    const credential = key.get(options, use());
    return browser.post('/auth/passkey', {
      action: 'login',
      state: state.replace(/^\d+/, (at) => String(Number(at) + 99)),
      credential,
    });
  },
  'a challenge of the second step': async (browser, { key, email }) => {
    await logIn(browser, email);
    const { options, state } = await readOptions(browser, 'step');
    return browser.post('/auth/passkey', { action: 'login', state, credential: key.get(options, use()) });
  },
  "the second step with another account's key": async (browser, { email }, other) => {
    await logIn(browser, email);
    const { options, state } = await readOptions(browser, 'step');
    return browser.post('/auth/passkey', { action: 'step', state, credential: other.key.get(options, use()) });
  },
  'the second step without the first': async (browser, { key }) => {
    const { options, state } = await readOptions(browser, 'login');
    return browser.post('/auth/passkey', { action: 'step', state, credential: key.get(options, use()) });
  },
  'a changed signature': async (browser, { key }) => {
    const { options, state } = await readOptions(browser, 'login');
    const credential = key
      .get(options, use())
      .replace(/"signature":"(.{20})(.)/, (_, before, letter) => `"signature":"${before}${letter === 'A' ? 'B' : 'A'}`);
    return browser.post('/auth/passkey', { action: 'login', state, credential });
  },
  'no JSON': (browser) => browser.post('/auth/passkey', { action: 'login', state: 'x', credential: '{' }),
  'no text': (browser) =>
    browser.post('/auth/passkey', { action: 'login', state: ['x', 'y'], credential: ['{}', '{}'] }),
};

passkey('the attacks log nobody in', async () => {
  const own = await createUser('eve');
  const other = await createUser('eli');
  for (const [name, attack] of Object.entries(attacks)) {
    const browser = world().site.browser();
    await attack(browser, own, other);
    assert.is(await isIn(browser), false, name);
  }
  const browser = world().site.browser();
  await useKey(browser, own.key, use());
  assert.is(await isIn(browser), true, 'the same key without an attack');
});

passkey('takes an answer once: not again, and not by two requests at a time', async () => {
  const { key } = await createUser('fay');
  const browser = world().site.browser();
  const { options, state } = await readOptions(browser, 'login');
  const form = { action: 'login', state, credential: key.get(options, use()) };
  const answers = await Promise.all([1, 2, 3].map(() => browser.post('/auth/passkey', form)));
  assert.equal(answers.map(({ location }) => location === '/articles').sort(), [false, false, true]);
  const late = world().site.browser();
  await readOptions(late, 'login');
  assert.is.not((await late.post('/auth/passkey', form)).location, '/articles');
});

passkey('refuses a key that counts backwards: a copy of it is in use', async () => {
  const { key } = await createUser('gus', { counter: 5 });
  const [one, two, three] = [world().site.browser(), world().site.browser(), world().site.browser()];
  await useKey(one, key, use({ counter: 7 }));
  await useKey(two, key, use({ counter: 7 }));
  await useKey(three, key, use({ counter: 6 }));
  assert.equal([await isIn(one), await isIn(two), await isIn(three)], [true, false, false]);
});

passkey('refuses a new passkey of another origin, a used challenge, and a key that an account has', async () => {
  const { browser, key } = await createUser('hal');
  assert.is((await addKey(browser, { origin: 'https://evil.example' })).page.status, 422);
  const { options, state } = await readOptions(browser, 'create');
  const fresh = new Key();
  const form = { name: 'Two', state, credential: fresh.create(options, use()) };
  assert.is((await browser.post('/auth/passkey', form)).status, 303);
  assert.is((await browser.post('/auth/passkey', form)).status, 422, 'the same answer again');
  const thief = await createUser('ham');
  const again = await readOptions(thief.browser, 'create');
  const taken = await thief.browser.post('/auth/passkey', {
    name: 'Mine',
    state: again.state,
    credential: key.create(again.options, use()),
  });
  assert.is(taken.status, 422, 'a key of another account');
});

passkey('who is not logged in, or not lately, gets no challenge for a new passkey', async () => {
  const visitor = world().site.browser();
  assert.is((await visitor.post('/auth/passkey/options', { purpose: 'create' })).status, 403);
  assert.is((await visitor.post('/auth/passkey/options', { purpose: 'step' })).status, 403);
  assert.is((await visitor.post('/auth/passkey/options', { purpose: 'other' })).status, 400);
  const { browser } = await createUser('ida');
  world().shift.seconds += 601;
  assert.is((await browser.post('/auth/passkey/options', { purpose: 'create' })).status, 403);
  const asked = await browser.get('/auth/passkey');
  assert.match(asked.location, /^\/auth\/confirm\?redirect_uri=%2Fauth%2Fpasskey/);
});

passkey('the challenge of a login names no account, known or not', async () => {
  const { options } = await readOptions(world().site.browser(), 'login');
  assert.equal(options.allowCredentials, []);
  assert.is(options.userVerification, 'required');
});

passkey('two removals at once leave a passkey to an account that nothing else opens', async () => {
  const { site } = world();
  const { browser, email } = await createUser('zoe');
  await addKey(browser, use(), 'Other');
  const { kysely } = site.app.services.database;
  await kysely.updateTable('treadle_auth').set({ auth_password: '' }).where('auth_slug', '=', email).execute();
  const page = await browser.get('/auth/passkey');
  const ids = [...new Set([...page.text.matchAll(/name="passkey" value="(\d+)"/g)].map(([, id]) => String(id)))];
  assert.is(ids.length, 2);
  await Promise.all(ids.map((id) => browser.post('/auth/passkey', { action: 'remove', passkey: id })));
  const left = await kysely
    .selectFrom('treadle_auth_passkey')
    .selectAll()
    .where('passkey_id', 'in', ids.map(Number))
    .execute();
  assert.is(left.length, 1);
});

passkey('a disabled account is not opened by its passkey', async () => {
  const { key, email } = await createUser('joy');
  await world().site.emit('auth-remove', { auth_slug: email });
  const browser = world().site.browser();
  await useKey(browser, key, use());
  assert.is(await isIn(browser), false);
});

passkey.run();
