import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Bus } from '../../src/core/bus/bus.ts';
import type { Listener } from '../../src/core/bus/followers.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { toRecord } from '../../src/model/json/json-parts.ts';
import type { StageHandler } from '../../src/plan/handler/handler.ts';

const test = suite('scaffold/article');

// Imported by its URL, so that the compiler does not treat a project's file as one of ours.
const file = join(packageRoot, 'scaffold/blog/app/www/src/controller/article.ts');
const script = transformSync(readFileSync(file, 'utf8'), { loader: 'ts' }).code;
const { default: register } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
  default: (app: unknown) => void;
};

interface Fake {
  readonly emitted: { event: string; stage: Record<string, unknown> }[];
  readonly said: unknown[];
  readonly rendered: { name: string; data: Record<string, unknown> }[];
  readonly transactions: string[];
  send(method: string, path: string, request: Request): Promise<Response>;
}

type Given = readonly [Listener] | readonly [object, StageHandler];

/** A handler with options gets the stage. */
function toListener([first, handler]: Given): Listener {
  if (handler === undefined) return first as Listener;
  return (request, response, meta) => handler(toRecord(request.getStage()), { request, response }, meta);
}

/** The article controller on a bus with fakes of Treadle's events. */
function createFake(events: Readonly<Record<string, Listener>>): Fake {
  const bus = new Bus();
  const fake: Omit<Fake, 'send'> = { emitted: [], said: [], rendered: [], transactions: [] };
  const packages: Record<string, unknown> = {
    global: {
      flash: (message: string, kind: string) => fake.said.push(['flash', message, kind]),
      redirect: (path: string) => fake.said.push(['redirect', path]),
      formToken: () => 'token',
    },
    '/app/www': {
      template(name: string, data: Record<string, unknown>) {
        fake.rendered.push({ name, data });
        return `<${name}>`;
      },
    },
  };
  const app = {
    get: (path: string, ...given: Given) => bus.on(`GET ${path}`, toListener(given)),
    post: (path: string, ...given: Given) => bus.on(`POST ${path}`, toListener(given)),
    async emit(event: string, first: Request | object, own?: Response) {
      const request = first instanceof Request ? first : new Request().setStage(first);
      const response = own ?? new Response(request);
      fake.emitted.push({ event, stage: structuredClone(request.getStage()) as Record<string, unknown> });
      const emitted = await bus.emit(event, request, response);
      return own === undefined ? response : emitted;
    },
    reroute: (method: string, path: string, request: Request, response: Response) =>
      bus.emit(`${method.toUpperCase()} ${path}`, request, response),
    async transaction(work: () => Promise<unknown>) {
      try {
        await work();
        fake.transactions.push('commit');
      } catch (error) {
        fake.transactions.push('rollback');
        throw error;
      }
    },
    package: (name: string) => packages[name],
    settings: { name: 'Blog' },
  };
  register(app);
  for (const [event, listener] of Object.entries(events)) bus.on(event, listener, 0, true);
  return {
    ...fake,
    async send(method, path, request) {
      const response = new Response(request);
      await bus.emit(`${method} ${path}`, request, response);
      return response;
    },
  };
}

const found: Listener = (_, response) => {
  response.setResults({ article_id: 1, article_title: 'A title', comment: [] });
};
const missing: Listener = (_, response) => {
  response.removeResults();
  response.setError(true, 'Not found').setStatus(404);
};
const created: Listener = (_, response) => {
  response.setResults({ comment_id: 9 });
};
const done: Listener = () => {};

const loggedIn = (post: Record<string, unknown>): Request =>
  new Request({ method: 'POST', post: () => post, session: () => ({ me: { profile_id: 3, profile_name: 'Ines' } }) });

test('GET /articles: newest first, a page at a time, titled', async () => {
  const fake = createFake({
    'system-model-search': (_, response) => response.setResults({ rows: [{ article_id: 1 }], total: 45 }) && undefined,
    'www-render-page': done,
  });
  const response = await fake.send('GET', '/articles', new Request().setStage('page', '2').setStage('q', 'loom & co'));
  const stage = fake.emitted[0]?.stage ?? {};
  assert.is(stage.schema, 'article');
  assert.equal(stage.sort, { article_published: 'DESC' });
  assert.is(stage.offset, 20);
  assert.is(response.getPage('title'), 'Articles');
  assert.is(response.getContent(), '<article/search>');
  assert.equal(fake.rendered[0]?.data.pager, {
    page: 2,
    pages: 3,
    newer: '/articles?q=loom+%26+co&page=1',
    older: '/articles?q=loom+%26+co&page=3',
  });
});

