import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { createOwnerNotice, listOwners } from '../../../src/feature/oauth/client/owner.ts';
import type { AppModel } from '../../../src/model/model.ts';
import { createSite, type Site } from '../auth/_site.ts';
import { askToken, authorize, SECRET, scopes, toApp, toForm, VERIFIER, type World } from './_flow.ts';

const owner = suite<{ site: Site }>('owner of an app file');
const apps = new Map<string, AppModel>([
  toApp('reader', { owner: ' Owen@Example.org' }),
  toApp('second', { owner: 'owen@example.org' }),
  toApp('other', { owner: 'una@example.org' }),
  toApp('bare', {}),
]);
const { owner: _, ...nobody } = (apps.get('bare') as AppModel).definition;
apps.set('bare', { ...(apps.get('bare') as AppModel), definition: nobody });

owner.before.each(async (at) => {
  at.site = await createSite({ model: { apps, scopes } });
});
owner.after.each(({ site }) => site.close());

const list = async ({ services }: Site) =>
  (
    await listOwners(
      services.database,
      [...apps].map(([name, { definition }]) => [name, definition] as const),
    )
  ).map(({ app, state }) => `${app} ${state}`);
const ownersOf = async (site: Site) =>
  Object.fromEntries((await site.rows('treadle_app')).map((row) => [String(row.name), row.owner_auth_id]));
/** Creates an account as sign-up does: not verified. */
const signUp = async (site: Site, name: string): Promise<number> => Number((await site.addUser(name)).auth_id);

owner('a sign-up with the address owns nothing, not even after the next start', async ({ site }) => {
  const authId = await signUp(site, 'Owen');
  await site.seed();
  assert.equal(await ownersOf(site), { reader: null, second: null, other: null, bare: null });
  assert.equal(await list(site), ['reader unverified', 'second unverified', 'other missing']);
  const found = await site.emit('app-search', { owner: authId });
  assert.equal(found.getResults('rows'), []);
});

owner('gets the apps in the moment in which the e-mail is verified, and nobody else does', async ({ site }) => {
  const authId = await signUp(site, 'Owen');
  await signUp(site, 'Una');
  await site.emit('auth-verify', { auth_slug: 'OWEN@example.org' });
  assert.equal(await ownersOf(site), { reader: authId, second: authId, other: null, bare: null });
  await site.seed();
  assert.equal(await ownersOf(site), { reader: authId, second: authId, other: null, bare: null });
  assert.equal(await list(site), ['reader verified', 'second verified', 'other unverified']);
});

owner('a verified account that is made later gets them too', async ({ site }) => {
  const stage = { auth_slug: 'una@example.org', auth_password: 'a long enough word', profile_name: 'Una' };
  const made = await site.emit('auth-create', { ...stage, auth_verified: 1 });
  assert.is(made.getResults('auth_verified'), 1);
  assert.is((await ownersOf(site)).other, made.getResults('auth_id'));
});

owner('a sign-up cannot say that it is verified', async ({ site }) => {
  const fields = { profile_name: 'Una', auth_slug: 'una@example.org', auth_password: 'a long enough word' };
  const body = toForm({ ...fields, confirm: fields.auth_password, auth_verified: '1' });
  assert.is((await site.post('/auth/signup?auth_verified=1', body)).status, 303);
  const [row] = await site.rows('treadle_auth');
  assert.is(row?.auth_verified, 0);
  assert.is((await ownersOf(site)).other, null);
});

owner('an owner from before keeps the apps, and loses them to another that the file names', async ({ site }) => {
  const authId = await signUp(site, 'Owen');
  const { kysely } = site.services.database;
  await kysely.updateTable('treadle_app').set({ owner_auth_id: authId }).where('name', '=', 'reader').execute();
  await kysely.updateTable('treadle_app').set({ owner_auth_id: authId }).where('name', '=', 'other').execute();
  await site.seed();
  assert.equal(await ownersOf(site), { reader: authId, second: null, other: null, bare: null });
  assert.equal(await list(site), ['reader kept', 'second unverified', 'other missing']);
});

owner('a server says once which owners have no verified account', async ({ site }) => {
  await signUp(site, 'Owen');
  const said: string[] = [];
  const log = { ...silentLog, warn: (_text: string, fields?: object) => said.push(JSON.stringify(fields)) };
  const context = { ...site.context, services: { ...site.services, log, memory: new Memory() } };
  for (let start = 0; start < 2; start += 1) await createOwnerNotice(context).stop();
  assert.is(said.length, 3);
  assert.match(said.join('\n'), 'treadle user verify owen@example.org');
  assert.match(said.join('\n'), 'treadle user create --email una@example.org');
});

owner('the developer section asks to verify, and does not show which address a file names', async ({ site }) => {
  const page = async (name: string) => {
    const authId = await signUp(site, name);
    return (await site.get('/developer/app/search', { me: { auth_id: authId, profile_id: authId } })).text;
  };
  const [named, stranger] = [await page('Owen'), await page('Zoe')];
  assert.match(named, 'treadle user verify');
  assert.match(stranger, 'treadle user verify');
  await site.emit('auth-verify', { auth_slug: 'zoe@example.org' });
  const zoe = { auth_id: 2, profile_id: 2 };
  assert.not.match((await site.get('/developer/app/search', { me: zoe })).text, 'treadle user verify');
});
owner.run();

const trial = suite<World & { secret: string }>('trial secret');
trial.before(async (at) => {
  const site = await createSite({ model: { apps, scopes } });
  const me = await site.addUser('Una');
  const made = await site.emit('app-trial', { client_id: 'reader' });
  Object.assign(at, { site, una: () => ({ me: { ...me } }), secret: made.getResults('client_secret') });
});
trial.after(({ site }) => site.close());

trial('gives no token of the app itself; the own secret does', async (at) => {
  const grant_type = 'client_credentials';
  const refused = await askToken(at, { grant_type, client_secret: at.secret });
  assert.is(refused.status, 400);
  assert.is(JSON.parse(refused.text).error, 'unauthorized_client');
  assert.equal(await at.site.rows('treadle_token'), []);
  assert.is((await askToken(at, { grant_type, client_secret: SECRET })).status, 200);
});

trial('exchanges a code, renews and revokes, and introspects nothing', async (at) => {
  const { secret, site } = at;
  const code = (await authorize(at)).get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, code_verifier: VERIFIER, client_secret: secret };
  const exchanged = await askToken(at, grant);
  assert.is(exchanged.status, 200, exchanged.text);
  const tokens = JSON.parse(exchanged.text) as { access_token: string; refresh_token: string };
  const ask = (path: string, client_secret: string) =>
    site.post(path, toForm({ client_id: 'reader', client_secret, token: tokens.access_token }));
  assert.is((await ask('/oauth/introspect', secret)).status, 401);
  assert.is(JSON.parse((await ask('/oauth/introspect', SECRET)).text).active, true);
  const renewal = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_secret: secret };
  assert.is((await askToken(at, renewal)).status, 200);
  assert.is((await ask('/oauth/revoke', secret)).status, 200);
});
trial.run();
