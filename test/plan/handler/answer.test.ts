import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Listener } from '../../../src/core/bus/followers.ts';
import type { Response } from '../../../src/core/request/response.ts';
import { build, pair } from '../_setup.ts';

class Own {
  readonly left = 1;
}

/** What a response says: its content, its results and its error. */
const toSaid = (response: Response): readonly unknown[] => [
  response.getContent(),
  response.getResults(),
  response.isSuccess(),
  response.getStream() !== undefined,
];
const NOTHING = [undefined, undefined, false, false];
const RESULTS = (results: unknown) => [undefined, results, true, false];

const RETURNED: readonly (readonly [string, () => unknown, readonly unknown[]])[] = [
  ['an object', () => ({ left: 1 }), RESULTS({ left: 1 })],
  ['an empty object', () => ({}), RESULTS({})],
  ['an object without a prototype', () => Object.assign(Object.create(null), { a: 1 }), RESULTS({ a: 1 })],
  ['a list', () => [1, 2], RESULTS([1, 2])],
  ['the promise of an object', async () => ({ left: 1 }), RESULTS({ left: 1 })],
  // biome-ignore lint/suspicious/noThenProperty: what `await` waits for need not be a promise.
  ['a thenable', () => ({ then: (done: (value: unknown) => void) => done({ a: 1 }) }), RESULTS({ a: 1 })],
  ['a text', () => '<p>a</p>', ['<p>a</p>', undefined, false, false]],
  ['a stream of Node', () => Readable.from(['a']), [undefined, undefined, false, true]],
  ['a stream of the web', () => new Blob(['a']).stream(), [undefined, undefined, false, true]],
  ['undefined', () => undefined, NOTHING],
  ['null', () => null, NOTHING],
  ['true', () => true, NOTHING],
  ['a number', () => 200, NOTHING],
  ['an instance of a class', () => new Own(), NOTHING],
  ['a map', () => new Map([['a', 1]]), NOTHING],
  ['a date', () => new Date(0), NOTHING],
];

const answer = suite('what a handler returns');

for (const [what, handler, expected] of RETURNED) {
  answer(`of a route: ${what}`, async () => {
    const { app, activate } = build();
    app.get('/old', handler);
    app.get('/new', {}, handler);
    app.event('own', {}, handler);
    const context = activate();
    for (const event of ['GET /old', 'GET /new', 'own']) {
      const [request, response] = pair();
      await context.emit(event, request, response);
      const said = toSaid(response);
      assert.equal(JSON.parse(JSON.stringify(said)), JSON.parse(JSON.stringify(expected)), event);
    }
  });
  answer(`of app.on and app.after without options nothing counts: ${what}`, async () => {
    const { app, activate } = build();
    app.on('own', handler);
    app.after('own', handler);
    const [request, response] = pair();
    await activate().emit('own', request, response);
    assert.equal(toSaid(response), NOTHING);
  });
}

const ANSWERED: readonly (readonly [string, (response: Response) => unknown])[] = [
  ['content', (response) => response.setContent('own')],
  ['results', (response) => response.setResults({ own: 1 })],
  ['a redirect', (response) => response.setRedirect('/own')],
  ['a stream', (response) => response.setStream({ stream: Readable.from(['own']) })],
  ['an error', (response) => response.refuse({ status: 409, message: 'own' })],
  ['an empty answer', (response) => response.setAnswered()],
];
for (const [what, set] of ANSWERED)
  answer(`what a handler returns by accident changes nothing if it has set ${what}`, async () => {
    const { app, activate } = build();
    app.get('/a', (_, response) => {
      set(response);
      return { accident: true };
    });
    const [request, response] = pair();
    await activate().emit('GET /a', request, response);
    const [, alone] = pair();
    set(alone);
    assert.equal(JSON.stringify(response.get('json')), JSON.stringify(alone.get('json')));
    assert.equal(response.getContent(), alone.getContent());
  });

answer('false stops the listeners after it, and an object does not', async () => {
  const { app, activate } = build();
  const seen: string[] = [];
  app.get('/stop', () => false, (() => void seen.push('stopped')) as Listener);
  app.get('/go', () => ({ a: 1 }), (() => void seen.push('next')) as Listener);
  const context = activate();
  await context.emit('GET /stop', ...pair());
  await context.emit('GET /go', ...pair());
  assert.equal(seen, ['next']);
});

const KEPT = { 'content-encoding': 'gzip', 'content-length': '1', etag: '"a"' };
answer('a Response of the web has its status, its headers, each cookie and its body', async () => {
  const { app, activate } = build();
  const headers = new Headers({ 'x-own': 'yes', ...KEPT });
  headers.append('set-cookie', 'a=1');
  headers.append('set-cookie', 'b=2');
  app.get('/a', (_, response) => {
    response.addHeader('set-cookie', 'own=0');
    return new globalThis.Response('body', { status: 418, headers });
  });
  app.get('/fetched', () =>
    Object.defineProperty(new globalThis.Response('body', { headers }), 'url', { value: 'http://b/' }),
  );
  app.get('/empty', () => new globalThis.Response(null, { status: 404 }));
  const context = activate();
  const [request, response] = pair();
  await context.emit('GET /a', request, response);
  assert.is(response.getStatus(), 418);
  assert.equal(response.getHeaders('set-cookie'), ['own=0', 'a=1', 'b=2']);
  assert.equal([response.getHeaders('x-own'), response.getHeaders('content-encoding')], ['yes', 'gzip']);
  const chunks: Buffer[] = [];
  for await (const chunk of response.getStream()?.stream ?? []) chunks.push(Buffer.from(chunk));
  assert.is(Buffer.concat(chunks).toString(), 'body');
  // What `fetch` has unpacked is longer than the header says.
  const [, unpacked] = pair();
  await context.emit('GET /fetched', new (request.constructor as new () => typeof request)(), unpacked);
  assert.equal(
    Object.keys(KEPT).map((name) => unpacked.getHeaders(name)),
    [undefined, undefined, '"a"'],
  );
  const [, empty] = pair();
  await context.emit('GET /empty', ...([pair()[0], empty] as const));
  assert.equal([empty.getStatus(), empty.isAnswered()], [404, true]);
});

answer.run();
