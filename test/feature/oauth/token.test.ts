import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digest } from '../../../src/core/secret/secret.ts';
import type { Answer } from '../auth/_site.ts';
import { allow, apps, createWorld, exchange, isAlive, SECRET, toApp, toJson, type World } from './_flow.ts';

const token = suite<World>('the token door');
token.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
token.after.each(({ site }) => site.close());

const tokenOf = (answer: Answer): string => String((toJson(answer).results as Record<string, unknown>).access_token);
const errorOf = (answer: Answer): string => String(answer.headers['oauth-error']);

token('answers with exactly the classic body', async (world) => {
  const answer = await exchange(world, await allow(world));
  assert.is(answer.status, 200);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  assert.is(answer.headers['cache-control'], 'no-store');
  assert.is(answer.headers.pragma, 'no-cache');
  const { error, results, ...rest } = toJson(answer);
  assert.is(error, false);
  assert.equal(rest, {});
  const { access_token, access_secret, ...profile } = results as Record<string, string>;
  assert.match(access_token as string, /^tk_at_[A-Za-z0-9_-]{43}$/);
  assert.match(access_secret as string, /^tk_as_[A-Za-z0-9_-]{43}$/);
  assert.equal(profile, { profile_id: '2', profile_name: 'Una', profile_created: '2026-01-01 00:00:00' });
});

token('adds the standard members for a request with grant_type', async (world) => {
  const answer = await exchange(world, await allow(world), `client_secret=${SECRET}&grant_type=authorization_code`);
  const body = toJson(answer);
  assert.is(body.access_token, tokenOf(answer));
  assert.is(body.token_type, 'Bearer');
  assert.is(body.expires_in, 2_592_000);
  assert.is(body.scope, 'profile_read');
  assert.is(body.error, false);
  const other = await exchange(world, 'x', `client_secret=${SECRET}&grant_type=password`);
  assert.is(other.status, 400);
  assert.is(errorOf(other), 'unsupported_grant_type');
});

token('takes the credentials from query, form, JSON or Basic, from one place only', async (world) => {
  const { site } = world;
  const basic = (id: string, secret = SECRET) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const all = { client_id: 'reader', client_secret: SECRET };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const json = { 'content-type': 'application/json' };
  const tries: [string, (code: string) => Promise<Answer>, number][] = [
    ['form', (code) => site.post('/rest/access', form({ ...all, code })), 200],
    ['JSON', (code) => site.post('/rest/access', JSON.stringify({ ...all, code }), { headers: json }), 200],
    ['Basic', (code) => site.post('/rest/access', form({ code }), { headers: basic('reader') }), 200],
    [
      'Basic, and its id again',
      (code) => site.post(`/rest/access?client_id=reader&code=${code}`, '', { headers: basic('reader') }),
      200,
    ],
    [
      'Basic and another id',
      (code) => site.post(`/rest/access?client_id=two&code=${code}`, '', { headers: basic('reader') }),
      400,
    ],
    [
      'Basic and a secret',
      (code) => site.post('/rest/access', form({ ...all, code }), { headers: basic('reader') }),
      400,
    ],
    [
      'query and form',
      (code) => site.post(`/rest/access?client_id=reader`, form({ client_secret: SECRET, code })),
      400,
    ],
    ['the code twice', (code) => site.post(`/rest/access?code=${code}`, form({ ...all, code })), 400],
    ['the secret twice', (code) => exchange(world, code, `client_secret=${SECRET}&client_secret=${SECRET}`), 400],
    [
      'a number',
      (code) => site.post('/rest/access', JSON.stringify({ ...all, code, redirect_uri: 1 }), { headers: json }),
      400,
    ],
    [
      'another type',
      (code) =>
        site.post(`/rest/access?client_id=reader&client_secret=${SECRET}&code=${code}`, 'x', {
          headers: { 'content-type': 'text/plain' },
        }),
      400,
    ],
  ];
  for (const [name, send, status] of tries) {
    const answer = await send(await allow(world));
    assert.is(answer.status, status, name);
    if (status === 400) assert.is(errorOf(answer), 'invalid_request', name);
  }
});

token('says what is missing, in the classic form', async ({ site }) => {
  const answer = await site.post('/rest/access', '');
  assert.is(answer.status, 400);
  assert.equal(toJson(answer), {
    error: true,
    message: 'Invalid Parameters',
    validation: { client_id: 'Cannot be empty', code: 'Cannot be empty' },
  });
  assert.is(answer.headers['cache-control'], 'no-store');
});

token('T1: any other method is 405', async ({ site }) => {
  const answer = await site.get('/rest/access?client_id=reader');
  assert.is(answer.status, 405);
  assert.is(answer.headers.allow, 'POST');
  assert.is(toJson(answer).error, true);
});

