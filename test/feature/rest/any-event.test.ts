import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { AnswerCache } from '../../../src/feature/rest/cached-answer.ts';
import { compileCall } from '../../../src/feature/rest/call.ts';
import { compileCors } from '../../../src/feature/rest/cors.ts';
import type { RestMethod } from '../../../src/model/shape.ts';
import type { CallPlan } from '../../../src/plan/feature.ts';
import { type Site, startSite } from './_site.ts';

const test = suite('rest calls of any event, method and path');
const state: { site?: Site } = {};
test.before(async () => {
  state.site = await startSite();
});
test.after(() => state.site?.close());

const METHODS: readonly RestMethod[] = ['get', 'post', 'put', 'patch', 'delete'];

const toCall = (event: string, method: RestMethod): CallPlan => ({
  name: 'any',
  definition: { title: 'Any', access: 'public', method, path: '/public/any', event },
  path: '/rest/public/any',
  parameters: [],
  scopes: [],
  schema: undefined,
  isOwn: false,
  file: 'config/rest/any.json',
  handler: undefined,
});

test('a call of every event, with nothing given or nonsense, answers and never breaks', async () => {
  const { app } = state.site as Site;
  const calls = { cache: new AnswerCache(), corsOf: compileCors };
  const events = [...app.plan.events.map(({ name }) => name), 'greet'];
  assert.ok(events.length > 40, `${events.length} events`);
  for (const event of events) {
    for (const method of METHODS) {
      for (const stage of [{}, { schema: 'nowhere', note_id: 'x', limit: ['a'], operations: 7, filter: 'x' }]) {
        const request = new Request({ method, path: '/rest/public/any' }).setStage(stage);
        const response = new Response(request);
        await compileCall(toCall(event, method), app.context, calls)(request, response, { event, variables: [] });
        const status = response.getStatus();
        assert.ok(response.isAnswered() || response.isError(), `${method} ${event} left no answer`);
        assert.ok(status < 500, `${method} ${event} ${JSON.stringify(stage)}: ${status} ${response.getMessage()}`);
        assert.is(response.isError(), status >= 400, `${method} ${event}: ${status}`);
      }
    }
  }
});

test('an event of the project’s own is answered by every method, with path, query and body in its stage', async () => {
  const site = state.site as Site;
  const token = await site.token();
  for (const access of ['public', 'app', 'user']) {
    const headers = { authorization: access === 'app' ? `Basic ${btoa('full:tk_cs_secret')}` : `Bearer ${token}` };
    for (const method of METHODS) {
      for (const path of [`greet/${method}/Una`, 'greet/all/Una']) {
        const json = method === 'get' ? {} : { json: { deep: { b: 1 } } };
        const answer = await site.send(method.toUpperCase(), `/rest/${access}/${path}?q=1&name=no`, {
          headers,
          ...json,
        });
        assert.is(answer.status, 200, `${access} ${method} ${path}: ${JSON.stringify(answer.json)}`);
        const { stage, actor } = answer.json.results;
        assert.is(stage.name, 'Una', 'the path is stronger than the query');
        assert.is(stage.q, '1');
        if (method !== 'get') assert.equal(stage.deep, { b: 1 });
        assert.is(stage.profile_id, access === 'user' ? site.una : undefined);
        assert.is(actor.kind, access);
      }
    }
  }
});

test('wildcards are variables in order; fixed parameters, nested too, win over the request', async () => {
  const site = state.site as Site;
  const answer = await site.send('GET', '/rest/public/file/a%20b/of/c/d?deep[a]=1&deep[x]=2');
  assert.is(answer.status, 200);
  assert.equal(answer.json.results.variables, ['a b', 'c/d']);
  assert.equal(answer.json.results.stage.deep, { a: [1, { b: 'c' }] });
  assert.is((await site.send('GET', '/rest/public/file/a/other')).status, 404);
  const wrong = await site.send('DELETE', '/rest/public/file/a/of/b');
  assert.is(wrong.status, 405);
  assert.match(wrong.headers.allow ?? '', /GET/);
});

test('a call can’t be opened by naming another access, another case or a longer path', async () => {
  const site = state.site as Site;
  for (const path of [
    '/rest/USER/note/search',
    '/REST/user/note/search/',
    '/rest//user/note/search',
    '/rest/user/./note/search',
  ]) {
    const { status } = await site.send('GET', path);
    assert.ok(status === 401 || status === 404, `${path} ${status}`);
  }
});

test.run();
