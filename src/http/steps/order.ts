import type { RouteKind } from '../../core/bus/route-index.ts';
import { compose, type Next, type Step } from '../../core/compose.ts';
import type { Exchange } from '../exchange.ts';
import type { Tools } from '../tools.ts';
import { createArrivalSteps } from './arrive.ts';
import {
  createAccess,
  createBody,
  createCachedPage,
  createForgery,
  createFormToken,
  createListeners,
  createSession,
} from './prepare.ts';

/** The names of the steps of a request, in order: those of every request, then those of each kind of route. */
export const HTTP_STEPS = {
  arrival: ['refuseEarly', 'guard', 'file', 'route'],
  page: [
    'forgery',
    'cachedPage',
    'session',
    'body',
    'formToken',
    'access',
    'listeners',
    'failure',
    'closeSession',
    'respond',
  ],
  api: ['body', 'access', 'listeners', 'failure', 'respond'],
  open: ['body', 'access', 'listeners', 'failure', 'respond'],
} as const;

type ListOf<Names extends readonly string[]> = {
  readonly [Index in keyof Names]: Step<Exchange, Names[Index] & string>;
};
type Lists = { readonly [Kind in keyof typeof HTTP_STEPS]: ListOf<(typeof HTTP_STEPS)[Kind]> };

/** The steps of {@link HTTP_STEPS}. */
export function createLists(tools: Tools): Lists {
  const { failure, closeSession, respond } = tools.answerSteps;
  const [body, access, listeners] = [createBody(tools), createAccess(), createListeners()];
  const [forgery, cachedPage, session] = [createForgery(tools), createCachedPage(tools), createSession(tools)];
  const formToken = createFormToken(tools);
  return {
    arrival: createArrivalSteps(tools),
    page: [forgery, cachedPage, session, body, formToken, access, listeners, failure, closeSession, respond],
    api: [body, access, listeners, failure, respond],
    open: [body, access, listeners, failure, respond],
  };
}

/** Binds the lists to one function that answers a request. */
export function composeLists({ arrival, ...kinds }: Lists): Next<Exchange> {
  const rest: Record<RouteKind, Next<Exchange>> = {
    page: compose<Exchange>(kinds.page),
    api: compose<Exchange>(kinds.api),
    open: compose<Exchange>(kinds.open),
  };
  return compose<Exchange>(arrival, (x) => rest[x.kind](x));
}