token('T5: a wrong app is 401, with a challenge only for Basic', async (world) => {
  const { site } = world;
  const code = await allow(world);
  for (const more of ['client_secret=wrong', '', `client_secret=${SECRET}x`]) {
    const answer = await exchange(world, code, more);
    assert.is(answer.status, 401);
    assert.is(errorOf(answer), 'invalid_client');
    assert.is(answer.headers['www-authenticate'], undefined);
  }
  const unknown = await site.post(`/rest/access?client_id=nobody&client_secret=${SECRET}&code=${code}`, '');
  assert.is(unknown.status, 401);
  const headers = { authorization: `Basic ${Buffer.from('reader:wrong').toString('base64')}` };
  const basic = await site.post(`/rest/access?code=${code}`, '', { headers });
  assert.is(basic.status, 401);
  assert.match(String(basic.headers['www-authenticate']), /^Basic realm=/);
  assert.is((await exchange(world, code)).status, 200, 'the code is still good');
});

token('T10, T13: unknown, expired, used, another app’s and another address: one answer', async (world) => {
  const { site, una } = world;
  const foreign = new URL(
    (await site.post('/dialog/request?client_id=query', 'action=allow', { session: una() })).location,
  ).searchParams.get('code');
  const used = await allow(world);
  await exchange(world, used);
  const moved = await allow(world);
  const answers = [
    await exchange(world, 'tk_ac_unknown'),
    await exchange(world, String(foreign)),
    await exchange(world, used),
    await exchange(world, moved, `client_secret=${SECRET}&redirect_uri=https://app.example/other`),
  ];
  const late = await allow(world);
  await site.clock.advance(60);
  answers.push(await exchange(world, late));
  for (const answer of answers) {
    assert.is(answer.status, 400);
    assert.is(errorOf(answer), 'invalid_grant');
    assert.is(answer.text, answers[0]?.text);
  }
  const fitting = await allow(world);
  const named = `client_secret=${SECRET}&redirect_uri=https://app.example/cb`;
  assert.is((await exchange(world, fitting, named)).status, 200);
});

token('A27: a code lives as long as the settings say, in development ten minutes', async (world) => {
  const code = await allow(world);
  await world.site.clock.advance(59);
  assert.is((await exchange(world, code)).status, 200);
  const other = await createWorld({ isDevelopment: true });
  const slow = await allow(other);
  await other.site.clock.advance(599);
  assert.is((await exchange(other, slow)).status, 200);
  await other.site.close();
});

token('a disabled user’s code and tokens are worth nothing', async (world) => {
  const code = await allow(world);
  const access = tokenOf(await exchange(world, await allow(world)));
  assert.ok(await isAlive(world, access));
  await world.site.emit('auth-remove', { auth_slug: 'una@example.org' });
  assert.is((await exchange(world, code)).status, 400);
  assert.not(await isAlive(world, access));
});

token('T14, T15: 30 at once give one token set, and the losers revoke nothing; a replay does', async (world) => {
  const { site } = world;
  for (let round = 0; round < 5; round += 1) {
    const code = await allow(world);
    const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(world, code)));
    const winners = answers.filter(({ status }) => status === 200);
    assert.is(winners.length, 1);
    assert.is(answers.filter(({ status }) => status === 400).length, 29);
    const access = tokenOf(winners[0] as Answer);
    assert.ok(await isAlive(world, access), 'alive after the race');
    assert.is((await exchange(world, code, 'client_secret=wrong')).status, 401);
    assert.ok(await isAlive(world, access), 'a replay with a wrong secret revokes nothing');
    const foreign = await site.post(`/rest/access?client_id=two&client_secret=${SECRET}&code=${code}`, '');
    assert.is(foreign.status, 400);
    assert.ok(await isAlive(world, access), 'nor does one by another app');
    assert.is((await exchange(world, code)).status, 400);
    assert.not(await isAlive(world, access), 'a valid replay revokes');
  }
  assert.is((await site.rows('treadle_token')).length, 5);
});

token('a replay in another process is told by the times in the row', async (world) => {
  const code = await allow(world);
  const access = tokenOf(await exchange(world, code));
  const other = { ...world.site.services };
  const { restAccess } = await import('../../../src/feature/oauth/events/rest-access.ts');
  const { Request } = await import('../../../src/core/request/request.ts');
  const { Response } = await import('../../../src/core/request/response.ts');
  const listen = restAccess.listen({ ...world.site.context, services: other });
  const replay = async () => {
    const request = new Request().setStage({ client_id: 'reader', client_secret: SECRET, code });
    await listen(request, new Response(request), { event: 'rest-access', variables: [] });
  };
  await replay();
  assert.ok(await isAlive(world, access), 'in the same millisecond it may have been a race');
  await world.site.clock.advance(1);
  await replay();
  assert.not(await isAlive(world, access));
});

token('T20: only wrong secrets are counted, by app and address', async (world) => {
  const bad = () => exchange(world, 'x', 'client_secret=wrong');
  for (let count = 0; count < 20; count += 1) assert.is((await bad()).status, 401);
  const blocked = await bad();
  assert.is(blocked.status, 429);
  assert.ok(Number(blocked.headers['retry-after']) >= 1);
  assert.is(toJson(blocked).error, true);
  assert.is((await exchange(world, await allow(world))).status, 200, 'the right secret is not held up');
});

