import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digest } from '../../../src/core/secret/secret.ts';
import { createSite } from '../auth/_site.ts';
import { allow, createWorld, SECRET, type World } from './_flow.ts';

const developer = suite<World>('the developer section');
developer.before.each(async (at) => {
  Object.assign(at, await createWorld());
});
developer.after.each(({ site }) => site.close());

const good =
  'title=Mine&redirect_uris=https://a.example/cb%0d%0ahttp://127.0.0.1/cb&scopes[]=profile_read&hooks[]=profile-created&webhook=https://a.example/hook';

developer('is not there without the API', async () => {
  const site = await createSite({ settings: { api: false } });
  assert.not((await site.get('/developer/app/search')).response.isAnswered());
  assert.not((await site.post('/developer/app/create', good)).response.isAnswered());
  await site.close();
});

developer('leads a visitor to the login and back', async ({ site }) => {
  const answer = await site.get('/developer/app/search?code=tk_ac_x');
  assert.is(answer.location, `/auth/login?redirect_uri=${encodeURIComponent('/developer/app/search?code=tk_ac_x')}`);
  for (const path of ['create', 'update/1', 'refresh/1', 'remove/1']) {
    const posted = await site.post(`/developer/app/${path}`, good);
    assert.is(posted.status, 303);
    assert.match(posted.location, '/auth/login');
  }
});

