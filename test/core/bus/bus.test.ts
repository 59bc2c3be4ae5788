import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Bus, EMITTED } from '../../../src/core/bus/bus.ts';
import type { Listener } from '../../../src/core/bus/followers.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';

const pair = (): [Request, Response] => [new Request(), new Response()];
const heard: string[] = [];
const say =
  (word: string, result?: unknown): Listener =>
  () => {
    heard.push(word);
    return result;
  };
const reset = (): void => {
  heard.length = 0;
};

const order = suite('bus order');
order.before.each(reset);

order('hears higher priority first, then order of registration, own ones last', async () => {
  const bus = new Bus();
  bus.on('e', say('own'), 100, true);
  bus.on('e', say('a'));
  bus.on('e', say('b'));
  bus.on('e', say('low'), -1);
  bus.on('e', say('high'), 1);
  assert.is(await bus.emit('e', ...pair()), EMITTED.complete);
  assert.equal(heard, ['high', 'a', 'b', 'low', 'own']);
});

order('tells when nobody listens', async () => {
  assert.is(await new Bus().emit('e', ...pair()), EMITTED.unheard);
  assert.is(new Bus().hasListener('e'), false);
});

order('is stopped by false, also from a promise', async () => {
  for (const result of [false, Promise.resolve(false)]) {
    reset();
    const bus = new Bus();
    bus.on('e', say('a', result));
    bus.on('e', say('b'));
    assert.is(await bus.emit('e', ...pair()), EMITTED.incomplete);
    assert.equal(heard, ['a']);
  }
});

order('is stopped by an error of this emit, not by one that was there before', async () => {
  const bus = new Bus();
  bus.on('e', say('a'));
  bus.on('e', (_, response) => void response.setError(true, 'no'), -1);
  bus.on('e', say('never'), -2);
  const [request, response] = pair();
  response.setError(true, 'before');
  assert.is(await bus.emit('e', request, response), EMITTED.incomplete);
  assert.equal(heard, ['a']);
});

order('forgets a listener by its remover', async () => {
  const bus = new Bus();
  const remove = bus.on(['e', 'f'], say('a'));
  await bus.emit('e', ...pair());
  remove();
  remove();
  assert.is(await bus.emit('e', ...pair()), EMITTED.unheard);
  assert.is(bus.hasListener('f'), false);
  assert.equal(heard, ['a']);
});

order('refuses listeners once it is frozen', () => {
  const bus = new Bus();
  bus.freeze();
  assert.throws(() => bus.on('e', say('a')), /after loading/);
});

order('lists its listeners by name', () => {
  const bus = new Bus();
  bus.on('e', function greet() {}, 2);
  bus.on(/x/, () => {}, 0, true);
  assert.equal(bus.list(), [
    { event: 'e', priority: 2, isOwn: false, name: 'greet' },
    { event: '/x/', priority: 0, isOwn: true, name: '(anonymous)' },
  ]);
});

order('traces who ran and who stopped', async () => {
  const bus = new Bus();
  const seen: string[] = [];
  const end = bus.trace(({ event, listener, isStopped }) => seen.push(`${event} ${listener} ${isStopped}`));
  bus.on('e', function first() {});
  bus.on('e', function second() {
    return false;
  });
  await bus.emit('e', ...pair());
  end();
  await bus.emit('e', ...pair());
  assert.equal(seen, ['e first false', 'e second true']);
});

order.run();

const patterns = suite('bus patterns');
patterns.before.each(reset);

const names: [string | RegExp, string, string[] | undefined][] = [
  ['system-model-*', 'system-model-create', ['create']],
  ['%s-created', 'a-created', ['a']],
  ['system-*-%s', 'system-model-create', ['model', 'create']],
  [/^system-(\w+)-create$/g, 'system-model-create', ['model']],
  ['system-model-*', 'system-relation-link', undefined],
  ['a.c', 'abc', undefined],
];
for (const [pattern, event, variables] of names) {
  patterns(`${pattern} ${variables ? 'hears' : 'does not hear'} ${event}`, async () => {
    const bus = new Bus();
    let found: readonly string[] | undefined;
    bus.on(pattern, (_, __, meta) => {
      found = meta.variables;
    });
    await bus.emit(event, ...pair());
    await bus.emit(event, ...pair());
    assert.equal(found, variables);
  });
}

