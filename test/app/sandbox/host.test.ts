// A developer's app has a sandbox: the same project with rows, accounts, tokens and web hooks of its own.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site, until } from '../../boot.ts';
import { type Client, PASSWORD } from '../../client.ts';
import type { Project } from '../../project.ts';

const REDIRECT = 'https://app.example/cb';
const CONTROLLER = `import type { App } from 'treadle';

export default function where(app: App) {
  app.rest({ access: 'public', method: 'get', path: '/public/where', title: 'Where this runs' }, () => ({
    sandbox: app.isSandbox,
  }));
  app.rest({ access: 'public', method: 'get', path: '/public/wait', title: 'Answers when the test says so' }, async () => {
    await (globalThis as { wait?: Promise<void> }).wait;
    return { rows: (await app.query.selectFrom('article').selectAll().execute()).length };
  });
}
`;
const HOOK = {
  title: 'Comment written',
  event: 'system-model-create',
  type: 'comment.created',
  parameters: { schema: 'comment' },
  url: 'https://site.example/hook',
};

const PARTNER = {
  title: 'Partner',
  clientId: 'partner',
  redirectUris: [REDIRECT],
  webhook: 'https://partner.example/hook',
  hooks: ['comment-told'],
};

async function prepare(project: Project): Promise<void> {
  await project.cli('api', 'populate');
  project.write('config/webhook/comment-told.json', HOOK);
  project.write('config/app/partner.json', PARTNER);
  project.addController('where', CONTROLLER);
}
const BLOG = { settings: { sandboxes: 2 }, change: prepare };

interface Context {
  site: Site;
}
const test = suite<Context>('sandbox');

test.before(async (context) => {
  context.site = await boot({ ...BLOG, env: { TREADLE_SECRET: 'a secret of the tests, of enough characters' } });
});
test.after(({ site }) => site.close());

/** An app of a new developer. */
async function register(site: Site, name: string): Promise<{ developer: Client; appId: number; owner: number }> {
  const developer = site.browser();
  await developer.signUp(name, `${name.toLowerCase()}@example.org`);
  const account = (await site.rows('treadle_auth')).find(
    (row) => row.auth_slug === `${name.toLowerCase()}@example.org`,
  );
  const owner = Number(account?.auth_id);
  const made = await site.emit('app-create', {
    title: `App of ${name}`,
    owner,
    redirect_uris: [REDIRECT],
    scopes: ['profile_read', 'comment_read', 'comment_write'].filter((slug) => site.app.plan.model.scopes.has(slug)),
  });
  return { developer, owner, appId: Number(made.getResults('app_id')) };
}

const make = (site: Site, appId: number, owner: number) => site.emit('app-sandbox-create', { app_id: appId, owner });

/** The name of a sandbox in its address. */
const toPath = (address: unknown): string => new URL(String(address)).pathname;

test('the page makes a sandbox, shows its secrets once, and throws it away', async ({ site }) => {
  const { developer, appId } = await register(site, 'Paula');
  assert.match((await developer.get(`/developer/app/detail/${appId}`)).text, 'Make a sandbox');
  const shown = await developer.post(`/developer/app/sandbox/${appId}`, {});
  assert.is(shown.status, 200);
  assert.match(shown.text, 'Your sandbox is ready');
  assert.match(shown.text, 'tk_cs_');
  assert.match(shown.text, 'ann@sandbox.example');
  const detail = await developer.get(`/developer/app/detail/${appId}`);
  assert.not.match(detail.text, 'tk_cs_');
  const [, path = ''] = /(\/sandbox\/[a-z0-9]{22})/.exec(detail.text) ?? [];
  assert.is((await site.get(`${path}/rest/public/article/search`)).status, 200);
  const removed = await developer.post(`/developer/app/sandbox-remove/${appId}`, {});
  assert.is(removed.status, 303);
  const gone = await site.get(`${path}/rest/public/article/search`);
  assert.is(gone.status, 404);
  assert.is(gone.headers['content-type'], 'application/problem+json');
  assert.not.ok(existsSync(join(site.root, 'var', path)));
});

