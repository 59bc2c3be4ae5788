// Also on PostgreSQL: transactions decide who wins.
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Client } from '../client.ts';
import { allow, CALLBACK, callWith, type OAuthSite, postForm, signUp, startOAuth } from './_oauth.ts';

/** Runs on SQLite, and on PostgreSQL with `npm run test:pg`. */
const race = suite<OAuthSite & { browser: Client }>('races for codes and refresh tokens');
race.before(async (at) => {
  Object.assign(at, await startOAuth());
  at.browser = await signUp(at.site);
});
race.after(({ close }) => close?.());

/** The requirement is 200; `CODES=200` takes a minute. A storm runs it over several nodes. */
const CODES = Number(process.env.CODES ?? 15);
const AT_ONCE = 50;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

async function getCode({ site, strict, browser }: OAuthSite & { browser: Client }): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: strict.id,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  return String((await allow(site, browser, `/oauth/authorize?${query}`)).searchParams.get('code'));
}

type Answer = { readonly status: number; readonly body: Record<string, string> };

async function post({ site, strict }: OAuthSite, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const answer = await postForm(`${site.url}/oauth/token`, {
    client_id: strict.id,
    client_secret: strict.secret,
    ...fields,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const exchange = (at: OAuthSite, code: string, verifier = VERIFIER): Promise<Answer> =>
  post(at, { grant_type: 'authorization_code', code, code_verifier: verifier });
const refresh = (at: OAuthSite, token: string): Promise<Answer> =>
  post(at, { grant_type: 'refresh_token', refresh_token: token });
const atOnce = (ask: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: AT_ONCE }, ask));

race(`T15: ${CODES} codes, each exchanged by ${AT_ONCE} at once, give ${CODES} token sets`, async (at) => {
  const won: string[] = [];
  for (let round = 0; round < CODES; round += 1) {
    const code = await getCode(at);
    const answers = await atOnce(() => exchange(at, code));
    const winners = answers.filter(({ status }) => status === 200);
    assert.is(winners.length, 1);
    assert.is(
      answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant').length,
      AT_ONCE - 1,
    );
    won.push(String(winners[0]?.body.access_token));
  }
  assert.is(new Set(won).size, CODES);
  for (const token of won.filter((_token, index) => index % 10 === 0)) {
    assert.is(await callWith(at.site, token), 200, 'losers revoke nothing');
  }
  const rows = await at.site.app.services.database.kysely.selectFrom('treadle_token').selectAll().execute();
  assert.is(rows.filter(({ kind }) => kind === 'access').length, CODES);
  assert.is(rows.filter(({ revoked_at: at }) => at !== null).length, 0);
});

race('T14: a replay with a wrong verifier revokes nothing, a valid one everything', async (at) => {
  const code = await getCode(at);
  const first = (await exchange(at, code)).body;
  const second = (await refresh(at, String(first.refresh_token))).body;
  assert.ok((await atOnce(() => exchange(at, code, 'wrong'))).every(({ status }) => status === 400));
  assert.is(await callWith(at.site, String(first.access_token)), 200);
  assert.is((await exchange(at, code)).status, 400);
  for (const { access_token: token } of [first, second]) assert.is(await callWith(at.site, String(token)), 401);
  assert.is((await refresh(at, String(second.refresh_token))).status, 400);
});

race(`T17: a refresh token used by ${AT_ONCE} at once has one successor`, async (at) => {
  for (let round = 0; round < 10; round += 1) {
    const first = (await exchange(at, await getCode(at))).body;
    const answers = await atOnce(() => refresh(at, String(first.refresh_token)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.is(new Set(answers.map(({ body }) => body.refresh_token)).size, 1);
    assert.is(new Set(answers.map(({ body }) => body.access_token)).size, 1);
    assert.is(await callWith(at.site, String(answers[0]?.body.access_token)), 200);
  }
});

race('V4: what a refresh makes while its consent is revoked is worth nothing', async (at) => {
  const { site, strict } = at;
  for (let round = 0; round < 20; round += 1) {
    const first = (await exchange(at, await getCode(at))).body;
    const proof = { client_id: strict.id, client_secret: strict.secret };
    const [renewed] = await Promise.all([
      refresh(at, String(first.refresh_token)),
      postForm(`${site.url}/oauth/revoke`, { ...proof, token: String(first.refresh_token) }),
    ]);
    if (renewed.status === 200) assert.is(await callWith(site, String(renewed.body.access_token)), 401);
    assert.is(await callWith(site, String(first.access_token)), 401);
  }
});

/** What ends between the reads of an exchange and its write. */
const ENDS: Readonly<Record<string, (at: OAuthSite & { browser: Client }) => Promise<unknown>>> = {
  'the user withdraws the consent': async ({ site, browser }) => {
    const { kysely } = site.app.services.database;
    const { app_id } = await kysely
      .selectFrom('treadle_app')
      .select('app_id')
      .where('name', '=', 'strict')
      .executeTakeFirstOrThrow();
    const { status, location } = await browser.post('/auth/apps', { app_id: String(app_id) });
    assert.equal([status, location], [303, '/auth/apps']);
  },
  'another exchange of the code is first': async (at) => {
    const { kysely } = at.site.app.services.database;
    await kysely.updateTable('treadle_code').set({ consumed_at: 1 }).where('consumed_at', 'is', null).execute();
  },
};

for (const [title, end] of Object.entries(ENDS))
  race(`V4: a code gives no token if ${title} before the exchange writes`, async (at) => {
    const { database } = at.site.app.services;
    const code = await getCode(at);
    const count = async () => (await database.kysely.selectFrom('treadle_token').select('token_hash').execute()).length;
    const before = await count();
    const { transaction } = database;
    const state = { isEnded: false };
    // The exchange has read the code by the time when it opens its transaction.
    database.transaction = async (work, ...more) => {
      database.transaction = transaction;
      await end(at);
      state.isEnded = true;
      return transaction.call(database, work, ...more) as never;
    };
    try {
      const { status, body } = await exchange(at, code);
      assert.ok(state.isEnded);
      assert.equal([status, body.error, body.access_token], [400, 'invalid_grant', undefined]);
    } finally {
      database.transaction = transaction;
    }
    assert.is(await count(), before, 'no token is stored');
  });

race.run();
