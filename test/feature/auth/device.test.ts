import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemRandom } from '../../../src/core/clock.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { currentScope } from '../../../src/core/scope.ts';
import { readHashFigures, systemPasswords } from '../../../src/core/secret/password.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { findDevice, rememberDevice } from '../../../src/feature/auth/device.ts';
import { guess } from '../../../src/feature/auth/guesses.ts';
import type { AuthRow } from '../../../src/feature/auth/sql.ts';
import { parseCookies } from '../../../src/http/session/cookie.ts';
import type { Services } from '../../../src/plan/feature.ts';
import { createSite, type Site } from './_site.ts';

const DAY = 86_400;
const device = suite('known device');

function create(root = 'secret') {
  const clock = { at: 1_800_000_000 };
  const services = {
    clock: { now: () => clock.at * 1000, after: () => () => {} },
    random: systemRandom,
    secret: createRootSecret(root, systemRandom),
  } as unknown as Services;
  return { clock, services };
}

const toAuth = (authId: number, password = 'hash'): AuthRow =>
  ({ auth_id: authId, auth_password: password }) as unknown as AuthRow;

const toRequest = (cookie = '', https = ''): Request =>
  new Request({ cookie: () => parseCookies(cookie), server: () => ({ HTTPS: https }) });

function remember(services: Services, auth: AuthRow, cookie = '', https = ''): string {
  const response = new Response();
  rememberDevice(services, toRequest(cookie, https), response, auth);
  return [response.getHeaders('set-cookie')].flat().join('\n');
}

const toPair = (header: string): string => header.split(';')[0] ?? '';

device('the cookie is for the login pages only and for no script', () => {
  const { services } = create();
  const plain = remember(services, toAuth(1));
  assert.match(plain, /^device=1\.\d+\.[\w-]{16}\.[\w-]{43}; Path=\/auth; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
  assert.match(remember(services, toAuth(1), '', 'on'), /^__Secure-device=.+; HttpOnly; SameSite=Lax; Secure$/);
});

device("another listener's cookie stays", () => {
  const { services } = create();
  const response = new Response().addHeader('set-cookie', 'theme=dark');
  rememberDevice(services, toRequest(), response, toAuth(1));
  assert.is([response.getHeaders('set-cookie')].flat().length, 2);
});

device('knows the account that was logged in to, by the same key until it expires', () => {
  const { services, clock } = create();
  const cookie = toPair(remember(services, toAuth(1)));
  const key = findDevice(services, toRequest(cookie), toAuth(1));
  assert.match(String(key), /^device [\w-]{16}$/);
  clock.at += 179 * DAY;
  assert.is(findDevice(services, toRequest(cookie), toAuth(1)), key);
  clock.at += DAY;
  assert.is(findDevice(services, toRequest(cookie), toAuth(1)), undefined);
});

device('knows nobody by a cookie of another account, password, secret or hand', () => {
  const { services } = create();
  const cookie = toPair(remember(services, toAuth(1)));
  const forged = [
    ['another account', cookie, toAuth(2)],
    ['the account number changed', cookie.replace('=1.', '=2.'), toAuth(2)],
    ['a later end', cookie.replace(/=1\.(\d+)/, (_, until) => `=1.${Number(until) + DAY}`), toAuth(1)],
    ['another device', cookie.replace(/\.[\w-]{16}\./, '.AAAAAAAAAAAAAAAA.'), toAuth(1)],
    ['no signature', cookie.replace(/\.[\w-]{43}$/, ''), toAuth(1)],
    ['a new password', cookie, toAuth(1, 'another hash')],
    ['the name of https', `__Secure-${cookie}`, toAuth(1)],
    ['nothing', '', toAuth(1)],
  ] as const;
  for (const [name, text, auth] of forged) assert.is(findDevice(services, toRequest(text), auth), undefined, name);
  assert.is(findDevice(services, toRequest(cookie), undefined), undefined, 'nobody');
  assert.is(findDevice(create('other').services, toRequest(cookie), toAuth(1)), undefined, 'another secret');
});

device('a browser that several people use is known to the last four', () => {
  const { services } = create();
  const state = { cookie: '' };
  for (const authId of [1, 2, 3, 4, 5, 2]) state.cookie = toPair(remember(services, toAuth(authId), state.cookie));
  const known = [1, 2, 3, 4, 5].filter((authId) => findDevice(services, toRequest(state.cookie), toAuth(authId)));
  assert.equal(known, [2, 3, 4, 5]);
});
device.run();

const PASSWORD = 'a long enough word';
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const good = { profile_name: 'Ann', auth_slug: 'ann@example.org', auth_password: PASSWORD, confirm: PASSWORD };
const enter = form({ auth_slug: good.auth_slug, auth_password: PASSWORD });

const login = suite<{ site: Site; cookie: string }>('login of a known device');
login.before(async (at) => {
  // The wait is told from how long hashes took.
  at.site = await createSite({ passwords: systemPasswords });
  const answer = await at.site.post('/auth/signup', form(good));
  assert.is(answer.status, 303);
  at.cookie = toPair([answer.headers['set-cookie'] ?? ''].flat().join());
});
login.after(({ site }) => site.close());

login('gets in where strangers at its own address are held off', async ({ site, cookie }) => {
  assert.match(cookie, /^device=/);
  const request = new Request({ server: () => ({ REMOTE_ADDR: '192.0.2.1' }) });
  for (let count = 0; count < 5; count += 1)
    await guess(site.context, { account: good.auth_slug, request }, () => Promise.resolve(false));
  const stranger = await site.post('/auth/login', enter);
  assert.is(stranger.status, 429);
  assert.is(stranger.headers['retry-after'], '1');
  const known = await site.post('/auth/login', enter, { headers: { cookie } });
  assert.is(known.status, 303);
  assert.match([known.headers['set-cookie'] ?? ''].flat().join(), /^device=/);
});

login('is told to come back, in the form, where too many passwords wait', async ({ site }) => {
  const state = { isGone: false };
  const request = new Request({ isGone: () => state.isGone });
  const flood = currentScope.run({ request }, () =>
    Promise.allSettled(Array.from({ length: 400 }, () => systemPasswords.verify('x', undefined))),
  );
  for (const [path, body] of [
    ['/auth/login', enter],
    ['/auth/signup', form({ ...good, auth_slug: 'new@example.org' })],
  ] as const) {
    const answer = await site.post(path, body, { address: '192.0.2.50' });
    assert.is(answer.status, 503, path);
    assert.ok(Number(answer.headers['retry-after']) >= 10);
    assert.match(answer.text, 'Too many passwords are being checked');
    assert.match(answer.text, 'name="auth_slug"');
  }
  state.isGone = true;
  await flood;
  assert.is(readHashFigures().waiting, 0);
});
login.run();
