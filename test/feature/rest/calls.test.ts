import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removeFromQuery } from '../../../src/feature/rest/credentials.ts';
import type { CallPlan } from '../../../src/plan/feature.ts';
import { createWorld, FILES } from './_world.ts';

const bearer = { authorization: 'Bearer writer' };
const calls = suite('rest calls');

calls('credentials reach neither stage, query, body nor results', async () => {
  const { send } = createWorld();
  const secrets = { client_id: 'reader', client_secret: 'right' };
  const { request, response } = await send('POST', '/rest/app/comment/create', {
    query: { ...secrets, access_token: 'x' },
    post: { comment_detail: 'y' },
  });
  assert.equal(response.getResults(), { comment_id: 5 });
  assert.not.match(
    JSON.stringify([request.getStage(), request.getGet(), request.getPost(), request.getQuery()]),
    /right|reader|"x"/,
  );
  assert.is(response.getHeaders('cache-control'), 'no-store');
});

calls('a user call works for the token’s profile, not for one that the request names', async () => {
  const { send, reached } = createWorld();
  await send('POST', '/rest/user/comment/create', {
    headers: bearer,
    query: { profile_id: '1' },
    post: { comment_detail: 'x', profile_id: 2, schema: 'profile' },
  });
  assert.is(reached.length, 0, 'schema is not a column of comment');
  await send('POST', '/rest/user/comment/create', {
    headers: bearer,
    query: { profile_id: '1', schema: 'profile' },
    post: { comment_detail: 'x', profile_id: 2 },
  });
  const request = reached[0]?.request;
  assert.is(request?.getStage('profile_id'), 7);
  assert.is(request?.getStage('schema'), 'comment');
  assert.equal(reached[0]?.access.grant('comment', 'create'), { rows: { owner: 7 } });
  assert.ok(request?.callFacts);
  assert.is(request?.get('actor', 'kind'), 'user');
  assert.is(request?.get('actor', 'authId'), 7);
});

calls('own false lifts the restriction; a profile call is on the token’s own', async () => {
  const { send, reached } = createWorld();
  await send('GET', '/rest/user/open', { headers: bearer });
  await send('GET', '/rest/user/profile/detail', {
    headers: { authorization: 'Bearer profile' },
    query: { profile_id: '2' },
  });
  assert.is(reached[0]?.access.grant('comment', 'search')?.rows, undefined);
  assert.is(reached[1]?.request.getStage('profile_id'), 7);
  assert.equal(reached[1]?.access.grant('profile', 'detail'), { rows: { owner: 7 } });
});

calls('a change of any row, with own false, keeps its owner', async () => {
  const update = {
    title: 'x',
    access: 'user',
    method: 'all',
    event: 'system-model-update',
    parameters: { schema: 'comment' },
  };
  const rest = {
    ...FILES.rest,
    'user-comment-update': { ...update, path: '/user/comment/update/:comment_id' },
    'user-open': { ...update, path: '/user/comment/moderate/:comment_id', own: false },
  };
  const { send, reached } = createWorld({}, { files: { ...FILES, rest } });
  for (const action of ['moderate', 'update']) {
    await send('POST', `/rest/user/comment/${action}/5`, {
      headers: bearer,
      post: { comment_detail: 'x', profile_id: 2 },
    });
  }
  assert.is(reached[0]?.request.getStage('profile_id'), undefined, 'neither the caller nor the body takes it over');
  assert.is(reached[0]?.access.grant('comment', 'search')?.rows, undefined);
  assert.is(reached[1]?.request.getStage('profile_id'), 7);
});

calls('an unknown body key is 400 with what was meant', async () => {
  const { send, reached } = createWorld();
  const path = '/rest/public/comment/create';
  const typed = await send('POST', path, { post: { comment_detial: 'x', detail: 'y', comment_id: 3 } });
  assert.is(typed.response.getStatus(), 400);
  assert.match(String(typed.response.getValidation('comment_detial')), 'Did you mean "comment_detail"?');
  assert.match(String(typed.response.getValidation('detail')), 'Did you mean "comment_detail"?');
  assert.match(String(typed.response.getValidation('comment_id')), 'Leave it out');
  assert.is(reached.length, 0);
  assert.is((await send('POST', path, { post: { comment_detail: 'x', profile_id: 1 } })).response.getStatus(), 201);
});

calls('create says where the row is read', async () => {
  const { send } = createWorld();
  const { response } = await send('POST', '/rest/public/comment/create', { post: { comment_detail: 'x' } });
  assert.is(response.getHeaders('location'), '/rest/public/comment/detail/5');
});

