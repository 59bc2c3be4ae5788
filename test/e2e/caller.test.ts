import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

const CODE = `
export default function who(app) {
  const tell = async (request, response) =>
    response.setResults({ ...(await app.caller()), language: request.getLanguage(), now: app.now() });
  app.get('/who', tell);
  app.get('/who/system', async (request, response) =>
    response.setResults(await app.asSystem(() => app.caller())));
  for (const access of ['public', 'app', 'user'])
    app.rest({ access, method: 'get', path: '/' + access + '/who', scope: access === 'user' ? 'profile_read' : undefined }, tell);
  app.on('who', tell);
}
`;

const STAFF = { slug: 'staff', name: 'Staff', permissions: [] };
/** Rows without rules, and rows with them: the access of a call has the roles only with them. */
const KINDS = { 'without rules on rows': undefined, 'with rules on rows': { comment: { search: true } } };

for (const [kind, data] of Object.entries(KINDS)) {
  const state: { site?: Site } = {};
  const site = (): Site => state.site as Site;
  const test = suite(`e2e/caller ${kind}`);
  test.before(async () => {
    state.site = await boot({
      template: 'blog',
      settings: { languages: ['en', 'de'] },
      change: (project) => project.cli('api', 'populate'),
      files: {
        'app/www/src/controller/who.ts': CODE,
        'app/www/.treadle.ts': "import who from './src/controller/who';\nexport default function (app) { who(app); }\n",
        'config/app/reader.json': JSON.stringify({
          title: 'Reader',
          clientId: 'reader',
          redirectUris: ['https://reader.example/cb'],
          scopes: ['profile_read'],
        }),
        'config/role/staff.json': JSON.stringify(data === undefined ? STAFF : { ...STAFF, data }),
      },
    });
  });
  test.after(() => state.site?.close());

  const accept = { accept: 'application/json' };

  test('a visitor, a person and the system are told apart on pages', async () => {
    const { now, ...visitor } = (await site().get('/who', accept)).json().results;
    assert.equal(visitor, { kind: 'page', roles: [], scopes: [], language: 'en' });
    assert.ok(Math.abs(now - Date.now()) < 60_000);
    const ada = await site().as('Ada', ['staff']);
    const person = (await ada.get('/who', accept)).json().results;
    assert.equal([person.kind, person.roles], ['page', ['staff']]);
    assert.ok(person.auth_id > 0 && person.profile_id > 0);
    assert.equal((await ada.get('/who/system', accept)).json().results, { kind: 'system', roles: [], scopes: [] });
    assert.is((await site().emit('who')).getResults('kind'), 'system');
  });

  test('a call has the account and the roles of its user', async () => {
    const ada = await site().as('Ada', ['staff']);
    const person = (await ada.get('/who', accept)).json().results;
    const token = await site().asApp({ profile: person.profile_id, scopes: ['profile_read'] });
    const { app, now: _, ...caller } = (await token.get('/rest/user/who')).json().results;
    assert.equal(caller, { ...caller, kind: 'user', auth_id: person.auth_id, profile_id: person.profile_id });
    assert.equal([caller.roles, caller.scopes], [['staff'], ['profile_read']]);
    assert.type(app, 'string');
    // A role that is taken away is gone at once.
    await site().emit('auth-role', { auth_id: person.auth_id, remove: 'staff' });
    assert.equal((await token.get('/rest/user/who')).json().results.roles, []);
  });

  test('a public call has nobody', async () => {
    const german = { 'accept-language': 'de' };
    const { now: _, ...caller } = (await site().get('/rest/public/who', german)).json().results;
    assert.equal(caller, { kind: 'public', roles: [], scopes: [], language: 'de' });
  });

  test.run();
}