developer('registers an app and shows its secrets once', async ({ site, una }) => {
  const form = await site.get('/developer/app/create', una());
  assert.match(form.text, 'name="scopes[]" value="profile_read"');
  assert.match(form.text, 'name="hooks[]" value="profile-created"');
  const answer = await site.post('/developer/app/create?owner=1', good, { session: una() });
  assert.is(answer.status, 200);
  assert.is(answer.headers['cache-control'], 'no-store');
  const secret = /tk_cs_[A-Za-z0-9_-]{43}/.exec(answer.text)?.[0] ?? '';
  const signing = /whsec_[A-Za-z0-9+/&#x3D;]+/.exec(answer.text)?.[0].replaceAll('&#x3D;', '=') ?? '';
  const row = (await site.rows('treadle_app')).at(-1);
  assert.is(row?.owner_auth_id, 2);
  assert.is(row?.secret_hash, digest(secret));
  assert.is(row?.name, null);
  assert.equal(JSON.parse(String(row?.redirect_uris)), ['https://a.example/cb', 'http://127.0.0.1/cb']);
  const bytes = site.services.secret.derive(['webhook', 'profile-created', String(row?.client_id), '1']);
  assert.is(signing, `whsec_${bytes.toString('base64')}`);
  const list = await site.get('/developer/app/search', una());
  assert.match(list.text, String(row?.client_id));
  assert.match(list.text, `/developer/app/detail/${row?.app_id}`);
  assert.not.match(list.text, secret);
});

const refused: [string, string, string][] = [
  ['no title', 'title=', 'title'],
  ['A4: http elsewhere', 'title=a&redirect_uris=http://a.example/cb', 'redirect_uris'],
  ...[
    'https://a.example/cb%23x',
    '/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///x',
    'myapp:/cb',
    'https://u:p@a.example/cb',
    'https://a.example/%C3%A9\u00e9',
  ].map((uri): [string, string, string] => [`A5: ${uri}`, `title=a&redirect_uris=${uri}`, 'redirect_uris']),
  ['an unknown scope', 'title=a&scopes[]=nothing', 'scopes'],
  ['an unknown hook', 'title=a&hooks[]=nothing&webhook=https://a.example', 'hooks'],
  ['hooks without address', 'title=a&hooks[]=mine', 'webhook'],
  ['a website that is a script', 'title=a&website=javascript:alert(1)', 'website'],
];
for (const [name, body, field] of refused) {
  developer(`refuses ${name}`, async ({ site, una }) => {
    const before = (await site.rows('treadle_app')).length;
    const answer = await site.post('/developer/app/create', body, { session: una() });
    assert.is(answer.status, 422);
    assert.ok(answer.response.getValidation(field), JSON.stringify(answer.response.getValidation()));
    assert.match(answer.text, 'aria-describedby');
    assert.is((await site.rows('treadle_app')).length, before);
  });
}

developer('says what is wrong with each address to return to', async ({ site, una }) => {
  const faults: [string, string][] = [
    ['http://a.example/cb', 'http to another machine'],
    ['https://a.example/cb%23x', 'has a fragment'],
    ['myapp:/cb', 'a private scheme with a dot'],
    ['https://u:p@a.example/cb', 'has a user or a password'],
    ['https://*.a.example/cb', 'register each one'],
    ['callback', 'is not an absolute URL'],
    ['https://a.example/a%20b', 'holds a blank'],
  ];
  const body = `title=a&redirect_uris=${faults.map(([uri]) => uri).join('%0a')}`;
  const answer = await site.post('/developer/app/create', body, { session: una() });
  const said = String(answer.response.getValidation('redirect_uris'));
  for (const [uri, words] of faults) assert.match(said, words, uri);
  assert.match(answer.text, 'href="#t-redirect"');
});

developer('warns of a web hook that would not be called, and saves it', async ({ site, una }) => {
  const body = 'title=a&hooks[]=mine&webhook=http://10.0.0.1/x';
  const answer = await site.post('/developer/app/create', body, { session: una() });
  assert.is(answer.status, 200);
  assert.match(answer.text, 'would not be called');
});

developer('changes, refreshes and removes one’s own app, and nobody else’s', async ({ site, una }) => {
  const { results } = (await site.emit('app-create', { title: 'Mine', owner: 2 })).get('json') as {
    results: Record<string, unknown>;
  };
  const id = results.app_id;
  const owen = { me: { auth_id: 1, profile_id: 1 } };
  for (const path of ['update', 'refresh', 'remove']) {
    assert.is((await site.post(`/developer/app/${path}/${id}?owner=2`, good, { session: owen })).status, 404, path);
  }
  assert.match((await site.get(`/developer/app/update/${id}`, una())).text, 'value="Mine"');
  assert.is(
    (await site.post(`/developer/app/update/${id}`, good.replace('Mine', 'Ours'), { session: una() })).status,
    303,
  );
  const find = async () => (await site.rows('treadle_app')).find(({ app_id }) => app_id === id);
  assert.is((await find())?.title, 'Ours');
  const stale = await site.post(`/developer/app/refresh/${id}`, '', { session: una() });
  assert.match(stale.location, /^\/auth\/confirm\?/, 'it asks who it is first');
  const proof = { auth_id: 2, at: Math.floor(site.clock.now() / 1000) };
  const fresh = await site.post(`/developer/app/refresh/${id}`, '', { session: { ...una(), proof } });
  assert.is((await find())?.secret_hash, digest(/tk_cs_[A-Za-z0-9_-]{43}/.exec(fresh.text)?.[0] ?? ''));
  assert.is((await site.get(`/developer/app/remove/${id}`, una())).response.isAnswered(), false, 'not by a get');
  assert.is((await site.post(`/developer/app/remove/${id}`, '', { session: una() })).status, 303);
  assert.is(await find(), undefined);
});

developer('leaves an app of a file to its file', async ({ site }) => {
  const owen = { me: { auth_id: 1, profile_id: 1 } };
  const list = await site.get('/developer/app/search', owen);
  assert.match(list.text, 'config/app/reader.json');
  assert.not.match(list.text, '/developer/app/remove/1"');
  for (const path of ['update', 'refresh', 'remove']) {
    const answer = await site.post(`/developer/app/${path}/1`, good, { session: owen });
    assert.is(answer.status, 409);
    assert.match(answer.text, 'is defined in config/app/reader.json');
  }
});

developer('shows a returned code with the request that exchanges it', async (world) => {
  const code = await allow(world, 'client_id=bare');
  const { text } = await world.site.get(`/developer/app/search?code=${code}`, world.una());
  assert.match(text, code);
  assert.match(text, 'curl -X POST');
  assert.match(text, 'client_id&#x3D;bare');
  assert.not.match(text, SECRET);
  const odd = await world.site.get('/developer/app/search?code=%3Cscript%3E', world.una());
  assert.not.match(odd.text, 'script%');
  assert.not.match(odd.text, '<script>');
});

developer('finds the receivers of a hook', async ({ site }) => {
  const create = (owner: number, hooks: string[], webhook = `https://${owner}.example/hook`) =>
    site.emit('app-create', { title: 'App', owner, hooks, webhook });
  await create(1, ['mine', 'profile-created']);
  await create(2, ['mine']);
  const find = async (stage: object) =>
    ((await site.emit('webhook-subscriber-search', { ...stage })).getResults('rows') as { url: string }[]).map(
      ({ url }) => url,
    );
  assert.equal(await find({ hook: 'profile-created', profile_id: 2 }), ['https://1.example/hook']);
  assert.equal(await find({ hook: 'mine', profile_id: 2 }), ['https://2.example/hook']);
  assert.equal(await find({ hook: 'mine' }), []);
  assert.equal(await find({ hook: 'other' }), []);
});

developer.run();