test('the whole flow works in it, and touches nothing of the site', async ({ site }) => {
  const { appId, owner } = await register(site, 'Quinn');
  const before = { people: (await site.rows('profile')).length, tokens: (await site.rows('treadle_token')).length };
  const made = (await make(site, appId, owner)).getResults() as {
    address: string;
    client_id: string;
    client_secret: string;
    people: { email: string; password: string }[];
  };
  const base = toPath(made.address);
  const metadata = (await site.get(`/.well-known/oauth-authorization-server${base}`)).json();
  assert.is(metadata.issuer, made.address);
  assert.is(metadata.token_endpoint, `${made.address}/oauth/token`);
  // The person logs in at the sandbox and consents there.
  const [ann] = made.people;
  const person = site.browser();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const login = await person.post(`${base}/auth/login`, {
    auth_slug: ann?.email ?? '',
    auth_password: ann?.password ?? '',
  });
  assert.is(login.status, 303, login.text.slice(0, 300));
  // The site's home is a page that a sandbox does not have.
  assert.match(login.location, `${base}/developer/docs`);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: made.client_id,
    redirect_uri: REDIRECT,
    scope: 'profile_read',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const dialog = await person.get(`${base}/oauth/authorize?${query}`);
  assert.ok(dialog.status === 200 || dialog.status === 303 || dialog.status === 302, String(dialog.status));
  const target = dialog.status === 200 ? `${base}/oauth/authorize?${query}` : dialog.location.replace(site.url, '');
  const allowed = await person.post(target, { action: 'allow', 'permissions[]': ['profile_read'] });
  const code = new URL(allowed.location).searchParams.get('code') ?? '';
  const token = await site.send('POST', `${base}/oauth/token`, {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      client_id: made.client_id,
      client_secret: made.client_secret,
      code_verifier: verifier,
    },
  });
  assert.is(token.status, 200, token.text);
  const bearer = { authorization: `Bearer ${token.json().access_token}` };
  const calls = [...site.app.plan.calls].filter(
    (call) => call.definition.access === 'user' && call.path.endsWith('profile/detail'),
  );
  for (const call of calls) {
    const inside = await site.get(`${base}${call.path}`, bearer);
    assert.is(inside.status, 200, inside.text);
    // The token of a sandbox is nothing at the site, and the other way round.
    assert.is((await site.get(call.path, bearer)).status, 401);
  }
  assert.ok(calls.length > 0);
  const other = await site.token({ profile: 1, scopes: ['profile_read'] });
  const [call] = calls;
  const outside = await site.get(`${base}${call?.path}`, { authorization: `Bearer ${other}` });
  assert.is(outside.status, 401);
  assert.is((await site.rows('profile')).length, before.people);
  assert.is((await site.rows('treadle_token')).length, before.tokens + 1);
  // A cookie of the sandbox stays below its path.
  assert.match(String(login.headers['set-cookie']), `Path=${base}`);
  await site.emit('app-sandbox-remove', { app_id: appId, owner });
});

test('it has no admin section, no developer section and no pages', async ({ site }) => {
  const { appId, owner } = await register(site, 'Rita');
  const base = toPath((await make(site, appId, owner)).getResults('address'));
  for (const path of ['', '/', '/admin', '/articles', '/developer/app/search', '/rest/..%2fadmin', '/rest/../admin']) {
    const answer = await site.get(`${base}${path}`);
    assert.is(answer.status, 404, path);
  }
  await site.emit('app-sandbox-remove', { app_id: appId, owner });
});

test('an app has one, the site has as many as the settings say, and only the owner reaches them', async ({ site }) => {
  const [sam, tom, uma] = [await register(site, 'Sam'), await register(site, 'Tom'), await register(site, 'Uma')];
  await make(site, sam.appId, sam.owner);
  const refusal = (appId: number, owner: number): Promise<unknown> =>
    site.app.emit('app-sandbox-create', { app_id: appId, owner }).then((response) => response.getStatus());
  assert.is(await refusal(sam.appId, sam.owner), 409);
  assert.is(await refusal(sam.appId, tom.owner), 404);
  await make(site, tom.appId, tom.owner);
  assert.is(await refusal(uma.appId, uma.owner), 409);
  const stolen = await tom.developer.post(`/developer/app/sandbox-remove/${sam.appId}`, {});
  assert.is(stolen.status, 404);
  // An app that is removed takes its sandbox with it.
  await site.emit('app-remove', { app_id: sam.appId, owner: sam.owner });
  assert.is(await refusal(uma.appId, uma.owner), 200);
  await site.emit('app-sandbox-remove', { app_id: uma.appId, owner: uma.owner });
  await site.emit('app-sandbox-remove', { app_id: tom.appId, owner: tom.owner });
});

test('its code knows where it runs, and a reload of the site starts it anew', async ({ site }) => {
  const { appId, owner } = await register(site, 'Wanda');
  const base = toPath((await make(site, appId, owner)).getResults('address'));
  const where = async (path: string): Promise<unknown> => (await site.get(`${path}/rest/public/where`)).json().results;
  assert.equal([await where(''), await where(base)], [{ sandbox: false }, { sandbox: true }]);
  await site.app.reload();
  assert.equal(await where(base), { sandbox: true });
  await site.emit('app-sandbox-remove', { app_id: appId, owner });
});

