import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWorld, type Sent } from './_world.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const bearer = (token: string, scheme = 'Bearer') => ({ authorization: `${scheme} ${token}` });

type Row = [method: string, path: string, sent: Sent, status: number, challenge?: string];

const REALM = 'Bearer realm="Treadle"';
/** A 401 also names the metadata for tokens. */
const METADATA = 'resource_metadata="https://example.org/.well-known/oauth-protected-resource"';
const PUBLIC_SEARCH = '/rest/public/comment/search';
const APP_SEARCH = '/rest/app/comment/search';
const APP_CREATE = '/rest/app/comment/create';
const PROFILE = '/rest/user/profile/detail';
const CREATE = '/rest/user/comment/create';
const UPDATE = '/rest/user/comment/update/5';
const body = { comment_detail: 'x' };

/** Every access, credential and method: the request and its expected status. */
const TABLE: Row[] = [
  ['GET', PUBLIC_SEARCH, {}, 200],
  ['HEAD', PUBLIC_SEARCH, {}, 200],
  ['GET', PUBLIC_SEARCH, { query: { client_id: 'nobody', access_token: 'garbage' } }, 200],
  ['POST', '/rest/public/comment/create', { post: body }, 201],
  ['GET', APP_SEARCH, {}, 401, 'Basic realm="Treadle", charset="UTF-8"'],
  ['GET', APP_SEARCH, { query: { client_id: 'nobody' } }, 401],
  ['GET', APP_SEARCH, { query: { client_id: 'reader' } }, 200],
  ['HEAD', APP_SEARCH, { query: { client_id: 'reader' } }, 200],
  ['GET', APP_SEARCH, { query: { client_id: 'reader', client_secret: 'wrong' } }, 401],
  ['GET', APP_SEARCH, { query: { client_id: ['reader', 'other'] } }, 400],
  ['GET', APP_SEARCH, { query: { client_id: 'reader' }, headers: basic('other', 'right') }, 400],
  ['GET', APP_SEARCH, { headers: basic('reader', 'right') }, 200],
  ['GET', APP_SEARCH, { headers: basic('reader', 'wrong') }, 401],
  ['GET', APP_SEARCH, { headers: bearer('writer') }, 403],
  ['GET', APP_SEARCH, { headers: bearer('garbage') }, 401, `${REALM}, error="invalid_token", ${METADATA}`],
  ['GET', APP_SEARCH, { query: { client_id: 'reader' }, headers: bearer('writer') }, 200],
  ['POST', APP_CREATE, { query: { client_id: 'reader' }, post: body }, 401],
  ['POST', APP_CREATE, { query: { client_id: 'reader', client_secret: 'right' }, post: body }, 201],
  ['POST', APP_CREATE, { post: { ...body, client_id: 'reader', client_secret: 'right' } }, 201],
  ['POST', APP_CREATE, { post: { ...body, client_id: 'reader', client_secret: 'wrong' } }, 401],
  ['POST', APP_CREATE, { post: body, headers: basic('reader', 'right') }, 201],
  [
    'GET',
    '/rest/app/scoped',
    { query: { client_id: 'reader' } },
    403,
    `${REALM}, error="insufficient_scope", scope="app_read"`,
  ],
  ['GET', '/rest/app/scoped', { query: { client_id: 'scoped' } }, 200],
  ['GET', PROFILE, {}, 401, `${REALM}, ${METADATA}`],
  ['GET', PROFILE, { query: { client_id: 'reader' } }, 401, `${REALM}, ${METADATA}`],
  ['GET', PROFILE, { headers: basic('reader', 'right') }, 401, `${REALM}, ${METADATA}`],
  ['GET', PROFILE, { query: { access_token: 'garbage' } }, 401, `${REALM}, error="invalid_token", ${METADATA}`],
  ['GET', PROFILE, { headers: bearer('a b') }, 401, `${REALM}, error="invalid_token", ${METADATA}`],
  ['GET', PROFILE, { query: { access_token: 'profile' } }, 200],
  ['GET', PROFILE, { query: { access_token: 'profile', access_secret: 'profile-secret' } }, 200],
  ['GET', PROFILE, { query: { access_token: 'profile', access_secret: 'wrong' } }, 401],
  ['GET', PROFILE, { headers: bearer('profile') }, 200],
  ['GET', PROFILE, { headers: bearer('profile', 'bEARER') }, 200],
  ['GET', PROFILE, { headers: { ...bearer('profile'), 'x-access-secret': 'wrong' } }, 401],
  [
    'GET',
    PROFILE,
    { headers: bearer('profile'), query: { access_token: 'profile' } },
    400,
    `${REALM}, error="invalid_request"`,
  ],
  ['GET', PROFILE, { query: { access_token: ['profile', 'profile'] } }, 400],
  ['GET', PROFILE, { headers: FORM, post: { access_token: 'profile' } }, 401, `${REALM}, ${METADATA}`],
  ['GET', PROFILE, { headers: bearer('writer') }, 403, `${REALM}, error="insufficient_scope", scope="profile_read"`],
  ['GET', PROFILE, { headers: bearer('nothing') }, 403],
  ['GET', '/rest/user/lost', { headers: bearer('writer') }, 403],
  ['POST', CREATE, { headers: bearer('writer'), post: body }, 201],
  ['POST', CREATE, { headers: bearer('profile'), post: body }, 403],
  ['POST', CREATE, { query: { access_token: 'writer' }, post: body }, 403],
  [
    'POST',
    CREATE,
    { query: { access_token: 'writer' }, headers: { 'x-access-secret': 'writer-secret' }, post: body },
    201,
  ],
  ['POST', CREATE, { query: { access_token: 'writer', access_secret: 'writer-secret' }, post: body }, 201],
  ['POST', CREATE, { query: { access_token: 'writer' }, post: { ...body, access_secret: 'writer-secret' } }, 201],
  ['POST', CREATE, { query: { access_token: 'writer' }, post: { ...body, access_secret: 'wrong' } }, 401],
  ['POST', CREATE, { headers: FORM, post: { ...body, access_token: 'writer' } }, 201],
  ['POST', CREATE, { headers: { 'content-type': 'application/json' }, post: { ...body, access_token: 'writer' } }, 401],
  // A call with all methods and an event that writes counts as a write for GET too.
  ['GET', UPDATE, { query: { access_token: 'writer' } }, 403],
  ['GET', UPDATE, { headers: bearer('writer') }, 200],
  ['PUT', UPDATE, { headers: bearer('writer'), post: body }, 200],
];

