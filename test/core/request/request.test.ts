import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { currentScope } from '../../../src/core/scope.ts';

const printed = ['args', 'body', 'cookie', 'files', 'post', 'server', 'path', 'method', 'query', 'session', 'route'];

const made = suite('request');

made('needs no argument and prints the documented keys', () => {
  const shown = JSON.parse(String(new Request()));
  assert.equal(Object.keys(shown), printed);
  assert.equal(shown.path, { string: '', array: [''] });
  assert.equal(shown.route, { method: 'GET', path: '', variables: [] });
});

made('fills the stage from query, then post; later wins', () => {
  const request = new Request({
    method: 'post',
    path: '/foo/bar',
    query: 'a=1&b=1',
    get: () => ({ a: '1', b: '1' }),
    post: () => ({ b: '2', c: '2' }),
  });
  assert.equal(request.getStage(), { a: '1', b: '2', c: '2' });
  assert.is(request.getMethod(), 'POST');
  assert.is(request.isMethod('post'), true);
  assert.is(request.getQuery(), 'a=1&b=1');
});

made('knows what of the stage came from outside, and what code set', () => {
  const filter = { active: '0', state: 'x' };
  const request = new Request({ get: () => ({ a: '1', b: '1', filter }), post: () => ({ b: '2', list: ['x'] }) });
  request.bringStage({ id: '7' }).setStage('schema', 'article').setStage('a', '1').setSoftStage({ b: '3', soft: 1 });
  const brought = (...path: [string, ...string[]]): boolean => request.isBrought(...path);
  for (const key of ['b', 'id', 'list', 'filter']) assert.is(brought(key), true, key);
  for (const key of ['a', 'schema', 'soft', 'nothing', 'toString']) assert.is(brought(key), false, key);
  assert.is(brought('filter', 'active'), true);
  request.setStage('filter', 'active', '0');
  assert.is(brought('filter', 'active'), false, 'the same value, but set by code');
  assert.is(brought('filter', 'active', 'eq'), false, 'within what code set');
  assert.is(brought('filter', 'state'), true);
  request.set('stage', 'filter', 'state', 'y').removeStage('b');
  assert.is(brought('filter', 'state'), false);
  assert.is(brought('b'), false);
  request.setStage('filter', request.getGet('filter'));
  assert.is(brought('filter', 'active'), true, 'an object of the query stays that');
  request.setStage('filter', { ...filter });
  assert.is(brought('filter', 'active'), false, 'one that code made is code’s');
  request.load();
  assert.is(brought('a'), true, 'loaded again');
});

made('knows an object of the query in a stage that code made of it', () => {
  const outer = new Request({ get: () => ({ filter: { active: 'any' }, where: { active: '0' }, q: 'x' }) });
  currentScope.run({ request: outer }, () => {
    const copy = new Request().setStage({ ...(outer.getStage() as object), schema: 'article' });
    assert.equal([copy.isBrought('filter', 'active'), copy.isBrought('q')], [true, false]);
    assert.is(new Request().setStage('filter', outer.getGet('where')).isBrought('filter', 'active'), true);
    assert.is(copy.setStage('filter', 'active', 'any').isBrought('filter', 'active'), false);
    assert.is(new Request().setStage({ filter: { active: 'any' } }).isBrought('filter', 'active'), false);
  });
});

made('computes a lazy part once, when it is first looked at', () => {
  let looked = 0;
  const request = new Request({
    cookie: () => {
      looked += 1;
      return { sid: 'x' };
    },
  });
  request.getStage('anything');
  assert.is(looked, 0);
  assert.is(request.getCookies('sid'), 'x');
  assert.is(request.get('cookie', 'sid'), 'x');
  assert.is(looked, 1);
});

made('knows its path as text and as segments that start with an empty one', () => {
  const request = new Request().setPath('/foo/bar');
  assert.equal(request.getPath(), { string: '/foo/bar', array: ['', 'foo', 'bar'] });
  assert.is(request.getPath('string'), '/foo/bar');
  assert.equal(request.setPath(['', 'a', 'b']).getPath('array'), ['', 'a', 'b']);
  assert.is(request.getPath('string'), '/a/b');
  assert.is(request.getPath(1), 'a');
});

