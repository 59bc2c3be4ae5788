import type { Listener } from '../core/bus.ts';
import { TreadleError } from '../core/errors.ts';
import type { AfterOptions } from './app.ts';
import type { Draft } from './draft.ts';

const ROUTE = /^[A-Z]+ \//;

interface Wish {
  readonly event: string | RegExp;
  readonly options: AfterOptions;
  readonly listener: Listener | undefined;
  readonly place: string | undefined;
}

/** Adds a listener that follows an event, and returns it. @throws PLAN_CLOSED, LISTENER_INVALID */
export function addFollower(draft: Draft, { event, options, listener, place }: Wish): Listener {
  const what = `app.after('${String(event)}')`;
  draft.checkOpen(what);
  if (typeof listener !== 'function') {
    const hint = "Write app.after('system-model-create', { schema: 'ticket' }, listener).";
    throw new TreadleError('LISTENER_INVALID', `${what} has no function.`, { hint });
  }
  if (typeof event === 'string' && ROUTE.test(event)) {
    const hint = 'Name the event that the route emits, such as system-model-create.';
    throw new TreadleError('LISTENER_INVALID', `${what} names a route.`, { hint });
  }
  const { schema } = options;
  const schemas = schema === undefined ? undefined : new Set(typeof schema === 'string' ? [schema] : schema);
  draft.bus.followers.add({ event, schemas, listener, place });
  return listener;
}
