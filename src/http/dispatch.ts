import type { IncomingMessage, ServerResponse } from 'node:http';
import { findPageAccess, findRefusalAccess, needsAccount, readPageAccess, toOpenAccess } from '../access/grant.ts';
import type { FoundGate } from '../access/guard.ts';
import { EMITTED, type ListenerEntry } from '../core/bus.ts';
import { ClientGone } from '../core/client-gone.ts';
import { toPromise } from '../core/continue-with.ts';
import { TreadleError } from '../core/errors.ts';
import { toReadableError } from '../core/reason.ts';
import { Request } from '../core/request.ts';
import { Response } from '../core/response.ts';
import type { RouteSet } from '../core/route-index.ts';
import { currentScope } from '../core/scope.ts';
import { inLocale } from '../core/translate.ts';
import { noteTyped, readPosted } from '../form/posted.ts';
import type { Context } from '../plan/feature.ts';
import { createAccessLog, toAnswered, toBoth } from './access-log.ts';
import { type Body, hasBody, takeBody } from './body/body.ts';
import { findHostFault } from './connection/host.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { createRequestIds, type Exchange, isLeft, openExchange, toScope } from './exchange.ts';
import { createStatics, hasExtension } from './file/static.ts';
import { findPageSlot, type PageSlot } from './kept-page.ts';
import { preferLanguage } from './language.ts';
import { type Known, markRefusal } from './refusal-mark.ts';
import { toSource } from './request-source.ts';
import { answerFault, createFailure } from './respond/failure.ts';
import { type Begun, createFinish, type Finish, type Handled } from './respond/finish.ts';
import { FORGED, findFormFault, isForged, isUnsafe } from './session/csrf.ts';
import type { OpenSession } from './session/session.ts';
import { StructureGuard } from './structure-guard.ts';

export type Dispatch = (req: IncomingMessage, res: ServerResponse) => void;

const HANDLER_MS = 30_000;
const CLIENT_GONE = 499;
/** Something other than a route answers; the promise resolves when it is done. */
interface Answered {
  readonly answered: Promise<void> | undefined;
}

type Route = RouteSet<ListenerEntry>;

