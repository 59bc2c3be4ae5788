import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log/log.ts';
import { boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import { allow, postForm, signUpAs } from './_oauth.ts';

/** Every secret of a full run, by kind, and everything that was stored or logged meanwhile. */
interface World {
  site: Site;
  ann: Client;
  secrets: Map<string, string>;
  lines: string[];
  /** Resolves when a hook arrives. */
  received: Promise<unknown>;
  close(): Promise<void>;
}

const PASSWORD = 'a long enough word';
const CSRF = /name="csrf" value="([^"]*)"/;
const first = (text: string, pattern: RegExp): string => pattern.exec(text)?.[0] ?? `none in ${text}`;

const kept = suite<World>('what an OAuth run leaves behind');
kept.before(async (at) => {
  at.secrets = new Map([['password', PASSWORD]]);
  at.lines = [];
  const arrival: { tell: (signature: unknown) => void } = { tell: () => {} };
  at.received = new Promise((done) => {
    arrival.tell = done;
  });
  const hooks = createServer((request, response) => {
    arrival.tell(request.headers['webhook-signature']);
    response.end();
  });
  await new Promise<void>((done) => hooks.listen(0, '127.0.0.1', done));
  const hook = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`;
  const write = (line: string): void => void at.lines.push(line);
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const more = ['--scope', 'profile_read', '--webhook', hook, '--hook', 'profile-created'];
      const { data } = await project.cli(
        'app',
        'create',
        'reader',
        '--title',
        'Reader',
        '--owner',
        'ann@example.org',
        ...more,
      );
      at.secrets.set('client id', String(data.clientId));
      at.secrets.set('client secret', String(data.clientSecret)).set('hook secret', String(data.webhookSecret));
      const [, root_ = ''] = /^TREADLE_SECRET=(.+)$/m.exec(readFileSync(join(project.root, '.env'), 'utf8')) ?? [];
      at.secrets.set('project.root secret', root_);
    },
    log: createLog({ clock: systemClock, level: 'debug', write }),
  });
  at.close = async () => {
    await at.site.close();
    hooks.closeAllConnections();
    await new Promise((done) => hooks.close(done));
  };
  at.ann = await signUpAs(at.site, 'Ann');
  await at.site.app.emit('auth-verify', { auth_slug: 'ann@example.org' });
  at.secrets.set('session', first(at.ann.cookie(), /(?<==).+/));
  await at.site.app.reload();
});
kept.after(({ close }) => close?.());

interface Tokens {
  readonly access_token: string;
  readonly access_secret?: string;
  readonly refresh_token?: string;
}

/** Runs both flows, with a refresh; records the issued secrets. */
async function walkDoors({ site, ann, secrets }: World): Promise<void> {
  const [id, secret] = [secrets.get('client id') ?? '', secrets.get('client secret') ?? ''];
  const classic = await allow(site, ann, `/dialog/request?client_id=${id}`);
  const code = classic.searchParams.get('code') ?? '';
  const query = new URLSearchParams({ client_id: id, client_secret: secret, code });
  const exchanged = await fetch(`${site.url}/rest/access?${query}`, { method: 'POST' });
  const { results } = (await exchanged.json()) as { results: Tokens };
  secrets.set('classic code', code).set('classic token', results.access_token);
  secrets.set('access secret', String(results.access_secret));
  const call = `${site.url}/rest/user/profile/detail?access_token=${results.access_token}`;
  assert.is((await fetch(call)).status, 200);
  const verifier = 'v'.repeat(60);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = `/oauth/authorize?response_type=code&client_id=${id}&code_challenge_method=S256&code_challenge=${challenge}`;
  const standard = (await allow(site, ann, asked)).searchParams.get('code') ?? '';
  const client = { client_id: id, client_secret: secret };
  const grant = { grant_type: 'authorization_code', code: standard, code_verifier: verifier };
  const tokens = (await (await postForm(`${site.url}/oauth/token`, { ...client, ...grant })).json()) as Tokens;
  const renewal = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
  const renewed = (await (await postForm(`${site.url}/oauth/token`, { ...client, ...renewal })).json()) as Tokens;
  secrets.set('standard code', standard).set('verifier', verifier).set('token', tokens.access_token);
  secrets.set('refresh token', String(tokens.refresh_token)).set('renewed token', renewed.access_token);
  secrets.set('renewed refresh token', String(renewed.refresh_token));
  // A replay, a wrong secret and a wrong token cause log lines.
  await postForm(`${site.url}/oauth/token`, { ...client, ...grant });
  await postForm(`${site.url}/oauth/token`, { ...client, ...renewal, client_secret: 'tk_cs_wrong-but-secret-too' });
  await fetch(`${site.url}/rest/user/profile/detail?access_token=tk_at_wrong-but-secret-too`);
  secrets.set('wrong secret', 'tk_cs_wrong-but-secret-too').set('wrong token', 'tk_at_wrong-but-secret-too');
}

/** An app of the developer section: registered, rotated, tried. */
async function walkSection({ ann, secrets }: World): Promise<void> {
  const form = await ann.get('/developer/app/create');
  const csrf = CSRF.exec(form.text)?.[1] ?? '';
  const made = await ann.post('/developer/app/create', { csrf, title: 'Owl', 'scopes[]': ['profile_read'] });
  secrets.set('registered secret', first(made.text, /tk_cs_[\w-]{43}/)).set('form token', csrf);
  const id = /\/developer\/app\/detail\/(\d+)/.exec(made.text)?.[1];
  const fresh = await ann.post(`/developer/app/refresh/${id}`, { csrf });
  secrets.set('rotated secret', first(fresh.text, /tk_cs_[\w-]{43}/));
  const start = await ann.post(`/developer/app/try/${id}`, { csrf });
  const dialog = await ann.get(start.location);
  const ticked = { action: 'allow', csrf, 'permissions[]': ['profile_read'] };
  assert.is(dialog.status, 200);
  const back = await ann.post(start.location, ticked);
  const page = await ann.get(new URL(back.location).pathname + new URL(back.location).search);
  const code = first(page.text, /tk_ac_[\w-]{43}/);
  secrets.set('trial code', code).set('trial secret', first(page.text, /tk_cs_[\w-]{43}/));
  secrets.set('trial verifier', /code_verifier(?:=|&#x3D;)([\w-]{43})/.exec(page.text)?.[1] ?? 'none');
  const tokens = await ann.post(`/developer/app/exchange/${id}`, { csrf, code });
  secrets
    .set('trial token', first(tokens.text, /tk_at_[\w-]{43}/))
    .set('trial refresh', first(tokens.text, /tk_rt_[\w-]{43}/));
  assert.match(tokens.text, 'profile_name');
}

/** Every row of every table, as text. */
async function dump({ site }: World): Promise<string> {
  const { kysely } = site.app.services.database;
  const texts: string[] = [];
  for (const { name } of site.app.plan.tables) {
    texts.push(JSON.stringify(await kysely.selectFrom(name).selectAll().execute()));
  }
  for (const name of site.app.plan.model.schemas.keys()) {
    texts.push(JSON.stringify(await kysely.selectFrom(name).selectAll().execute()));
  }
  return texts.join('\n');
}

/** The bytes of the database's files, if it has files, including deleted rows. */
function readFiles({ site }: World): string {
  const folder = join(site.root, 'var');
  return readdirSync(folder)
    .filter((name) => name.startsWith('app.db'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

kept('holds no token, code, secret or password in clear: neither the database nor the log', async (at) => {
  await walkDoors(at);
  await walkSection(at);
  await signUpAs(at.site, 'Bob');
  assert.match(String(await at.received), /^v1,/);
  const places = { database: await dump(at), files: readFiles(at), log: at.lines.join('\n') };
  // This must be found, or the search itself is broken.
  assert.match(places.database, 'ann@example.org');
  assert.match(places.log, '/rest/access');
  assert.match(places.log, 'oauth-code-replayed');
  const found = [...at.secrets].flatMap(([what, secret]) => {
    assert.ok(secret.length > 15 && !secret.startsWith('none'), `${what}: ${secret}`);
    if (what === 'client id') return [];
    const bare = secret.replace(/^whsec_/, '');
    return Object.entries(places).flatMap(([place, text]) => (text.includes(bare) ? [`${what} in the ${place}`] : []));
  });
  assert.equal(found, []);
});

kept.run();