made('knows its route, parameters and variables', () => {
  const request = new Request().setRoute({
    event: 'GET /x/:id/*',
    parameters: { id: '7' },
    variables: ['rest'],
    path: '/x/:id/*',
  });
  assert.is(request.getRoute('event'), 'GET /x/:id/*');
  assert.is(request.getRoute('method'), 'GET');
  assert.is(request.getParameters('id'), '7');
  assert.equal(request.getParameters(), { id: '7' });
  assert.equal(request.getVariables(), ['rest']);
  assert.is(request.getVariables(0), 'rest');
  assert.equal(new Request().getParameters(), {});
  assert.equal(new Request().getVariables(), []);
});

made('has content where a body came', () => {
  const request = new Request({ body: () => '{"a":1}' });
  assert.is(request.getContent(), '{"a":1}');
  assert.is(request.hasContent(), true);
  assert.is(new Request().hasContent(), false);
  assert.is(new Request().setContent('x').getContent(), 'x');
});

made('counts the changes of the session', () => {
  const request = new Request({ session: () => ({ me: { profile_id: 1 } }) });
  assert.is(request.getSession('me', 'profile_id'), 1);
  assert.is(request.sessionChanges, 0);
  request.setSession('a', 1).removeSession('me').set('session', 'b', 2).remove('session', 'a').setSession({});
  assert.is(request.sessionChanges, 5);
  assert.is(request.hasSession(), false);
});

made('keeps command-line arguments', () => {
  assert.equal(new Request({ args: ['a'] }).getArgs(), ['a']);
  assert.equal(new Request().setArgs(['b']).getArgs(), ['b']);
});

made('is the whole store where nothing is named', () => {
  const request = new Request({ get: () => ({ q: 'x' }) });
  assert.is((request.get() as { get: { q: string } }).get.q, 'x');
});

made.run();

const parts = suite('request parts');

for (const part of ['Post', 'Get', 'Cookies', 'Files', 'Session', 'Stage'] as const) {
  parts(`${part}: one entry by name, the whole set without, an object replaces (the stage: merges)`, () => {
    const request = new Request();
    assert.is(request[`set${part}`]('a', 'b', 1), request);
    assert.is(request[`get${part}`]('a', 'b'), 1);
    assert.is(request[`has${part}`]('a', 'b'), true);
    assert.is(request[`has${part}`]('nothing'), false);
    request[`set${part}`]({ x: null, y: 2 });
    assert.is(request[`has${part}`]('x'), false, 'null is nothing');
    assert.is(request[`has${part}`]('a'), part === 'Stage');
    assert.is(request[`has${part}`](), true);
    request[`remove${part}`]('y');
    assert.is(request[`has${part}`]('y'), false);
    request[`remove${part}`]();
    assert.equal(request[`get${part}`](), {});
  });

  parts(`${part}: refuses the prototype names`, () => {
    const request = new Request();
    request[`set${part}`]('__proto__', 'x', 1)[`set${part}`](JSON.parse('{"__proto__":{"x":1}}'));
    assert.is(({} as Record<string, unknown>).x, undefined);
    assert.is(request[`get${part}`]('x'), undefined);
  });
}

parts('server data is one-dimensional', () => {
  const request = new Request({ server: () => ({ HTTP_HOST: 'x' }) });
  assert.is(request.getServer('HTTP_HOST'), 'x');
  assert.is(request.setServer('A', 1).hasServer('A'), true);
  assert.is(request.hasServer(), true);
  assert.equal(Object.keys(request.getServer() as object), ['HTTP_HOST', 'A']);
});

parts('a soft stage adds without overwriting', () => {
  const request = new Request().setStage('a', 1).setSoftStage({ a: 2, b: 2, ...JSON.parse('{"__proto__":1}') });
  assert.equal(request.getStage(), { a: 1, b: 2 });
});

parts('setters that are given nothing useful change nothing', () => {
  assert.equal(new Request().setStage('a').getStage(), {});
  assert.equal(new Request().setPost(null).getPost(), {});
});

parts.run();