/** The methods of `Allow`, of those that a path has. */
function toAllowed(methods: readonly string[]): string[] {
  if (methods.length === 0) return [];
  const all = methods.includes('ALL') ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
  return [...new Set([...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}

class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #finish: Finish;
  readonly #serveFile: (exchange: Exchange) => boolean | Promise<void>;
  readonly #newId: ReturnType<typeof createRequestIds>;
  readonly #structure: StructureGuard;

  constructor(options: DispatchOptions) {
    const { mode, log, clock, lifecycle, development } = options;
    const isLogged = options.isAccessLogged ?? mode !== 'test';
    const accessLog = isLogged ? createAccessLog(log, clock, mode === 'development') : undefined;
    const answered = options.traffic ? toBoth(accessLog, options.traffic.answered) : accessLog;
    const decorate = development && ((html: string): string => development.decorate(html));
    this.#options = options;
    this.#finish = createFinish({ ...options, accessLog: answered, decorate });
    const isDevelopment = mode === 'development';
    this.#serveFile = createStatics({
      folder: options.publicFolder,
      isDevelopment,
      clock,
      lifecycle,
      accessLog: answered,
      images: options.images,
    });
    this.#newId = createRequestIds(options.random);
    this.#structure = new StructureGuard(log, clock);
  }

  /** Answers one request. It uses few asynchronous layers, because each costs time where an async scope is active. */
  handle(req: IncomingMessage, res: ServerResponse): void {
    const closed = this.#options.gate?.closed;
    if (closed) {
      void closed.then(() => this.handle(req, res)).catch((error) => answerFault(res, this.#options.log, error));
      return;
    }
    // A request without a client is not started.
    if (req.socket.destroyed) return;
    const context = this.#options.current();
    const exchange = openExchange(req, res, { context, clock: this.#options.clock, newId: this.#newId });
    const { locale } = exchange;
    if (locale) currentScope.run({ locale }, () => this.#answer(exchange, context));
    else this.#answer(exchange, context);
  }

  #answer(exchange: Exchange, context: Context): void {
    const { gate, traffic, clock, log, limits = clock, handlerMs = HANDLER_MS } = this.#options;
    const cancel = limits.after(handlerMs, () => this.#giveUp(exchange));
    const known: Known = {};
    const turn = gate?.enter();
    if (traffic) traffic.underWay += 1;
    const end = (): void => {
      cancel();
      gate?.leave(turn);
      if (traffic) traffic.underWay -= 1;
      if (known.request && exchange.isDone)
        context.answered?.(known.request, toAnswered(exchange, this.#options.clock));
    };
    const fail = (error: unknown): void => answerFault(exchange.res, log, error);
    // One promise fewer than with `catch`: each costs time where an async scope is active.
    const endSafely = (): void => {
      try {
        end();
      } catch (error) {
        fail(error);
      }
    };
    void toPromise(() => this.#route(exchange, context, known)).then(endSafely, (error) =>
      this.#explain(toReadableError(error), { exchange, context, known }).finally(end).catch(fail),
    );
  }

  #route(exchange: Exchange, context: Context, known: Known): Promise<void> | undefined {
    const refused = this.#refuseEarly(exchange, context);
    const passes = refused ? undefined : context.findGate(exchange.path);
    const found =
      refused ?? (passes ? this.#findGuarded(exchange, context, passes) : this.#findRoute(exchange, context));
    if (found instanceof Promise) return found.then((route) => this.#follow(exchange, context, route, known));
    return this.#follow(exchange, context, found, known);
  }

  /** The route behind a gate. */
  async #findGuarded(exchange: Exchange, context: Context, passes: FoundGate): Promise<Route | Answered> {
    const isPassed = await this.#passGate(exchange, context, passes);
    return isPassed ? this.#findRoute(exchange, context) : { answered: undefined };
  }

  #follow(exchange: Exchange, context: Context, route: Route | Answered, known: Known): Promise<void> | undefined {
    if ('answered' in route) return route.answered;
    const run = (body?: Body): Promise<void> =>
      this.#run(exchange, context, route, new Request(toSource(exchange, body)), known);
    if (this.#isPlain(exchange)) return run();
    if (exchange.kind !== 'page') return takeBody(exchange.req, route).then(run);
    return this.#runPrepared(exchange, context, route, known);
  }

  async #explain(
    error: unknown,
    { exchange, context, known }: { exchange: Exchange; context: Context; known: Known },
  ): Promise<void> {
    const told = await this.#structure.explain(error, context);
    const begun = await markRefusal(exchange, context, known, this.#options.log);
    await inLocale(exchange.locale, () => this.#fail(exchange, told, begun));
  }

  #giveUp(exchange: Exchange): void {
    const message = `${exchange.method} ${exchange.path} was not answered in time.`;
    if (!exchange.isDone) void this.#fail(exchange, new TreadleError('REQUEST_HANDLER_HANGS', message));
  }

  async #fail(exchange: Exchange, error: unknown, handled?: Begun): Promise<void> {
    const { log } = this.#options;
    try {
      if (error instanceof ClientGone && isLeft(exchange)) {
        // No client sees it, but metrics must not count it as a success. @see status 499 of nginx
        if (!exchange.isDone) exchange.res.statusCode = CLIENT_GONE;
        exchange.isDone = true;
      } else if (exchange.isDone) log.error('request failed after its answer', { request: exchange.id, error });
      // It shared the work of another request, whose client disconnected.
      else if (error instanceof ClientGone) await this.#finish.refuse(exchange, createFailure(503), handled);
      else await this.#finish.fail(exchange, error, handled);
    } catch (last) {
      log.error('request could not be answered', { request: exchange.id, error: last });
      exchange.isDone = true;
      if (!exchange.res.headersSent) exchange.res.writeHead(500, { 'content-length': 0 });
      exchange.res.end();
    }
  }

  /** Answers before gates, files and routes; undefined for a request that continues. */
  #refuseEarly(exchange: Exchange, context: Context): Answered | undefined {
    const { development, lifecycle } = this.#options;
    const { path } = exchange;
    if (!path.startsWith('/')) return { answered: this.#finish.refuse(exchange, createFailure(400)) };
    const own = development && [context.plan.model.settings.server.baseUrl ?? undefined, lifecycle.host];
    const hostFault = findHostFault(exchange.req, own);
    if (hostFault) return { answered: this.#finish.refuse(exchange, hostFault) };
    const isLeaving = lifecycle.isStopping || lifecycle.isDraining;
    if (isLeaving && path === '/health/ready') return { answered: this.#refuse(exchange, context, 503) };
    return development?.handle(exchange) ? { answered: undefined } : undefined;
  }

  /** Runs the gates of a path; returns false after a refusal, which is then answered. */
  async #passGate(exchange: Exchange, context: Context, passes: FoundGate): Promise<boolean> {
    const session = await this.#openSession(exchange, context, needsAccount(context, true));
    const request = new Request(toSource(exchange, undefined, session));
    const response = new Response(request);
    this.#options.sessions.attach(request, session, exchange.isSecure);
    const access = await readPageAccess(context, request, session?.stored?.account);
    Object.assign(exchange, { access, isGuarded: true });
    const isPassed = await currentScope.run(toScope(exchange, { request, response, access }), async () => {
      if (await passes(request, response)) return true;
      // The body was not read, so the connection must close.
      if (hasBody(exchange.req)) response.addHeader('connection', 'close');
      await this.#finish.finish(exchange, { context, request, response });
      return false;
    });
    return isPassed;
  }

  /** The session of the request's cookie, read at most once; the answer is in the language of its account. */
  async #openSession(exchange: Exchange, { plan }: Context, withAccount = false): Promise<OpenSession | undefined> {
    const { cookie } = exchange.req.headers;
    if (cookie === undefined) return undefined;
    exchange.session ??= { opened: await this.#options.sessions.open(cookie, exchange.isSecure, withAccount) };
    const { opened } = exchange.session;
    preferLanguage(exchange, plan.languages, opened?.language);
    return opened;
  }

  /** The route's event and body limit; or, if something else answers, its promise. */
  #findRoute(exchange: Exchange, context: Context): Route | Answered {
    const { method, path } = exchange;
    const served = hasExtension(path) && this.#serve(exchange);
    if (served) return { answered: served === true ? undefined : served };
    const found = this.#match(context, method, path);
    exchange.kind = found.kind;
    exchange.isOAuth = found.isOAuth;
    // The API has one address in every language.
    if (exchange.prefix !== '' && found.kind === 'api') return { answered: this.#answerUnheard(exchange, context, []) };
    if (found.entries.length === 0)
      return { answered: this.#answerUnheard(exchange, context, toAllowed(found.methods)) };
    exchange.route = found.route ?? 'other';
    if (isForged(exchange)) return { answered: this.#refuse(exchange, context, 403, { message: FORGED }) };
    return found;
  }

  /** What answers; a HEAD request gets the headers of GET. @see RFC 9110 section 9.3.2 */
  #match({ plan: { bus } }: Context, method: string, path: string): Route {
    const found = bus.match(method, path);
    return method === 'HEAD' && found.entries.length === 0 ? bus.match('GET', path) : found;
  }

  #serve(exchange: Exchange): boolean | Promise<void> {
    const isServed = this.#serveFile(exchange);
    if (isServed) exchange.route = 'static';
    return isServed;
  }

  /** True if neither session nor body must be loaded first. */
  #isPlain(exchange: Exchange): boolean {
    return exchange.kind !== 'page' && (!isUnsafe(exchange.method) || !hasBody(exchange.req));
  }

  /** Runs a page, after its session and body. */
  async #runPrepared(exchange: Exchange, context: Context, route: Route, known: Known): Promise<void> {
    const { sessions } = this.#options;
    const { req, isSecure } = exchange;
    const slot = this.#options.mode === 'development' ? undefined : findPageSlot(exchange, context);
    const page = slot && (await slot.find());
    if (page) return this.#finish.repeat(exchange, page);
    const isSent = isUnsafe(exchange.method) && hasBody(req);
    // A body may take long: the account is then read after it.
    const withAccount = !isSent && needsAccount(context, false);
    const session = await this.#openSession(exchange, context, withAccount);
    const taken = isSent ? await takeBody(req, route) : undefined;
    const read = taken && readPosted(taken.post, context.plan.model);
    const body = taken && read ? { ...taken, post: read } : taken;
    const request = new Request(toSource(exchange, body, session));
    if (read) noteTyped(request, taken?.post);
    sessions.attach(request, session, isSecure);
    const access = exchange.access ?? findPageAccess(context, request, session?.stored?.account);
    exchange.access = access instanceof Promise ? await access : access;
    const message = findFormFault(exchange, sessions, request, body?.post.csrf);
    if (message !== undefined) return this.#refuse(exchange, context, 403, { message });
    const run = (): Promise<void> => this.#run(exchange, context, route, request, known, slot);
    await (slot ? slot.record(run) : run());
  }

  #run(
    exchange: Exchange,
    context: Context,
    route: Route,
    request: Request,
    known: Known,
    slot?: PageSlot,
  ): Promise<void> {
    const response = new Response(request);
    slot?.watch(response);
    Object.assign(known, { request, response });
    const read = exchange.kind === 'page' ? exchange.access : undefined;
    const access = read ?? toOpenAccess(context, route.isOwn);
    const { reads, lasting } = currentScope.getStore() ?? {};
    const recorded = { ...(reads && { reads }), ...(lasting && { lasting }) };
    const scope = toScope(exchange, { request, response, access, caller: exchange, ...recorded });
    return currentScope.run(scope, () => this.#emit(exchange, { context, request, response }, route));
  }

  #emit(exchange: Exchange, handled: Handled, route: Route): Promise<void> {
    const { context, request, response } = handled;
    const event = `${route.method} ${exchange.path}`;
    return context.plan.bus.emitTo(route.entries, event, request, response).then((emitted) => {
      if (exchange.isDone) return undefined;
      if (emitted === EMITTED.unheard) return this.#answerUnheard(exchange, context, []);
      return this.#finish.finish(exchange, handled);
    });
  }

  /** Without a route: answers with a file, the allowed methods, or 404. */
  async #answerUnheard(exchange: Exchange, context: Context, allow: readonly string[]): Promise<void> {
    if (allow.length === 0) {
      const served = this.#serve(exchange);
      if (!served) await this.#refuse(exchange, context, 404);
      else if (served !== true) await served;
      return;
    }
    const headers = { allow: allow.join(', ') };
    if (exchange.method !== 'OPTIONS') return this.#refuse(exchange, context, 405, { headers });
    const request = new Request(toSource(exchange));
    const response = new Response(request).setStatus(204).addHeader('allow', headers.allow);
    await this.#finish.finish(exchange, { context, request, response });
  }

  /** Refuses in the site's layout. If the body was not read, the connection closes. */
  async #refuse(
    exchange: Exchange,
    context: Context,
    status: number,
    options: { readonly message?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<void> {
    const { isSecure, kind, req } = exchange;
    const isUnread = hasBody(req) && !req.complete;
    const failure = createFailure(status, options.message, {
      ...options.headers,
      ...(isUnread ? { connection: 'close' } : {}),
    });
    const session = kind === 'page' ? await this.#openSession(exchange, context) : undefined;
    const request = new Request(toSource(exchange, undefined, session));
    const response = new Response(request);
    this.#options.sessions.attach(request, session, isSecure);
    const access = exchange.access ?? (await findRefusalAccess(context, kind, request));
    const scope = toScope(exchange, { request, response, access, caller: exchange });
    await currentScope.run(scope, () => this.#finish.refuse(exchange, failure, { context, request }));
  }
}

/**
 * Creates the function that answers every HTTP request with the plan that serves when it arrives. It never throws and
 * always answers.
 */
export function createDispatch(options: DispatchOptions): Dispatch {
  const dispatcher = new Dispatcher(options);
  return (req, res) => {
    try {
      dispatcher.handle(req, res);
    } catch (error) {
      answerFault(res, options.log, error);
    }
  };
}
