import * as z from 'zod';
import type { Listener } from '../../core/bus/followers.ts';
import { TreadleError } from '../../core/errors.ts';
import { isPlain } from '../../core/record.ts';
import { isRead } from '../../model/hook-event.ts';
import type { AfterOptions, App } from '../app.ts';
import { type CallShape, compileCallShape, listShapeWords, namesBoth } from '../call/call-shape.ts';
import type { Draft } from '../draft.ts';
import { addCommitted } from '../emit/committed.ts';
import { runTransaction, takeLock } from '../emit/work.ts';
import type { Registrar } from '../registrar.ts';
import { answering, renameAs } from './answer.ts';
import { compileFollower, compileHandler, isHandler, type OwnHandler, toSchemas } from './handler.ts';
import { createResultCheck } from './result-check.ts';
import type { EventOptions } from './type.ts';

const ROUTE = /^[A-Z]+ \//;
const NAME = /^[a-z][\w.-]*$/i;

interface FollowerRegistration {
  readonly event: string | RegExp;
  readonly options: AfterOptions;
  readonly listener: Listener | undefined;
  readonly place: string | undefined;
}

/** Adds a listener that follows an event, and returns it. @throws PLAN_CLOSED, LISTENER_INVALID */
function addFollower(draft: Draft, { event, options, listener, place }: FollowerRegistration): Listener {
  const what = `app.after('${String(event)}')`;
  draft.checkOpen(what);
  if (listener === undefined) {
    const hint = "Write app.after('system-model-create', { schema: 'ticket' }, listener).";
    throw new TreadleError('LISTENER_INVALID', `${what} has no function.`, { hint });
  }
  if (typeof event === 'string' && ROUTE.test(event)) {
    const hint = 'Name the event that the route emits, such as system-model-create.';
    throw new TreadleError('LISTENER_INVALID', `${what} names a route.`, { hint });
  }
  draft.bus.followers.add({ event, schemas: toSchemas(options.schema), listener, place });
  return listener;
}

interface EventRegistration {
  readonly name: string;
  readonly options: EventOptions;
  readonly handler: unknown;
  readonly place: string | undefined;
}

/** @throws PLAN_CLOSED, EVENT_INVALID, EVENT_DECLARED_TWICE */
function checkEvent(draft: Draft, { name, options, handler }: EventRegistration): OwnHandler {
  const what = `app.event('${String(name)}')`;
  draft.checkOpen(what);
  const refuse = (message: string, hint: string): TreadleError => new TreadleError('EVENT_INVALID', message, { hint });
  if (typeof name !== 'string' || !NAME.test(name))
    throw refuse(`${what} has no valid name.`, 'Use letters, digits and . _ - inside, such as talk-seats.');
  if (!isPlain(options) || !isHandler(handler))
    throw refuse(`${what} has no function.`, `Write app.event('${name}', { stage: … }, (stage) => ({ … })).`);
  const other = draft.events.find((event) => event.name === name);
  if (other === undefined) return handler;
  const hint = 'Listen to it with app.on, or rename one of the two.';
  throw new TreadleError('EVENT_DECLARED_TWICE', `${what} is declared at ${other.place ?? 'another place'} already.`, {
    hint,
  });
}

/** The handler of a declared event, with the check of its results. */
function compileEvent(draft: Draft, name: string, handler: Listener, results: CallShape | undefined): Listener {
  const check = createResultCheck({ kind: 'event', name, shape: results });
  const answer = answering(handler);
  if (results === undefined) return answer;
  return renameAs(handler, async (request, response, meta) => {
    const { errorCount } = response;
    const stopped = await answer(request, response, meta);
    if (response.errorCount === errorCount) await check(draft.context(), response);
    return stopped;
  });
}

/** A shape of any values with a sentence about each key. */
const describeKeys = (words: Readonly<Record<string, string>>): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(words).map(([key, text]) => [key, z.unknown().describe(text)])));

/** Declares an event, and returns its listener. */
function addEvent(draft: Draft, registration: EventRegistration): Listener {
  const handler = checkEvent(draft, registration);
  const { name, options, place } = registration;
  const { description = 'An event of the project.' } = options;
  const stage = options.stage && compileCallShape(options.stage, `The stage of ${name}`, namesBoth);
  const results = options.results && compileCallShape(options.results, `The results of ${name}`);
  draft.events.push({
    name,
    description,
    kind: isRead(name) ? 'reads' : 'own',
    stage: () => describeKeys(stage ? listShapeWords(stage) : {}),
    results: () => z.unknown().describe(results ? results.names.join(', ') : 'What its handler returns.'),
    place,
    declared: { stage, results },
  });
  const listener = compileEvent(draft, name, compileHandler(handler, stage, false), results);
  // After every listener of `app.on`, whatever its priority and whenever it was added.
  draft.bus.on(name, listener, Number.NEGATIVE_INFINITY);
  return listener;
}

interface OwnCodeOptions {
  readonly draft: Draft;
  /** `file:line` of the calling project code. */
  readonly place: () => string | undefined;
  readonly register: Registrar['register'];
  readonly app: () => App;
}

/** The part of an {@link App} by which project code takes part in Treadle's own changes, and declares events of its own. */
export function createOwnCode({
  draft,
  place,
  register,
  app,
}: OwnCodeOptions): Pick<App, 'after' | 'committed' | 'event' | 'transaction' | 'lock'> {
  return {
    after(event: string | RegExp, first: AfterOptions | Listener, handler?: unknown) {
      const [options, listener] =
        typeof first === 'function' ? [{}, first] : [first, isHandler(handler) ? compileFollower(handler) : undefined];
      const added = addFollower(draft, { event, options, listener, place: place() });
      register(String(event), added, 0, { phase: 'after' });
      return app();
    },
    committed(event, name, listener, options = {}) {
      addCommitted(draft, { event, name, listener, options, place: place() });
      register(String(event), listener as unknown as Listener, 0, { phase: 'committed' });
      return app();
    },
    event(name: string, options: EventOptions, handler: unknown) {
      register(name, addEvent(draft, { name, options, handler, place: place() }), 0);
      return app();
    },
    transaction: (fn, options = {}) => runTransaction(draft, fn, { ...options, findPlace: place }),
    lock: (key) => takeLock(draft, key),
  };
}