test("the receivers of the site's own web hooks hear nothing of a sandbox", async ({ site }) => {
  const listUrls = ({ app }: Site): unknown[] => app.plan.hooks.map(({ definition }) => definition.url);
  assert.ok(listUrls(site).includes(HOOK.url));
  const uploads = join(site.root, 'var/sandbox-uploads');
  const sandbox = await boot({ ...BLOG, isolation: { uploads, isSandbox: true } });
  try {
    assert.ok(sandbox.app.plan.hooks.length > 0);
    assert.equal(new Set(listUrls(sandbox)), new Set([undefined]));
    const listApps = async (one: Site) =>
      (await one.emit('webhook-subscriber-search', { hook: 'comment-told' })).getResults('rows');
    assert.is(((await listApps(site)) as unknown[]).length, 1);
    assert.equal(await listApps(sandbox), []);
  } finally {
    await sandbox.close();
  }
});

test('a name that nobody made is 404, for any method', async ({ site }) => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    const answer = await site.send(method, '/sandbox/abcdefghij0123456789ab/rest/public/article/search');
    assert.is(answer.status, 404);
    assert.is(answer.json().code, 'SANDBOX_MISSING');
    assert.ok(answer.headers['x-request-id']);
    assert.is(answer.headers['x-content-type-options'], 'nosniff');
  }
});

const listFolders = (site: Site): string[] => readdirSync(join(site.root, 'var/sandbox'));

test('a request under way is answered while the site reloads', async ({ site }) => {
  const { appId, owner } = await register(site, 'Xena');
  const base = toPath((await make(site, appId, owner)).getResults('address'));
  let go = (): void => {};
  Object.assign(globalThis, {
    wait: new Promise<void>((resolve) => {
      go = resolve;
    }),
  });
  const waiting = site.get(`${base}/rest/public/wait`);
  // It has begun: another request of the same sandbox is answered.
  await site.get(`${base}/rest/public/where`);
  await site.app.reload();
  go();
  const answer = await waiting;
  assert.is(answer.status, 200, answer.text);
  await site.emit('app-sandbox-remove', { app_id: appId, owner });
});

test('one that is thrown away while requests come is not started again', async ({ site }) => {
  const { appId, owner } = await register(site, 'Yara');
  const base = toPath((await make(site, appId, owner)).getResults('address'));
  const search = (): Promise<number> => site.get(`${base}/rest/public/article/search`).then(({ status }) => status);
  const removing = site.emit('app-sandbox-remove', { app_id: appId, owner });
  const statuses = await Promise.all(Array.from({ length: 20 }, search));
  await removing;
  assert.ok(
    [...statuses, await search()].every((status) => status === 200 || status === 404),
    statuses.join(),
  );
  assert.equal(listFolders(site), []);
});

test('one that is thrown away while it is made is gone', async ({ site }) => {
  const { appId, owner } = await register(site, 'Zoe');
  const making = site.app.emit('app-sandbox-create', { app_id: appId, owner });
  const find = async () => (await site.rows('treadle_app')).find((row) => row.app_id === appId)?.sandbox ?? undefined;
  await until(find);
  await site.emit('app-sandbox-remove', { app_id: appId, owner });
  const made = await making;
  assert.is(made.getStatus(), 409, made.getMessage());
  assert.is(made.refusal?.code, 'SANDBOX_REFUSED');
  assert.is(await find(), undefined);
  assert.equal(listFolders(site), []);
});

test('it goes with its app, also by a command, and with the account that owns the app', async ({ site }) => {
  const [abe, bea] = [await register(site, 'Abe'), await register(site, 'Bea')];
  const base = toPath((await make(site, abe.appId, abe.owner)).getResults('address'));
  const clientId = (await site.rows('treadle_app')).find((row) => row.app_id === abe.appId)?.client_id;
  await site.cli('app', 'remove', String(clientId), '--allow-loss');
  assert.is((await site.get(`${base}/rest/public/article/search`)).status, 404);
  await make(site, bea.appId, bea.owner);
  await site.emit('auth-delete', { auth_id: bea.owner, auth_current: PASSWORD });
  assert.equal(listFolders(site), []);
  assert.ok((await site.rows('treadle_app')).every(({ sandbox }) => sandbox === null));
});

test.run();

const closed = suite('without sandboxes');

closed('the page offers none, and the path is one of the site', async () => {
  const site = await boot({ settings: {} });
  try {
    const { developer, appId, owner } = await register(site, 'Vera');
    const detail = await developer.get(`/developer/app/detail/${appId}`);
    assert.not.match(detail.text, 'sandbox');
    const refused = await site.app.emit('app-sandbox-create', { app_id: appId, owner });
    assert.is(refused.getStatus(), 404);
    const answer = await site.get('/sandbox/abcdefghij0123456789ab/rest/public/article/search');
    assert.is(answer.status, 404);
    assert.match(String(answer.headers['content-type']), 'text/html');
  } finally {
    await site.close();
  }
});

closed.run();
