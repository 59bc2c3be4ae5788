import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { isPlain } from '../../../src/core/record.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createStageTwin, createTwin, findOriginal } from '../../../src/core/request/twin.ts';
import type { App } from '../../../src/plan/app.ts';
import { describeResults, describeStage } from '../../../src/plan/event/describe.ts';
import type { StandardSchema } from '../../../src/plan/handler/standard-schema.ts';
import { setOwnFacts } from '../../../src/plan/own-facts.ts';
import { toEvent } from '../_event.ts';
import { build } from '../_setup.ts';

const handlers = suite('handlers that get the stage');

/** Emits with a stage; gives the response. */
async function emit(add: (app: App) => unknown, event: string, stage: object): Promise<Response> {
  const { app, activate } = build();
  add(app);
  const request = new Request().setStage(stage);
  const response = new Response(request);
  await activate().emit(event, request, response);
  return response;
}

/** A shape of no library that Treadle knows. */
const even: StandardSchema<{ n: number }, { n: number; half: number }> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: async (value) => {
      const n = (value as { n?: unknown }).n;
      if (typeof n === 'number' && n % 2 === 0) return { value: { n, half: n / 2 } };
      return {
        issues: [
          { message: 'must be even', path: ['n'] },
          { message: 'odd', path: [{ key: 'deep' }, 0] },
        ],
      };
    },
  },
};

const SHAPES: readonly (readonly [string, object, object, unknown])[] = [
  ['zod strips and converts', z.object({ n: z.coerce.number() }), { n: '4', other: 1 }, { n: 4 }],
  ['zod fills in', z.object({ n: z.number().default(3) }), {}, { n: 3 }],
  ['JSON Schema', { type: 'object', properties: { n: { type: 'integer' } } }, { n: 4 }, { n: 4 }],
  ['zod that waits', z.object({ n: z.number().refine(async (n) => n > 3) }), { n: 4 }, { n: 4 }],
  ['an older zod', z3.object({ n: z3.coerce.number() }), { n: '4', other: 1 }, { n: 4 }],
  ['another library', even, { n: 4 }, { n: 4, half: 2 }],
];
for (const [what, shape, stage, expected] of SHAPES) {
  handlers(`${what}, in an event`, async () => {
    const response = await emit((app) => app.event('own', { stage: shape }, (given) => ({ ...given })), 'own', stage);
    assert.equal(response.getResults(), expected);
  });
  handlers(`${what}, in a route, with the parameters of its path`, async () => {
    const add = (app: App) => app.get('/a/:id', { stage: shape }, (given) => ({ ...given }));
    const response = await emit(add, 'GET /a/7', stage);
    assert.equal(response.getResults(), { id: '7', ...(expected as object) });
  });
}

