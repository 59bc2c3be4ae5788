import { compose, type Next } from '../core/compose.ts';
import type { RouteKind } from '../core/route-index.ts';
import type { Exchange } from './exchange.ts';
import { createArrivalSteps } from './steps/arrive.ts';
import {
  createAccess,
  createBody,
  createCachedPage,
  createForgery,
  createFormToken,
  createListeners,
  createSession,
} from './steps/prepare.ts';
import type { Tools } from './tools.ts';

/** The steps of a request, in order: those of every request, then those of each kind of route. */
export function createLists(tools: Tools) {
  const { failure, closeSession, respond } = tools.answerSteps;
  const [body, access, listeners] = [createBody(tools), createAccess(), createListeners(tools)];
  const before = [createForgery(tools), createCachedPage(tools), createSession(tools)] as const;
  return {
    arrival: createArrivalSteps(tools),
    page: [...before, body, createFormToken(tools), access, listeners, failure, closeSession, respond],
    api: [body, access, listeners, failure, respond],
    open: [body, access, listeners, failure, respond],
  } as const;
}

export type Lists = ReturnType<typeof createLists>;

/** Binds the lists to one function that answers a request. */
export function composeLists({ arrival, ...kinds }: Lists): Next<Exchange> {
  const rest: Record<RouteKind, Next<Exchange>> = {
    page: compose<Exchange>(kinds.page),
    api: compose<Exchange>(kinds.api),
    open: compose<Exchange>(kinds.open),
  };
  return compose<Exchange>(arrival, (x) => rest[x.kind](x));
}
