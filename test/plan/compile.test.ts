import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RouteKind } from '../../src/core/bus/route-index.ts';
import type { CallModel, SchemaModel } from '../../src/model/model.ts';
import type { CommitListener, Contribution, Feature } from '../../src/plan/feature.ts';
import { toEvent } from './_event.ts';
import { build, emptyModel, pair } from './_setup.ts';

const feature = (contribution: Contribution, name = 'test'): Feature => ({ name, contribute: () => contribution });
const listen = () => () => {};

function call(name: string, method: 'get' | 'all', path: string): CallModel {
  return {
    name,
    path: `/rest${path}`,
    parameters: [],
    scopes: [],
    schema: undefined,
    isOwn: false,
    file: `config/rest/${name}.json`,
    definition: { title: name, access: 'public', method, path, event: 'e' },
  };
}

const compile = suite('compile');

compile('joins what features contribute', () => {
  const { compile } = build({
    features: [
      feature({
        tables: [{ name: 'treadle_a', columns: [] }],
        problems: [{ code: 'A', file: 'f', path: '', message: 'm' }],
      }),
      feature({
        routes: [{ method: 'GET', path: '/a', description: '', listen }],
        events: [toEvent('e', listen)],
      }),
    ],
  });
  const { plan, problems } = compile();
  assert.equal(
    plan.tables.map(({ name }) => name),
    ['treadle_a'],
  );
  assert.equal(
    plan.events.map(({ name }) => name),
    ['e'],
  );
  assert.is(plan.routes.length, 1);
  assert.equal(
    problems.map(({ code }) => code),
    ['A'],
  );
});

compile('adds hand-written calls and hooks to the defined ones', () => {
  const { app, compile } = build({ model: emptyModel({ calls: new Map([['a', call('a', 'get', '/public/a')]]) }) });
  const handler = () => {};
  app.rest({ access: 'user', method: 'post', path: '/user/greeting/:name', scope: 'greet', description: 'd' }, handler);
  app.webhook({ type: 'article.published', event: 'article-publish', parameters: { schema: 'article' } });
  const { plan, problems } = compile();
  assert.equal(
    plan.calls.map(({ name, isOwn }) => [name, isOwn]),
    [
      ['a', false],
      ['user-greeting-name-post', true],
    ],
  );
  assert.type(plan.calls[1]?.handler, 'function');
  assert.equal(plan.calls[1]?.parameters, ['name']);
  assert.equal(
    plan.hooks.map(({ name, schema }) => [name, schema]),
    [['article-published', 'article']],
  );
  assert.equal(
    problems.map(({ code, message }) => `${code} ${message.includes('greet')}`),
    ['REST_SCOPE_UNKNOWN true', 'PLAN_EVENT_UNHEARD false'],
  );
});

compile('refuses a hand-written call on the method and path of another', () => {
  const { app, compile } = build({ model: emptyModel({ calls: new Map([['a', call('a', 'all', '/public/a/:id')]]) }) });
  app.rest({ access: 'public', method: 'get', path: '/public/a/:other' }, () => {});
  app.rest({ access: 'public', method: 'get', path: '/public/b' }, () => {});
  app.on('e', () => {});
  assert.equal(
    compile().problems.map(({ code }) => code),
    ['REST_CALL_TWICE'],
  );
});

compile('warns of calls and hooks without a listener for their event; a pattern and a route count', () => {
  const calls = ['search', 'serch', 'ping', 'pattern-x'].map((event, index): [string, CallModel] => {
    const made = call(`c${index}`, 'get', `/public/${index}`);
    return [made.name, { ...made, definition: { ...made.definition, event } }];
  });
  const { app, compile } = build({
    model: emptyModel({ calls: new Map(calls) }),
    features: [feature({ events: [toEvent('search', listen)] })],
  });
  app.on('pattern-*', () => {});
  app.webhook({ type: 'a.b', event: 'any-*' });
  app.webhook({ type: 'a.d', event: '*-search' });
  app.webhook({ type: 'a.c', event: 'serach' });
  app.webhook({ type: 'a.e', event: 'order-shipped' });
  const { problems } = compile();
  assert.equal(
    problems.map(({ file, severity, message, hint }) => `${file} ${severity}: ${message} ${hint}`),
    [
      'config/rest/c1.json warning: Nothing listens to "serch", the event of the call "c1". Did you mean "search"?',
      'config/rest/c2.json warning: Nothing listens to "ping", the event of the call "c2". There is only search.',
      'app warning: Nothing listens to "serach", the event of the web hook "a-c". Did you mean "search"?',
      'app advice: Nothing fires the web hook "a-d": a pattern matches no events that only read, and "*-search" matches no other. Write the full name of the event, such as "system-model-search".',
    ],
  );
});

