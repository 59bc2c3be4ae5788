// Several processes of `treadle start` on one database: a code exchanged 50 times at once, spread over all processes,
// gives one token set (T15); a replay on another process revokes all (T14); a refresh token used everywhere at once
// has one successor (T17); a revoked token is refused everywhere within a second (R7). On SQLite with two processes,
// and on PostgreSQL with three if a server answers.
// Usage: node --import tsx test/torture/oauth-nodes.mjs [--short] [--seed n] [--codes n] [--racers n] [--lanes n]
// [--only sqlite|postgres]
// `--racers` is the number of concurrent exchanges of one code, default 50; `--lanes` the number of concurrent codes,
// default 1.
import { strict as assert } from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../database/_server.mjs';
import { Browser, CALLBACK, editSettings, OAuthSite } from './_oauth-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    codes: { type: 'string' },
    racers: { type: 'string', default: '50' },
    lanes: { type: 'string', default: '1' },
    only: { type: 'string' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
  },
});
const codes = Number(values.codes ?? (values.short ? 3 : 200));
const AT_ONCE = Number(values.racers);
const LANES = Number(values.lanes);
const REVOKED_MILLISECONDS = 1000;
/** Within this time a replay on another process counts as a lost race. */
const GRACE_MILLISECONDS = 150;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

class World {
  constructor(site, client, browser) {
    Object.assign(this, { site, client, browser, turn: 0, revoked: 0 });
  }

  /** The processes take turns. */
  next() {
    this.turn += 1;
    return this.site.urls[this.turn % this.site.urls.length];
  }

  async getCode() {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.client.id,
      redirect_uri: CALLBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    const back = await this.browser.allow(`${this.site.urls[0]}/oauth/authorize?${query}`);
    return back.searchParams.get('code');
  }

  async post(path, fields) {
    const body = new URLSearchParams({ client_id: this.client.id, client_secret: this.client.secret, ...fields });
    const answer = await fetch(this.next() + path, { method: 'POST', body });
    return { status: answer.status, body: await answer.json() };
  }

  exchange(code) {
    return this.post('/oauth/token', { grant_type: 'authorization_code', code, code_verifier: VERIFIER });
  }

  refresh(token) {
    return this.post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
  }

  async statuses(token) {
    const headers = { authorization: `Bearer ${token}` };
    const ask = async (url) => {
      const answer = await fetch(`${url}/rest/user/profile/detail`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    return Promise.all(this.site.urls.map(ask));
  }
}

const atOnce = (run) => Promise.all(Array.from({ length: AT_ONCE }, run));

/** Runs the rounds, this many at once. */
async function inLanes(rounds, run) {
  let next = 0;
  const go = async () => {
    while (next < rounds) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: LANES }, go));
}

async function raceCodes(world) {
  await inLanes(codes, async (round) => {
    const code = await world.getCode();
    const answers = await atOnce(() => world.exchange(code));
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant');
    const said = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`).join(', ');
    assert.deepEqual([won.length, lost.length], [1, AT_ONCE - 1], `code ${round}: ${said}`);
    const statuses = await world.statuses(won[0].body.access_token);
    assert.equal(new Set(statuses).size, 1, `code ${round}: all processes say the same: ${statuses}`);
    if (statuses[0] === 401) world.revoked += 1;
  });
}

async function raceRefresh(world) {
  await inLanes(Math.ceil(codes / 5), async (round) => {
    const { body } = await world.exchange(await world.getCode());
    const answers = await atOnce(() => world.refresh(body.refresh_token));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], `refresh ${round}`);
    assert.equal(new Set(answers.map((answer) => answer.body.refresh_token)).size, 1, `refresh ${round}`);
  });
}

/** Milliseconds until every process refuses a token. */
async function untilRefused(world, token) {
  const begun = performance.now();
  while ((await world.statuses(token)).some((status) => status !== 401)) {
    assert.ok(
      performance.now() - begun < REVOKED_MILLISECONDS,
      'a revoked token is refused everywhere within a second',
    );
  }
  return performance.now() - begun;
}

async function revoke(world) {
  const code = await world.getCode();
  const first = (await world.exchange(code)).body;
  await world.statuses(first.access_token);
  await pause(GRACE_MILLISECONDS);
  const replay = await world.exchange(code);
  assert.equal(replay.status, 400);
  const byReplay = await untilRefused(world, first.access_token);
  const second = (await world.exchange(await world.getCode())).body;
  await world.statuses(second.access_token);
  assert.equal((await world.post('/oauth/revoke', { token: second.refresh_token })).status, 200);
  return { byReplay, byRevocation: await untilRefused(world, second.access_token) };
}

async function storm(name, env, processes) {
  const site = new OAuthSite(env);
  try {
    const client = await site.make();
    // The races must not hit the app's rate limit.
    editSettings(site.root, (settings) => {
      settings.limits = { ...settings.limits, perMinute: 1_000_000 };
    });
    for (let index = 0; index < processes; index += 1) await site.start({ TREADLE_BASE_URL: 'http://127.0.0.1:4998' });
    const browser = new Browser();
    await browser.signUp(site.urls[0]);
    const world = new World(site, client, browser);
    await raceCodes(world);
    await raceRefresh(world);
    const { byReplay, byRevocation } = await revoke(world);
    process.stdout.write(
      `${name}, ${processes} processes: ${codes} codes x ${AT_ONCE} gave ${codes} token sets, ${world.revoked} of them revoked by ` +
        'exchanges that came over 100 ms after the commit of another process; refused everywhere after ' +
        `${byReplay.toFixed(0)} ms (replay) and ${byRevocation.toFixed(0)} ms (revocation)\n`,
    );
  } finally {
    await site.close();
  }
}

if (values.only !== 'postgres') await storm('SQLite', {}, 2);
if (values.only !== 'sqlite') {
  const schema = `treadle_oauth_${randomBytes(4).toString('hex')}`;
  const isThere = await ask(values.postgres, `create schema "${schema}"`).catch(() => undefined);
  if (isThere === undefined) process.stdout.write('skipped: PostgreSQL (no server answers)\n');
  else {
    const url = new URL(values.postgres);
    url.searchParams.set('schema', schema);
    try {
      await storm('PostgreSQL', { DATABASE_URL: String(url) }, 3);
    } finally {
      await ask(values.postgres, `drop schema "${schema}" cascade`);
    }
  }
}
