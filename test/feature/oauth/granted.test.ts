import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteGrants, findOldGrants, hasOld, tidy } from '../../../src/feature/oauth/consent/grant-sql.ts';
import { createWorld, getTokens, isAlive, renew, type World } from './_flow.ts';

const granted = suite<World>('the apps that a user granted');
granted.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
granted.after.each(({ site }) => site.close());

const PATH = '/auth/apps';
const DAY = 86_400;

granted('a visitor logs in first', async ({ site }) => {
  assert.is((await site.get(PATH)).location, '/auth/login?redirect_uri=%2Fauth%2Fapps');
  assert.is((await site.post(PATH, 'app_id=1')).location, '/auth/login?redirect_uri=%2Fauth%2Fapps');
});

granted('lists each app once, with its owner, scopes in words, and last use', async (world) => {
  const { site, una } = world;
  assert.match((await site.get(PATH, una())).text, 'No app has access');
  const { access_token: access } = await getTokens(world);
  await getTokens(world);
  await isAlive(world, access);
  await site.clock.advance(1);
  const isWritten = async () => (await site.rows('treadle_token')).some((row) => row.used_at !== null);
  for (let tries = 0; tries < 20_000 && !(await isWritten()); tries += 1) await new Promise(setImmediate);
  const { text, headers } = await site.get(PATH, una());
  assert.is(text.split('<h2>The app reader</h2>').length, 2);
  for (const part of [
    'By Owen',
    'See your profile',
    'Change your profile',
    'Allowed on</dt><dd>2026-01-01',
    'Last used',
  ])
    assert.match(text, part);
  assert.is(headers['cache-control'], 'no-store');
  const found = await site.emit('grant-search', { auth_id: 2 });
  const [row] = found.getResults('rows') as Record<string, unknown>[];
  assert.equal(row?.scopes, ['profile_read', 'profile_write']);
  assert.is(row?.used_at, Date.UTC(2026, 0, 1) / 1000);
  assert.equal((await site.emit('grant-search', { auth_id: 1 })).getResults('rows'), []);
});

granted('removes an app’s access: every consent, at once', async (world) => {
  const { site, una } = world;
  const [first, second] = [await getTokens(world), await getTokens(world)];
  const answer = await site.post(PATH, 'app_id=1', { session: una() });
  assert.is(answer.status, 303);
  assert.is(answer.location, PATH);
  for (const tokens of [first, second]) {
    assert.not(await isAlive(world, tokens.access_token));
    assert.is((await renew(world, tokens.refresh_token)).status, 400);
  }
  assert.match((await site.get(PATH, una())).text, 'No app has access');
  const again = await site.post(PATH, 'app_id=1', { session: una() });
  assert.match(again.text, 'The app has no access to this account.');
});

granted('the form cannot name another user', async (world) => {
  const { access_token: access } = await getTokens(world);
  const owen = { me: { auth_id: 1, profile_id: 1 } };
  await world.site.post(PATH, 'app_id=1&auth_id=2', { session: owen });
  assert.ok(await isAlive(world, access));
  assert.is((await world.site.emit('grant-remove', { auth_id: 'x', app_id: 1 })).getStatus(), 400);
});

granted('an app that has ended is not listed; what ended long ago is forgotten', async (world) => {
  const { site, una } = world;
  const { database, clock } = site.services;
  const { refresh_token: refresh } = await getTokens(world);
  await renew(world, refresh);
  const now = (): number => clock.now() / 1000;
  // Requested before that time, because the worker that purges is woken then too.
  assert.ok(await hasOld(database, now() + 31 * DAY, 90 * DAY));
  await site.clock.advance(31 * DAY);
  assert.match((await site.get(PATH, una())).text, 'No app has access');
  await database.write(() => tidy(database, now(), 90 * DAY));
  assert.equal(
    (await site.rows('treadle_token')).map(({ kind }) => kind),
    ['refresh', 'refresh'],
    'a second use is still known as one',
  );
  assert.is((await site.rows('treadle_code')).length, 0);
  await site.clock.advance(91 * DAY);
  await database.write(() => tidy(database, now(), 90 * DAY));
  assert.is((await site.rows('treadle_token')).length, 0);
  assert.not(await hasOld(database, now(), 90 * DAY));
  const ids = await findOldGrants(database, now());
  if (ids.length > 0) await database.write(() => deleteGrants(database, ids));
  const remembering = (await site.rows('treadle_app')).find((row) => row.name === 'remembering')?.app_id;
  const left = (await site.rows('treadle_grant')).filter(
    (row) => row.app_id !== remembering || row.revoked_at !== null,
  );
  assert.equal(left, [], 'nor is a consent of which nothing is left');
});

granted.run();