calls('search links to the pages around, without credentials', async () => {
  const { send } = createWorld();
  const query = { q: 'x', limit: '1', offset: '1', client_id: 'reader' };
  const { response } = await send('GET', '/rest/app/comment/search', { query });
  const path = '/rest/app/comment/search?q=x&';
  assert.is(
    response.getHeaders('link'),
    `<${path}offset=2&limit=1>; rel="next", <${path}offset=0&limit=1>; rel="prev", <${path}limit=1>; rel="first"`,
  );
  assert.equal(response.getResults(), { rows: [{ comment_id: 1 }], total: 3 });
  assert.is(response.getHeaders('cache-control'), 'private, no-cache');
});

calls('a credential with an encoded name does not come back in a link', async () => {
  const query = '%63lient_id=reader&%3E=1&limit=1&q=%3E>';
  assert.is(removeFromQuery(query, ['client_id', 'limit']), '%3E=1&q=%3E>');
  assert.is(removeFromQuery('access_token%5B0%5D=x&access_token[]=y&a=1', ['access_token']), 'a=1');
});

calls('an unknown parameter of a search is 400 with what was meant', async () => {
  const { send, reached } = createWorld();
  const { response } = await send('GET', '/rest/public/comment/search', { query: { limt: '5' } });
  assert.is(response.getStatus(), 400);
  assert.match(String(response.getValidation('limt')), 'Did you mean "limit"?');
  assert.is(reached.length, 0);
});

calls('a detail without results is 404; an event that nobody hears is an error of this side', async () => {
  const { send } = createWorld();
  assert.is((await send('GET', '/rest/public/comment/detail/404')).response.getStatus(), 404);
  try {
    await send('GET', '/rest/public/unheard');
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code: string }).code, 'REST_EVENT_UNHEARD');
  }
});

calls('unknown paths are 404, other methods 405 with Allow, OPTIONS answers', async () => {
  const { send } = createWorld({ server: { cors: ['https://a.example'] } });
  assert.is((await send('GET', '/rest/nothing/here')).response.getStatus(), 404);
  const wrong = await send('DELETE', '/rest/public/comment/search');
  assert.is(wrong.response.getStatus(), 405);
  assert.is(wrong.response.getHeaders('allow'), 'GET, HEAD, OPTIONS');
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'PUT' };
  const asked = await send('OPTIONS', '/rest/user/comment/update/5', { headers });
  assert.is(asked.response.getStatus(), 204);
  assert.is(asked.response.isError(), false);
  assert.is(asked.response.getHeaders('access-control-allow-origin'), 'https://a.example');
  assert.is(asked.response.getHeaders('access-control-allow-methods'), 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
});

calls('only listed origins are let in, compared whole', async () => {
  const { send } = createWorld({ server: { cors: ['https://a.example'] } });
  const ask = async (origin: string) =>
    (await send('GET', '/rest/public/comment/search', { headers: { origin } })).response;
  assert.is((await ask('https://a.example')).getHeaders('access-control-allow-origin'), 'https://a.example');
  for (const origin of ['https://a.example.evil', 'http://a.example', 'null']) {
    const response = await ask(origin);
    assert.is(response.getHeaders('access-control-allow-origin'), undefined);
    assert.is(response.getHeaders('vary'), 'Origin');
  }
});

calls('a hand-written call has the same guards and may answer in its own way', async () => {
  const handwritten: CallPlan = {
    name: 'user-hello-get',
    definition: { title: 'Hello', access: 'user', method: 'get', path: '/user/hello', event: 'GET /rest/user/hello' },
    path: '/rest/user/hello',
    parameters: [],
    scopes: ['profile_read'],
    schema: undefined,
    isOwn: true,
    file: 'app/www',
    handler: (request, response) => void response.setResults({ hello: request.getStage('profile_id') }),
  };
  const { send } = createWorld({}, { calls: [handwritten] });
  assert.is((await send('GET', '/rest/user/hello')).response.getStatus(), 401);
  assert.is((await send('GET', '/rest/user/hello', { headers: bearer })).response.getStatus(), 403);
  const { response } = await send('GET', '/rest/user/hello', { headers: { authorization: 'Bearer profile' } });
  assert.equal(response.getResults(), { hello: 7 });
  assert.is(response.isSuccess(), true);
});

calls('check advises on user calls that no scope lists, and on rows that anybody reads or writes', async () => {
  const { plan } = createWorld({}, { files: FILES });
  const problems = plan.contributions.flatMap(({ problems = [] }) => problems);
  assert.equal(
    problems.map(({ code, file, severity }) => [code, file, severity]),
    [
      ['REST_CALL_UNREACHABLE', 'config/rest/user-lost.json', 'advice'],
      ['REST_ROWS_OPEN', 'config/rest/public-comment-search.json', 'advice'],
      ['REST_ROWS_OPEN', 'config/rest/public-comment-detail.json', 'advice'],
      ['REST_WRITE_OPEN', 'config/rest/public-comment-create.json', 'advice'],
    ],
  );
});

calls.run();