const guards = suite('rest guards');

for (const [method, path, sent, status, challenge] of TABLE) {
  guards(`${method} ${path} ${JSON.stringify(sent)} is ${status}`, async () => {
    const { send, reached } = createWorld();
    const { response } = await send(method, path, sent);
    assert.is(response.getStatus(), status, String(response.getMessage()));
    if (challenge !== undefined) assert.is(response.getHeaders('www-authenticate'), challenge);
    assert.is(reached.length, status < 300 ? 1 : 0);
    assert.is(response.isError(), status >= 400);
  });
}

guards('standard mode refuses secrets in the query; strict mode does not look at query tokens', async () => {
  const standard = createWorld({ oauth: { mode: 'standard' } });
  const query = { access_token: 'writer', access_secret: 'writer-secret' };
  assert.is((await standard.send('POST', CREATE, { query, post: body })).response.getStatus(), 400);
  const secret = { client_id: 'reader', client_secret: 'right' };
  assert.is((await standard.send('GET', APP_SEARCH, { query: secret })).response.getStatus(), 400);
  assert.is((await standard.send('GET', PROFILE, { query: { access_token: 'profile' } })).response.getStatus(), 200);
  const strict = createWorld({ oauth: { mode: 'strict' } });
  const ignored = await strict.send('GET', PROFILE, { query: { access_token: 'profile' } });
  assert.is(ignored.response.getStatus(), 401);
  assert.is(ignored.response.getHeaders('www-authenticate'), `${REALM}, ${METADATA}`);
});

guards('a scope reaches the calls that it lists, and no other', async () => {
  const { plan, send } = createWorld();
  const tokens = { profile: ['profile_read'], writer: ['comment_write'], nothing: [] } as Record<string, string[]>;
  for (const call of plan.calls.filter(({ definition }) => definition.access === 'user')) {
    const method = call.definition.method === 'all' ? 'PUT' : call.definition.method.toUpperCase();
    const path = call.path.replace(':comment_id', '5');
    for (const [token, held] of Object.entries(tokens)) {
      const { response } = await send(method, path, { headers: bearer(token), post: method === 'GET' ? {} : body });
      const isListed = call.scopes.some((slug) => held.includes(slug));
      assert.is(response.getStatus() < 300, isListed, `${call.name} with ${held.join()}`);
      if (!isListed) assert.is(response.getStatus(), 403);
    }
  }
});

guards('apps and tokens are limited, public calls are not', async () => {
  const keys: string[] = [];
  const limiter = {
    take(key: string) {
      keys.push(key);
      return { isAllowed: false, left: 0, retrySeconds: 12 };
    },
  };
  const { send } = createWorld({}, { limiter });
  assert.is((await send('GET', PUBLIC_SEARCH)).response.getStatus(), 200);
  const app = await send('GET', APP_SEARCH, { query: { client_id: 'reader' } });
  assert.is(app.response.getStatus(), 429);
  assert.is(app.response.getHeaders('retry-after'), '12');
  assert.is(app.response.getHeaders('ratelimit'), '"default";r=0;t=12');
  assert.is((await send('GET', PROFILE, { headers: bearer('profile') })).response.getStatus(), 429);
  assert.is((await send('GET', PROFILE, { headers: bearer('garbage') })).response.getStatus(), 401);
  assert.equal(keys, ['rest:app:reader', 'rest:token:1:7']);
});

guards.run();