compile('warns of hooks on an event that reports no change, and names events that do', () => {
  const events = [
    toEvent('app-traffic', listen, { kind: 'silent' }),
    toEvent('app-session-search', listen, { kind: 'silent' }),
    toEvent('app-session-remove', listen),
    toEvent('app-create', listen),
    toEvent('app-detail', listen),
    toEvent('rest-access', listen, { kind: 'silent' }),
  ];
  const { app, compile } = build({ features: [feature({ events })] });
  for (const event of ['app-traffic', 'app-session-search', 'rest-access', 'app-create', 'app-*'])
    app.webhook({ type: 'a.b', name: event.replace('*', 'any'), event });
  const silent = compile().problems.filter(({ code }) => code === 'PLAN_EVENT_SILENT');
  assert.equal(
    silent.map(({ severity, path, message, hint }) => `${severity} ${path}: ${message} ${hint}`),
    [
      'advice event: The web hook "app-traffic" never fires: its event "app-traffic" reports no change. Name an event that changes something: app-create, app-session-remove.',
      'advice event: The web hook "app-session-search" never fires: its event "app-session-search" reports no change. Name an event that changes something: app-session-remove.',
      'advice event: The web hook "rest-access" never fires: its event "rest-access" reports no change. Remove the hook, or name an event that changes something.',
    ],
  );
});

compile('a reroute asks the gates of the path that it goes to', async () => {
  const seen: string[] = [];
  const gated: Feature = {
    name: 'gated',
    contribute: () => ({
      gates: [
        () => ({
          guards: (path) => path === '/staff',
          judge: (_path, _request, response) => {
            response.setStatus(403).setContent('closed');
            return false;
          },
        }),
      ],
    }),
  };
  const { app, activate } = build({ features: [gated] });
  app.get('/staff', () => void seen.push('staff'));
  app.get('/open', () => void seen.push('open'));
  const context = activate();
  const [request, response] = pair();
  await app.reroute('get', '/open', request, response);
  await app.reroute('get', '/staff', request, response);
  assert.equal([seen, response.getStatus()], [['open'], 403]);
  assert.is(context.findGate('/open'), undefined);
});

compile.run();

const kinds = suite('kinds of route');

const routed = feature({
  routes: [
    { method: 'GET', path: '/health/live', description: '', kind: 'open', listen },
    { method: 'ALL', path: '/rest/**', description: '', kind: 'api', listen },
    { method: 'POST', path: '/rest/upload/:id', description: '', kind: 'api', bodyBytes: 9, listen },
    { method: 'POST', path: '/auth/login', description: '', listen },
  ],
});
const table: [string, string, RouteKind, number][] = [
  ['GET', '/health/live', 'open', 1048576],
  ['HEAD', '/health/live', 'open', 1048576],
  ['POST', '/health/live', 'open', 1048576],
  ['GET', '/health/other', 'page', 1048576],
  ['GET', '/rest', 'api', 1048576],
  ['POST', '/REST/x/y', 'api', 1048576],
  ['POST', '/rest/upload/1', 'api', 9],
  ['POST', '/auth/login', 'page', 1048576],
  ['GET', '/', 'page', 1048576],
];
for (const [method, path, kind, bodyBytes] of table) {
  kinds(`${method} ${path} is ${kind}, ${bodyBytes} bytes`, () => {
    const { plan } = build({ features: [routed] }).compile();
    const { kind: found, bodyBytes: bytes, uploadBytes } = plan.bus.match(method, path);
    assert.equal([found, bytes, uploadBytes], [kind, bodyBytes, bodyBytes]);
  });
}