token('T11, T12: a challenge needs its verifier, and a verifier its challenge', async (world) => {
  const verifier = 'v'.repeat(43);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = `client_id=reader&code_challenge_method=S256&code_challenge=${challenge}`;
  const code = await allow(world, query);
  assert.is(errorOf(await exchange(world, code)), 'invalid_grant');
  assert.is(errorOf(await exchange(world, code, `client_secret=${SECRET}&code_verifier=wrong`)), 'invalid_grant');
  assert.is((await exchange(world, code, `client_secret=${SECRET}&code_verifier=${verifier}`)).status, 200);
  const plain = await allow(world);
  assert.is((await exchange(world, plain, `client_secret=${SECRET}&code_verifier=${verifier}`)).status, 400);
  const forPublic = await allow(world, `client_id=public&code_challenge_method=S256&code_challenge=${challenge}`);
  const answer = await world.site.post(`/rest/access?client_id=public&code_verifier=${verifier}&code=${forPublic}`, '');
  assert.is(answer.status, 200);
});

token('tells who a token is, until it ends', async (world) => {
  const { site } = world;
  const { results } = toJson(await exchange(world, await allow(world))) as { results: Record<string, string> };
  const ask = (more: Record<string, unknown> = {}) =>
    site.emit('rest-source-session-detail', { access_token: results.access_token, ...more });
  assert.equal((await ask({ isQuery: true })).getResults(), {
    app_id: 1,
    client_id: 'reader',
    auth_id: 2,
    profile_id: 2,
    scopes: ['profile_read'],
    isQuery: true,
  });
  assert.not((await ask({ access_secret: results.access_secret })).isError());
  for (const more of [
    { access_secret: 'wrong' },
    { access_token: 'x' },
    { access_token: '' },
    { access_token: ['x'] },
  ]) {
    const answer = await ask(more);
    assert.is(answer.getStatus(), 401);
    assert.is(answer.getResults('reason'), 'invalid_token');
  }
  await site.clock.advance(1);
  for (let tries = 0; tries < 20_000 && !(await site.rows('treadle_token'))[0]?.used_at; tries += 1) {
    await new Promise(setImmediate);
  }
  assert.is((await site.rows('treadle_token'))[0]?.used_at, Date.UTC(2026, 0, 1) / 1000, 'its last use is written');
  await site.clock.advance(2_592_000);
  assert.is((await ask()).getStatus(), 401);
});

token('tells which app asks', async ({ site }) => {
  const ask = (stage: Record<string, unknown>) => site.emit('rest-source-app-detail', stage);
  assert.equal((await ask({ client_id: 'reader' })).getResults(), {
    app_id: 1,
    client_id: 'reader',
    scopes: ['profile_read', 'profile_write', 'stats'],
    owner_profile_id: 1,
  });
  assert.not((await ask({ client_id: 'reader', client_secret: SECRET, isSecretNeeded: true })).isError());
  const bad = [
    {},
    { client_id: 'nobody' },
    { client_id: 'reader', client_secret: 'wrong' },
    { client_id: 'reader', isSecretNeeded: true },
    { client_id: 'public', client_secret: 'public', isSecretNeeded: true },
    { client_id: 'public', isSecretNeeded: true },
    { client_id: ['reader'] },
  ];
  for (const stage of bad) {
    const answer = await ask(stage);
    assert.is(answer.getStatus(), 401);
    assert.is(answer.getResults('reason'), 'invalid_client');
  }
});

token('keeps no secret in clear', async (world) => {
  const { site } = world;
  const code = await allow(world);
  const { results } = toJson(await exchange(world, code)) as { results: Record<string, string> };
  const tables = ['treadle_app', 'treadle_grant', 'treadle_code', 'treadle_token'];
  const dump = JSON.stringify(await Promise.all(tables.map((table) => site.rows(table))));
  for (const secret of [code, results.access_token, results.access_secret, SECRET]) {
    assert.not.ok(dump.includes(String(secret)));
    assert.ok(dump.includes(digest(String(secret))));
  }
});

token('seeds follow the files: updated, suspended when gone, back when back', async (world) => {
  const { site } = world;
  const changed = new Map([toApp('reader', { title: 'Renamed' })]);
  const { seedApps } = await import('../../../src/feature/oauth/client/seeds.ts');
  const plant = (models: typeof apps) =>
    seedApps({ ...site.context, plan: { ...site.context.plan, model: { ...site.context.plan.model, apps: models } } });
  await plant(changed);
  const rows = await site.rows('treadle_app');
  assert.is(rows.length, apps.size);
  assert.equal(
    rows.filter(({ active }) => active === 1).map(({ title }) => title),
    ['Renamed'],
  );
  await plant(new Map());
  assert.is((await site.rows('treadle_app')).filter(({ active }) => active === 1).length, 0);
  await plant(apps);
  assert.is((await site.rows('treadle_app')).filter(({ active }) => active === 1).length, apps.size);
});

token('who is behind a profile', async ({ site }) => {
  assert.equal((await site.emit('rest-resource', { profile_id: '2' })).getResults(), {
    id: 2,
    email: 'una@example.org',
    name: 'Una',
    created: '2026-01-01 00:00:00',
  });
  assert.is((await site.emit('rest-resource', { profile_id: 'x' })).getMessage(), 'No resource found');
});

token.run();