test('GET /article/:article_id: titled, with no form of before', async () => {
  const fake = createFake({ 'system-model-detail': found, 'www-render-page': done });
  const response = await fake.send('GET', '/article/1', new Request());
  assert.is(response.getPage('title'), 'A title');
  assert.is(fake.rendered[0]?.data.form, undefined);
  assert.is(fake.rendered[0]?.data.csrf, undefined);
});

test('GET of an article that is not there renders nothing', async () => {
  const fake = createFake({ 'system-model-detail': missing, 'www-render-page': done });
  const response = await fake.send('GET', '/article/99', new Request());
  assert.not(response.hasContent());
  assert.equal(fake.rendered, []);
  assert.not(fake.emitted.some(({ event }) => event === 'www-render-page'));
});

test('a comment while logged out: nothing is created, the typed text is shown again', async () => {
  const fake = createFake({ 'system-model-detail': found, 'www-render-page': done });
  const request = new Request({ method: 'POST', post: () => ({ comment_detail: 'Hello' }) });
  const response = await fake.send('POST', '/article/1', request);
  assert.is(response.getMessage(), 'Must be logged in to comment.');
  assert.equal(response.getFlash(), { message: 'Must be logged in to comment.', type: 'error' });
  assert.equal(fake.rendered[0]?.data.form, { comment_detail: 'Hello' });
  assert.not(fake.emitted.some(({ event }) => event === 'system-model-create'));
  assert.equal(fake.transactions, []);
});

test('a refused comment: the message next to the field and as flash', async () => {
  const fake = createFake({
    'system-model-create': (_, response) => {
      response
        .setError(true, 'Invalid Parameters')
        .setStatus(422)
        .addValidation('comment_detail', 'Comment is required');
    },
    'system-model-detail': found,
    'www-render-page': done,
  });
  const response = await fake.send('POST', '/article/1', loggedIn({ comment_detail: '' }));
  assert.equal(fake.rendered[0]?.data.errors, { comment_detail: 'Comment is required' });
  assert.equal(response.getFlash(), { message: 'Invalid Parameters', type: 'error' });
  assert.equal(fake.transactions, ['rollback']);
  assert.equal(fake.said, []);
});

test('a comment is undone if its link fails', async () => {
  const fake = createFake({
    'system-model-create': created,
    'system-relation-link': missing,
    'system-model-detail': missing,
    'www-render-page': done,
  });
  const response = await fake.send('POST', '/article/99', loggedIn({ comment_detail: 'Hello' }));
  assert.equal(fake.transactions, ['rollback']);
  assert.not(response.hasContent());
});

test('a good comment is linked, told and redirected, and its author is who is logged in', async () => {
  const fake = createFake({ 'system-model-create': created, 'system-relation-link': done });
  await fake.send('POST', '/article/1', loggedIn({ comment_detail: 'Hello', profile_id: '2', schema: 'profile' }));
  const [create, link] = fake.emitted;
  assert.is(create?.event, 'system-model-create');
  assert.is(create?.stage.schema, 'comment');
  assert.is(create?.stage.profile_id, 3);
  assert.is(link?.event, 'system-relation-link');
  assert.is(link?.stage.schema1, 'article');
  assert.is(link?.stage.schema2, 'comment');
  assert.is(link?.stage.article_id, '1');
  assert.is(link?.stage.comment_id, 9);
  assert.equal(fake.transactions, ['commit']);
  assert.equal(fake.said, [
    ['flash', 'Comment Added', 'success'],
    ['redirect', '/article/1'],
  ]);
});

test('a broken world is not taken for a refused comment', async () => {
  const fake = createFake({
    'system-model-create': () => {
      throw new Error('disk full');
    },
  });
  try {
    await fake.send('POST', '/article/1', loggedIn({ comment_detail: 'Hello' }));
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, 'disk full');
  }
});

test.run();