patterns.run();

const routes = suite('bus routes');
routes.before.each(reset);

const table: [string, string, object | undefined][] = [
  ['GET /', 'GET /', { parameters: {}, variables: [] }],
  ['GET /articles', 'GET /articles', { parameters: {}, variables: [] }],
  ['GET /articles', 'GET /Articles/', { parameters: {}, variables: [] }],
  ['GET /articles', 'POST /articles', undefined],
  ['GET /articles', 'GET /articles/1', undefined],
  ['ALL /articles', 'PATCH /articles', { parameters: {}, variables: [] }],
  ['GET /article/:article_id', 'GET /article/5', { parameters: { article_id: '5' }, variables: [] }],
  ['GET /article/:article_id', 'GET /article/a%20b', { parameters: { article_id: 'a b' }, variables: [] }],
  ['GET /article/:article_id', 'GET /article/..%2Fx', { parameters: { article_id: '../x' }, variables: [] }],
  ['GET /article/:article_id', 'GET /article/%zz', undefined],
  ['GET /article/:article_id', 'GET /article/', undefined],
  ['GET /a/*/b/*', 'GET /a/1/b/2', { parameters: {}, variables: ['1', '2'] }],
  ['GET /:x/*/:y', 'GET /1/2/3', { parameters: { x: '1', y: '3' }, variables: ['2'] }],
  ['GET /files/**', 'GET /files/a/b.txt', { parameters: {}, variables: ['a/b.txt'] }],
  ['GET /files/**', 'GET /files', { parameters: {}, variables: [''] }],
  ['GET /a/x-*', 'GET /a/x-1', { parameters: {}, variables: ['1'] }],
  ['GET /a+b', 'GET /a+b', { parameters: {}, variables: [] }],
  ['GET /a+b', 'GET /aab', undefined],
];
for (const [route, event, expected] of table) {
  routes(`${route} ${expected ? 'takes' : 'leaves'} ${event}`, async () => {
    const bus = new Bus();
    bus.on(route, say('x'));
    const [request, response] = pair();
    await bus.emit(event, request, response);
    const found = request.getRoute();
    assert.equal(found && { parameters: found.parameters, variables: [...found.variables] }, expected);
    assert.is(bus.hasListener(event), expected !== undefined);
  });
}

routes('puts route parameters into the stage, over query and post', async () => {
  const bus = new Bus();
  bus.on('GET /article/:article_id', () => {});
  const request = new Request({ get: () => ({ article_id: '9', a: '1' }) });
  await bus.emit('GET /article/5', request, new Response());
  assert.equal(request.getStage(), { article_id: '5', a: '1' });
});

routes('lets the more specific pattern answer, and leaves the others out once it did', async () => {
  const bus = new Bus();
  bus.on('GET /article/:id', say('parameter'));
  bus.on('GET /article/create', (_, response) => {
    heard.push('fixed');
    response.setContent('x');
  });
  bus.on('GET /article/create', say('same pattern'));
  bus.on('GET /article/*', say('guard'), 10);
  bus.on('GET /article/*', say('after'), -10);
  bus.on('GET /article/create', say('own'), 0, true);
  await bus.emit('GET /article/create', ...pair());
  assert.equal(heard, ['guard', 'fixed', 'same pattern', 'after']);
});

routes('leaves an own route of another pattern out once a page has answered', async () => {
  const bus = new Bus();
  bus.on('GET /auth/**', (_, response) => void response.setContent('mine'));
  bus.on('GET /auth/login', say('own'), 0, true);
  await bus.emit('GET /auth/login', ...pair());
  assert.equal(heard, []);
});

routes('names the methods of a path', () => {
  const bus = new Bus();
  bus.on('GET /a/:id', () => {});
  bus.on('POST /a/*', () => {});
  assert.equal(bus.match('GET', '/a/1').methods, ['GET', 'POST']);
  assert.equal(bus.match('GET', '/b').methods, []);
});

routes('remembers no more paths than its bound', async () => {
  const bus = new Bus();
  bus.on('GET /a/:id', say('x'));
  for (let id = 0; id < 1100; id += 1) await bus.emit(`GET /a/${id}`, ...pair());
  assert.is(heard.length, 1100);
});

routes.run();
