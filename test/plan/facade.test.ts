import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { currentScope } from '../../src/core/scope.ts';
import { build, pair } from './_setup.ts';

const routes = suite('app routes');

for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
  routes(`${method} listens to its method and path`, async () => {
    const { app, activate } = build();
    const seen: unknown[] = [];
    assert.is(
      app[method]('/a/:id', (request) => void seen.push(request.getStage('id'))),
      app,
    );
    const context = activate();
    const [request, response] = pair();
    await context.emit(`${method.toUpperCase()} /a/5`, request, response);
    assert.equal(seen, ['5']);
  });
}

routes('all listens to every method, route takes a priority, a text names an event', async () => {
  const { app, activate } = build();
  const seen: string[] = [];
  app.on('greet', () => void seen.push('greet'));
  app.all('/a', 'greet');
  app.route('get', '/a', () => void seen.push('first'), 1);
  const context = activate();
  await context.emit('GET /a', ...pair());
  await context.emit('DELETE /a', ...pair());
  assert.equal(seen, ['first', 'greet', 'greet']);
});

routes('an event that a route names stops the route when it fails', async () => {
  const { app, activate } = build();
  const seen: string[] = [];
  app.on('fail', (_, response) => void response.setError(true, 'no'));
  app.get('/a', 'fail', () => void seen.push('after'));
  await activate().emit('GET /a', ...pair());
  assert.equal(seen, []);
});

routes('reroutes inside with the same request and response', async () => {
  const { app, activate } = build();
  app.post('/article/:article_id', async (request, response) => {
    response.setError(true, 'Must be logged in to comment.');
    await app.reroute('get', '/article/7', request, response);
  });
  app.get(
    '/article/:article_id',
    (request, response) => void response.setContent(`${request.getStage('article_id')} ${response.getMessage()}`),
  );
  const [request, response] = pair();
  await activate().emit('POST /article/7', request, response);
  assert.is(response.getContent(), '7 Must be logged in to comment.');
});

routes('emits with its own stage and gives the response, independent of the visitor', async () => {
  const { app, activate } = build();
  app.on('ask', (request, response) => void response.setResults({ got: request.getStage(), ids: [7] }));
  app.get('/a', async (request, response) => {
    const answer = await app.emit('ask', { schema: 'article', limit: 1 });
    response.setContent(`${answer.getResults('ids', 0)} ${request.getStage('schema')} ${response.hasResults()}`);
    assert.equal(answer.getResults('got'), { schema: 'article', limit: 1 });
    assert.not(answer === response);
  });
  const [request, response] = pair();
  await activate().emit('GET /a', request, response);
  assert.is(response.getContent(), '7 undefined false');
});

routes('refuses anything that is added after loading, and an emit before it ended', async () => {
  const { app, www, activate } = build();
  assert.throws(() => app.emit('x', ...pair()), /while the project is being loaded/);
  activate();
  assert.throws(() => app.get('/late', () => {}), /GET \/late was added after loading/);
  assert.throws(() => app.on('late', () => {}), /after loading/);
  assert.throws(() => app.rest({ access: 'public', method: 'get', path: '/x' }, () => {}), /after loading/);
  assert.throws(() => app.webhook({ type: 'a.b', event: 'e' }), /after loading/);
  assert.throws(() => www.method('late', () => {}), /after loading/);
  assert.throws(() => app.package('global').method('late', () => {}), /after loading/);
});

routes('knows settings, model and log', () => {
  const { app } = build();
  assert.is(app.settings.limits.pageRows, 50);
  assert.is(app.model.schemas.size, 0);
  app.log.info('x');
});

routes.run();

const packages = suite('packages');

packages('have virtual methods, a view and a folder', () => {
  const { app, www } = build();
  www.method('template', (name: string, data: object) => www.view(name, data));
  assert.is(
    app.package('/app/www').template('article/search', { rows: [] }),
    '/project/app/www/article/search {"rows":[]}',
  );
  assert.is(app.package('/app/www').view('x'), '/project/app/www/x {}');
  assert.is(www.folder(), '/project/app/www');
});

packages('an unknown one is named with those there are', () => {
  const error = (() => {
    try {
      return build().app.package('/app/ww');
    } catch (thrown) {
      return thrown as Error & { hint: string };
    }
  })();
  assert.match(String(error), /no package "\/app\/ww"/);
  assert.match(error.hint, /global, \/app\/www/);
});

packages('global flashes and redirects the exchange that is being answered', () => {
  const { app, activate } = build();
  activate();
  const [request, response] = pair();
  currentScope.run({ request, response }, () => {
    app.package('global').flash('Comment Added', 'success');
    app.package('global').redirect('/article/1');
    assert.is(app.package('global').formToken(), 'form-token');
  });
  assert.equal(request.getSession('flash'), { message: 'Comment Added', type: 'success' });
  assert.is(response.getHeaders('location'), '/article/1');
  assert.is(response.getStatus(), 303);
});

packages('global says so outside a request, and takes methods of the project', () => {
  const { app } = build();
  assert.throws(() => app.package('global').flash('x'), /outside a request/);
  app.package('global').method('double', (n: number) => n * 2);
  assert.is(app.package('global').double(2), 4);
});

for (const path of [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  '/a\nb',
  '/\t/evil',
  '\u0000/',
]) {
  packages(`global never redirects to ${JSON.stringify(path)}`, () => {
    const { app } = build();
    const [request, response] = pair();
    currentScope.run({ request, response }, () => {
      assert.throws(() => app.package('global').redirect(path), /path of this site/);
    });
    assert.is(response.getHeaders('location'), undefined);
  });
}

packages.run();

const transactions = suite('app.transaction');

transactions('commits, and gives what was returned', async () => {
  const { app, journal, activate } = build();
  activate();
  assert.is(await app.transaction(async () => 5), 5);
  assert.equal(journal, ['begin', 'commit']);
});

transactions('rolls back when an emit inside fails, and still gives what was returned', async () => {
  const { app, journal, activate } = build();
  app.on('fail', (_, response) => void response.setError(true, 'no'));
  activate();
  const [request, response] = pair();
  const value = await app.transaction(async () => {
    await app.emit('fail', request, response);
    return 'done';
  });
  assert.is(value, 'done');
  assert.equal(journal, ['begin', 'rollback']);
  assert.is(response.getMessage(), 'no');
});

transactions('an error that was there before does not roll back', async () => {
  const { app, journal, activate } = build();
  app.on('fine', () => {});
  activate();
  const [request, response] = pair();
  response.setError(true, 'before');
  await app.transaction(() => app.emit('fine', request, response));
  assert.equal(journal, ['begin', 'commit']);
});

transactions('rolls back and throws what was thrown', async () => {
  const { app, journal, activate } = build();
  activate();
  try {
    await app.transaction(async () => {
      throw new Error('broken');
    });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /broken/);
  }
  assert.equal(journal, ['begin', 'rollback']);
});

transactions.run();
