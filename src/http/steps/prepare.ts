import { findPageAccess, needsAccount, toOpenAccess } from '../../access/grant.ts';
import type { Access } from '../../core/access.ts';
import type { ListenerEntry } from '../../core/bus/bus.ts';
import type { RouteSet } from '../../core/bus/route-index.ts';
import type { Next, Step } from '../../core/compose.ts';
import { continueWith } from '../../core/continue-with.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { currentScope } from '../../core/scope.ts';
import { noteTyped, readPosted } from '../../form/posted.ts';
import { expectsContinue, hasBody, takeBody } from '../body/body.ts';
import { createReceiver } from '../body/receive.ts';
import { type Exchange, type HandledExchange, isUnsafe, toScope } from '../exchange.ts';
import { PageCache } from '../page-cache.ts';
import { toSource } from '../request-source.ts';
import { FORGED, findFormTokenError, isForged } from '../session/csrf.ts';
import type { Tools } from '../tools.ts';

/** Emitted before a client that waits with its body is asked for it. */
const JUDGING = 'api-expect';

/** An exchange with a route. */
type RoutedExchange = Exchange & { readonly set: RouteSet<ListenerEntry> };

const isSent = ({ method, req }: Exchange): boolean => isUnsafe(method) && hasBody(req);

/** Refuses what another site posts to a page. */
export const createForgery = (tools: Tools): Step<Exchange, 'forgery'> => ({
  name: 'forgery',
  run: (x, next) => (isForged(x) ? tools.refuse(x, 403, { message: FORGED }) : next(x)),
});

/** Sends a page that asked to be cached, if nothing that it was made of has changed; else notes what it is made of. */
export function createCachedPage(tools: Tools): Step<Exchange, 'cachedPage'> {
  const cache = new PageCache();
  const isOff = tools.options.mode === 'development';
  return {
    name: 'cachedPage',
    run(x, next) {
      const slot = isOff ? undefined : cache.findSlot(x);
      if (slot === undefined) return next(x);
      x.slot = slot;
      return continueWith(slot.find(), (page) => (page ? tools.responder.repeat(x, page) : slot.record(() => next(x))));
    },
  };
}

/** Reads the session of the cookie. A body may take long: where one comes, the account is read after it. */
export const createSession = (tools: Tools): Step<Exchange, 'session'> => ({
  name: 'session',
  run(x, next) {
    if (x.req.headers.cookie === undefined) return next(x);
    const withAccount = !isSent(x) && needsAccount(x.context, false);
    return tools.openSession(x, withAccount).then(() => next(x));
  },
});

/** Reads the body, and makes the request that the listeners get. */
export const createBody = (tools: Tools): Step<Exchange, 'body'> => ({
  name: 'body',
  run(x: RoutedExchange, next) {
    const { req, set } = x;
    if (x.kind === 'page') return readPage(tools, x, next);
    if (!isSent(x)) {
      x.request = new Request(toSource(x));
      return next(x);
    }
    // A project that hears the route expects the body as every other.
    if (set.isStreamed && set.isOwn) {
      x.request = new Request({ ...toSource(x), receiveFile: createReceiver(x, set.uploadBytes) });
      return next(x);
    }
    if (x.kind === 'api' && expectsContinue(req) && x.context.plan.bus.hasListener(JUDGING))
      return judgeFirst(tools, x, next);
    return readBody(x, next);
  },
});

function readBody(x: RoutedExchange, next: Next<Exchange>): Promise<unknown> {
  return takeBody(x.req, x.res, x.set).then((body) => {
    x.body = body;
    x.request = new Request(toSource(x, body));
    return next(x);
  });
}

/** Lets features refuse a request whose client waits with its body. Without a refusal the client is asked for the body. */
async function judgeFirst(tools: Tools, x: RoutedExchange, next: Next<Exchange>): Promise<unknown> {
  const request = new Request(toSource(x));
  const response = new Response(request);
  const access = toOpenAccess(x.context, x.set.isOwn);
  const judge = (): Promise<unknown> => x.context.emit(JUDGING, request, response);
  await currentScope.run(toScope(x, { request, response, access, caller: x }), judge);
  if (!response.isError()) return readBody(x, next);
  // The client may send the body all the same, and nobody reads it.
  response.addHeader('connection', 'close');
  return tools.answer(Object.assign(x, { request, response }));
}

/** Reads the body of a page. Values that a form of Treadle's own writes become those that a call would send. */
function readPage(tools: Tools, x: RoutedExchange, next: Next<Exchange>): unknown {
  const { opened } = x.session ?? {};
  const make = (): Request => {
    const request = new Request(toSource(x, x.body, opened));
    tools.options.sessions.attach(request, opened, x.isSecure);
    x.request = request;
    return request;
  };
  if (!isSent(x)) {
    make();
    return next(x);
  }
  return takeBody(x.req, x.res, x.set).then((taken) => {
    const read = readPosted(taken.post, x.context.plan.model);
    x.body = read ? { ...taken, post: read } : taken;
    const request = make();
    if (read) noteTyped(request, taken.post);
    return next(x);
  });
}

/** Refuses a form without the token of its session, or with another one. */
export const createFormToken = (tools: Tools): Step<Exchange, 'formToken'> => ({
  name: 'formToken',
  run(x: HandledExchange, next) {
    const message = findFormTokenError(x, tools.options.sessions, x.request);
    return message === undefined ? next(x) : tools.refuse(x, 403, { message });
  },
});

/** Finds what the visitor may reach, and runs the rest in a scope that knows it. Project code that answers a path acts for the public. */
export const createAccess = (): Step<Exchange, 'access'> => ({
  name: 'access',
  run(x: RoutedExchange & HandledExchange, next) {
    const { context, set, request, session } = x;
    if (x.kind !== 'page') return runIn(x, toOpenAccess(context, set.isOwn), next);
    const access = x.access ?? findPageAccess(context, request, session?.opened?.stored?.account);
    return continueWith(access, (known) => {
      x.access = known;
      return runIn(x, known, next);
    });
  },
});

function runIn(x: HandledExchange, access: Access, next: Next<Exchange>): unknown {
  const { request } = x;
  const response = new Response(request);
  x.slot?.watch(response);
  x.response = response;
  const { reads, lasting } = currentScope.getStore() ?? {};
  const noted = { ...(reads && { reads }), ...(lasting && { lasting }) };
  return currentScope.run(toScope(x, { request, response, access, caller: x, ...noted }), next, x);
}

/** Runs the listeners of the route, in order. */
export const createListeners = (): Step<Exchange, 'listeners'> => ({
  name: 'listeners',
  run(x: RoutedExchange & HandledExchange, next) {
    const { context, set, request, response } = x;
    return context.plan.bus
      .emitTo(set.entries, `${set.method} ${x.path}`, request, response)
      .then(() => (x.isDone ? undefined : next(x)));
  },
});