kinds('only what takes files gets the limit of uploads: calls that say so and the pages of the project', () => {
  const columns = [{ name: 'photo_file', field: { name: 'file', type: 'image' } }];
  const photo = { name: 'photo', columns } as unknown as SchemaModel;
  const filed = feature({
    routes: [
      { method: 'POST', path: '/auth/login', description: '', listen },
      { method: 'POST', path: '/rest/photo/create', description: '', kind: 'api', takesFiles: true, listen },
      { method: 'POST', path: '/rest/note/create', description: '', kind: 'api', takesFiles: false, listen },
      { method: 'POST', path: '/oauth/token', description: '', kind: 'api', bodyBytes: 9, takesFiles: true, listen },
      { method: 'GET', path: '/upload/*', description: '', kind: 'open', listen },
    ],
  });
  const find = (schemas: Map<string, SchemaModel>) => {
    const { plan } = build({ features: [filed], model: emptyModel({ schemas }) }).compile();
    return ['/auth/login', '/rest/photo/create', '/rest/note/create', '/oauth/token', '/upload/me', '/me'].map(
      (path) => plan.bus.match('POST', path).uploadBytes,
    );
  };
  assert.equal(find(new Map([['photo', photo]])), [1048576, 10485760, 1048576, 9, 10485760, 10485760]);
  assert.equal(find(new Map()), [1048576, 1048576, 1048576, 9, 1048576, 1048576]);
});

kinds.run();

const activate = suite('activate');

activate('puts own listeners last and names them as the plan does', async () => {
  const seen: string[] = [];
  const own = feature({
    events: [toEvent('e', () => () => void seen.push('own'))],
    routes: [{ method: 'GET', path: '/a', description: '', listen: () => () => void seen.push('route') }],
  });
  const { app, activate } = build({ features: [own] });
  app.on('e', () => void seen.push('project'), -100);
  const context = activate();
  await context.emit('e', ...pair());
  await context.emit('GET /a', ...pair());
  assert.equal(seen, ['project', 'own', 'route']);
  assert.equal(
    context.plan.bus
      .list()
      .filter(({ isOwn }) => isOwn)
      .map(({ name }) => name)
      .sort(),
    ['GET /a', 'e'],
  );
  assert.throws(() => context.plan.bus.on('late', () => {}), /after loading/);
});

const hook = { type: 'a.b', event: 'shout' };
const record = (committed: string[]): CommitListener => ({
  handles: () => true,
  commit: async (event) => void committed.push(event),
});

activate('wraps an event that a hook hears in a transaction and commits the hook with it', async () => {
  const committed: string[] = [];
  const commits = feature({ commits: [() => record(committed)] });
  const { app, journal, activate } = build({ features: [commits] });
  app.webhook(hook);
  app.on('shout', () => {});
  await activate().emit('shout', ...pair());
  assert.equal([journal, committed], [['begin', 'commit'], ['shout']]);
});

activate('a failed or stopped event commits no hook; one that nothing listens to does', async () => {
  const committed: string[] = [];
  const commits = feature({ commits: [() => record(committed)] });
  for (const listener of [
    (_: unknown, response: { setError(flag: boolean): unknown }) => void response.setError(true),
    () => false,
    undefined,
  ]) {
    const { app, activate } = build({ features: [commits] });
    app.webhook(hook);
    if (listener) app.on('shout', listener as never);
    await activate().emit('shout', ...pair());
  }
  assert.equal(committed, ['shout']);
});

activate('leaves the transaction to a behaviour that commits by itself', async () => {
  const committed: string[] = [];
  const commits = feature({
    commits: [() => record(committed)],
    events: [
      toEvent('shout', (context) => (request, response) => context.committing('shout', request, response), {
        kind: 'self',
      }),
    ],
  });
  const { app, journal, activate } = build({ features: [commits] });
  app.webhook(hook);
  await activate().emit('shout', ...pair());
  assert.equal([journal, committed], [[], ['shout']]);
});

activate(
  'what reports nothing that happened opens no transaction and commits no hook, by name or by pattern',
  async () => {
    const committed: string[] = [];
    const commits = feature({
      commits: [() => record(committed)],
      events: [toEvent('shout', listen, { kind: 'silent' })],
    });
    for (const event of ['shout', 'sho*']) {
      const { app, journal, activate } = build({ features: [commits] });
      app.webhook({ ...hook, event });
      app.on('shows', () => {});
      const context = activate();
      await context.emit('shout', ...pair());
      assert.equal([journal, committed], [[], []], event);
      await context.emit('shows', ...pair());
      assert.equal(committed.splice(0), event === 'shout' ? [] : ['shows']);
    }
  },
);

activate.run();
