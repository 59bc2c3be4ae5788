import { needsAccount, readPageAccess } from '../../access/grant.ts';
import type { FoundGate } from '../../access/guard.ts';
import type { Next, Step } from '../../core/compose.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { currentScope } from '../../core/scope.ts';
import { hasBody } from '../body/body.ts';
import { findHostError } from '../connection/host.ts';
import { type Exchange, toScope } from '../exchange.ts';
import { hasExtension } from '../file/static.ts';
import { toSource } from '../request-source.ts';
import { createFailure } from '../respond/failure.ts';
import type { Tools } from '../tools.ts';

/** Answers what no project decides about: a request line without a path, another site's host, readiness while stopping. */
const createRefuseEarly = (tools: Tools): Step<Exchange, 'refuseEarly'> => ({
  name: 'refuseEarly',
  run(x, next) {
    const { development, lifecycle } = tools.options;
    const { path } = x;
    if (!path.startsWith('/')) return tools.responder.refuse(x, createFailure(400));
    const own = development && [x.context.plan.model.settings.server.baseUrl ?? undefined, lifecycle.host];
    const error = findHostError(x.req, own);
    if (error) return tools.responder.refuse(x, error);
    const isLeaving = lifecycle.isStopping || lifecycle.isDraining;
    if (isLeaving && path === '/health/ready') return tools.refuse(x, 503);
    return development?.handle(x) ? undefined : next(x);
  },
});

/** Asks the gates of the path, such as the roles that guard it: before files, and before any listener. */
const createGuard = (tools: Tools): Step<Exchange, 'guard'> => ({
  name: 'guard',
  run(x, next) {
    const passes = x.context.findGate(x.path);
    return passes ? passGate(tools, x, passes, next) : next(x);
  },
});

async function passGate(tools: Tools, x: Exchange, passes: FoundGate, next: Next<Exchange>): Promise<void> {
  const { context, isSecure } = x;
  const session = await tools.openSession(x, needsAccount(context, true));
  const request = new Request(toSource(x, undefined, session));
  const response = new Response(request);
  tools.options.sessions.attach(request, session, isSecure);
  const access = await readPageAccess(context, request, session?.stored?.account);
  Object.assign(x, { access, isGuarded: true });
  const isPassed = await currentScope.run(toScope(x, { request, response, access }), async () => {
    if (await passes(request, response)) return true;
    // The body was not read, so the connection must close.
    if (hasBody(x.req)) response.addHeader('connection', 'close');
    Object.assign(x, { request, response });
    await tools.answer(x);
    return false;
  });
  if (isPassed) await next(x);
}

/** Answers with a file of `public/` if the path has an extension. Other paths may be files too, once no route has them. */
const createFile = (tools: Tools): Step<Exchange, 'file'> => ({
  name: 'file',
  run(x, next) {
    const served = hasExtension(x.path) && tools.serve(x);
    if (!served) return next(x);
    return served === true ? undefined : served;
  },
});

/** Finds what method and path lead to; answers 404 and 405. A HEAD request gets the headers of GET. @see RFC 9110 section 9.3.2 */
const createRoute = (tools: Tools): Step<Exchange, 'route'> => ({
  name: 'route',
  run(x, next) {
    const { method, path } = x;
    const { bus } = x.context.plan;
    const own = bus.match(method, path);
    const set = method === 'HEAD' && own.entries.length === 0 ? bus.match('GET', path) : own;
    x.kind = set.kind;
    x.isOAuth = set.isOAuth;
    // The API has one address in every language.
    if (x.prefix !== '' && set.kind === 'api') return tools.answerWithoutListener(x);
    if (set.entries.length === 0) return tools.answerWithoutListener(x, set.methods);
    x.set = set;
    x.route = set.route ?? 'other';
    return next(x);
  },
});

/** The first steps of every request; the last one tells the kind of route. */
export const createArrivalSteps = (tools: Tools) =>
  [createRefuseEarly(tools), createGuard(tools), createFile(tools), createRoute(tools)] as const;