const WRONG: readonly (readonly [string, object, object, object])[] = [
  ['zod', z.object({ n: z.number() }), { n: 'a' }, { n: 'must be a number' }],
  [
    'JSON Schema',
    { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    {},
    { n: 'is required' },
  ],
  ['zod that waits', z.object({ n: z.number().refine(async (n) => n > 3, 'taken') }), { n: 2 }, { n: 'taken' }],
  ['zod of a wrong type, that waits', z.object({ n: z.number().refine(async () => true) }), {}, { n: 'is required' }],
  ['an older zod', z3.object({ n: z3.number({ message: 'no number' }) }), { n: 'a' }, { n: 'no number' }],
  ['another library', even, { n: 3 }, { n: 'must be even', deep: { 0: 'odd' } }],
  ['the whole', z.object({}).refine(() => false, 'never'), {}, { stage: 'never' }],
];
for (const [what, shape, stage, validation] of WRONG)
  handlers(`a wrong stage is 422, by field: ${what}`, async () => {
    const seen: unknown[] = [];
    const add = (app: App) => {
      app.event('own', { stage: shape }, () => void seen.push(1));
      app.post('/a', { stage: shape }, () => void seen.push(1));
    };
    for (const event of ['own', 'POST /a']) {
      const response = await emit(add, event, stage);
      assert.equal([response.getStatus(), response.getValidation(), seen], [422, validation, []]);
    }
  });

handlers('without a shape an event gets the stage as it is', async () => {
  const response = await emit(
    (app) => app.event('own', {}, ({ a }, { request }) => ({ a, b: request.getStage('a') })),
    'own',
    { a: 1 },
  );
  assert.equal(response.getResults(), { a: 1, b: 1 });
});

handlers(
  'a declared event runs after every listener of app.on, and those may refuse it or answer instead',
  async () => {
    const seen: string[] = [];
    const add = (app: App) => {
      app.event('own', {}, () => void seen.push('event'));
      app.on('own', () => void seen.push('on'));
      app.on('own', { priority: -5 }, ({ say }) => (say === 'instead' ? { instead: true } : undefined));
      app.on('own', (request, response) => {
        if (request.getStage('say') === 'no') response.refuse({ status: 409, message: 'no' });
      });
    };
    await emit(add, 'own', {});
    assert.equal(seen.splice(0), ['on', 'event']);
    assert.is((await emit(add, 'own', { say: 'no' })).getStatus(), 409);
    assert.equal((await emit(add, 'own', { say: 'instead' })).getResults(), { instead: true });
    assert.equal(seen, ['on', 'on']);
  },
);

handlers('app.on with options: of a schema alone, and an answer ends the event; an error stays', async () => {
  const add = (app: App) => {
    app.on('own', { schema: ['talk'], priority: 1 }, (stage) => (stage.id === 1 ? { one: 1 } : undefined));
    app.on('own', { schema: 'talk' }, ({ id }, { response }) => {
      if (id === 2) response.refuse({ status: 409, message: 'no' });
      return id === 3 ? false : { late: true };
    });
    app.on('own', (_, response) => void response.setResults({ ...response.getResults<object>(), last: true }));
  };
  const results = async (stage: object) => (await emit(add, 'own', stage)).getResults();
  assert.equal(await results({ schema: 'talk', id: 1 }), { one: 1 });
  assert.equal(await results({ schema: 'talk', id: 5 }), { late: true });
  assert.equal(await results({ schema: 'talk', id: 3 }), undefined);
  assert.equal(await results({ schema: 'room', id: 1 }), { last: true });
  const refused = await emit(add, 'own', { schema: 'talk', id: 2 });
  assert.equal([refused.getStatus(), refused.getResults(), refused.isError()], [409, undefined, true]);
});

handlers('app.after with options sets the keys that it returns, and no other value', async () => {
  const add = (app: App) => {
    app.event('system-model-update', {}, () => ({ id: 7, original: { id: 6 } }));
    app.after('system-model-update', { schema: 'talk' }, (stage, { row, before, request, response }) => ({
      ...{ row: { ...(row as object) }, before, stage: { ...stage } },
      isSame: request.getStage('a') === stage.a && response.getResults('id') === 7,
    }));
    for (const value of ['text', 5, [1], new Map(), null, new globalThis.Response('a')])
      app.after('system-model-update', { schema: 'talk' }, () => value);
    app.after('system-model-update', { schema: 'other' }, () => ({ other: true }));
  };
  const response = await emit(add, 'system-model-update', { schema: 'talk', a: 1 });
  const original = { id: 6 };
  const stage = { schema: 'talk', a: 1 };
  const expected = { id: 7, original, row: { id: 7, original }, before: original, stage, isSame: true };
  assert.equal([response.getResults(), response.getContent()], [expected, undefined]);
});

handlers('the row before is that of the event, whatever the request was used for', async () => {
  const before: unknown[] = [];
  const add = (app: App) => {
    for (const event of ['system-model-remove', 'system-model-update', 'system-model-restore', 'own']) {
      app.event(event, {}, (_, { request }) => {
        if (/remove|restore/.test(event)) setOwnFacts(request, { before: { id: event } });
        return { id: 1, original: { id: 'updated' } };
      });
      app.after(event, {}, (_, exchange) => void before.push(exchange.before));
    }
    app.event('all', {}, async (_, { request, response }) => {
      for (const name of ['remove', 'update', 'restore']) await app.emit(`system-model-${name}`, request, response);
      await app.emit('own', request, response);
    });
  };
  await emit(add, 'all', {});
  assert.equal(before, [{ id: 'system-model-remove' }, { id: 'updated' }, { id: 'system-model-restore' }, undefined]);
});

handlers('an older handler with options gets what it is written for', async () => {
  const seen: unknown[] = [];
  const add = (app: App) => {
    app.event('own', {}, () => ({ id: 7 }));
    app.event('other', {}, ({ a }, { request }) => ({ a, isWhole: request instanceof Request }));
    app.after('own', { schema: 'talk' }, async (request: Request, response: Response, { event }) => {
      seen.push(event, request instanceof Request, response instanceof Response, request.getStage('a'));
      response.setResults('more', response.getResults('id')).addHeader('x-own', 'yes');
      seen.push(await app.emit('other', request.setStage('a', 2), response));
      seen.push(request.hasStage('a'), response.getResults());
    });
  };
  const response = await emit(add, 'own', { schema: 'talk', a: 1 });
  assert.equal(seen, ['own', true, true, 1, 200, true, { a: 2, isWhole: true }]);
  assert.is(response.getHeaders('x-own'), 'yes');
});

handlers('the stage of a handler may be the stage of another emit', async () => {
  const add = (app: App) => {
    app.event('own', {}, () => ({ id: 7 }));
    app.event('other', {}, (stage) => ({ got: { ...stage } }));
    app.after('own', { schema: 'talk' }, async (stage) => ({
      other: (await app.emit('other', stage)).getResults('got'),
    }));
  };
  const response = await emit(add, 'own', { schema: 'talk', a: 1 });
  assert.equal(response.getResults('other'), { schema: 'talk', a: 1 });
});

handlers('a stage prints its values alone, never the request with its cookies', () => {
  const request = new Request({ cookie: () => ({ sid: 'secret' }), path: '/' }).setStage({ a: 1 });
  const twin = createStageTwin(request, { a: 1 }, ['getPost']);
  assert.is(JSON.stringify(twin), '{"a":1}');
  assert.equal({ ...twin }, { a: 1 });
  assert.equal([twin.getPost, twin.getCookies('sid'), findOriginal(twin) === request], [undefined, 'secret', true]);
  assert.not.match(inspect(twin), 'secret');
  twin.callFacts = undefined;
  assert.equal(Object.keys(twin), ['a']);
  const names: string[] = [];
  for (const name in twin) names.push(name);
  assert.equal([names, String(twin), isPlain(twin)], [['a'], '[object Object]', true]);
});

handlers('a value that is set on a stage is one of its values; what the request knows is set there', () => {
  const request = new Request();
  const twin = createStageTwin(request, { a: 1 });
  Object.assign(twin, { a: 2, later: 3, callFacts: undefined });
  assert.equal({ ...twin }, { a: 2, later: 3 });
  assert.is('later' in request, false);
});

handlers('a name that a client chose hides no method; one that the shape says does', () => {
  const request = new Request().setStage({ getStage: 'evil', get: 'said' });
  const twin = createStageTwin(request, { getStage: 'evil', get: 'said' }, ['get']);
  assert.equal([twin.get, typeof twin.getStage, request.getStage('getStage')], ['said', 'function', 'evil']);
});

handlers('the response prints what it did before it stood beside the request', () => {
  const request = new Request({ cookie: () => ({ sid: 'secret' }) });
  const response = new Response(request).setResults('a', 1);
  const twin = createTwin(response, { request, response });
  assert.is(JSON.stringify(twin), JSON.stringify(response));
  assert.equal([Object.keys(twin), isPlain(twin)], [['request', 'response'], false]);
});

const DECLARED: readonly (readonly [string, (app: App) => unknown, RegExp])[] = [
  ['twice', (app) => app.event('own', {}, () => ({})).event('own', {}, () => ({})), /declared at/],
  ['without a function', (app) => app.event('own', {}, undefined as never), /no function/],
  ['without a name', (app) => app.event('', {}, () => ({})), /no valid name/],
  ['by a route', (app) => app.event('GET /a', {}, () => ({})), /no valid name/],
  ['with no shape', (app) => app.event('own', { stage: { type: 'nothing' } }, () => ({})), /usable shape/],
];
for (const [what, add, message] of DECLARED)
  handlers(`an event is not declared ${what}`, () => {
    assert.throws(() => add(build().app), message);
  });

handlers('an event of Treadle is not declared again', () => {
  const own = toEvent('own', () => () => {});
  const { app, compile } = build({ features: [{ name: 'a', contribute: () => ({ events: [own] }) }] });
  app.event('own', {}, () => ({}));
  assert.equal(
    compile().problems.map(({ code }) => code),
    ['EVENT_DECLARED_TWICE'],
  );
});

handlers('a handler that is no function is left out, with a warning', () => {
  const { app, compile } = build();
  app.get('/a', {}, undefined as never);
  app.on('own', { priority: 1 }, 5 as never);
  app.on('own', { schema: 'nothing' }, () => {});
  assert.equal(
    compile().problems.map(({ code }) => code),
    ['PLAN_LISTENER_INVALID', 'PLAN_LISTENER_INVALID', 'AFTER_SCHEMA_UNKNOWN'],
  );
  assert.throws(() => app.after('own', {}, undefined as never));
});

handlers('lists a declared event with the words of its shapes', () => {
  const { app, compile } = build();
  const stage = z.object({ talk_id: z.number().describe('Which talk'), kind: z.enum(['a', 'b']), n: z.number() });
  app.event('own', { stage, results: z.object({ left: z.number() }), description: 'Counts.' }, () => ({ left: 1 }));
  const [own] = compile().plan.events;
  assert.equal([own?.name, own?.description, own && describeResults(own)], ['own', 'Counts.', 'left']);
  assert.equal(own && describeStage(own), { talk_id: 'Which talk', kind: 'a, b, string', n: 'number' });
});

handlers.run();
