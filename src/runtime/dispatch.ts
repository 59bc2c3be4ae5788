import type { IncomingMessage, ServerResponse } from 'node:http';
import { EMITTED } from '../core/bus.ts';
import type { Clock, Random } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { parsePairs } from '../core/pairs.ts';
import { Request } from '../core/request.ts';
import type { RequestSource } from '../core/request-source.ts';
import { Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import type { Context, Doorway, Views } from '../plan/feature.ts';
import { createAccessLog } from './access-log.ts';
import { type Body, ClientGone, hasBody, takeBody, toMediaType } from './body.ts';
import { parseCookies } from './cookie.ts';
import { isRefused, isUnsafe } from './cross-site.ts';
import type { Development } from './development.ts';
import {
  createRequestIds,
  type Exchange,
  findAddress,
  isSecureRequest,
  type Lifecycle,
  type Mode,
  parseTarget,
} from './exchange.ts';
import { createFailure } from './failure.ts';
import { type Begun, createFinish, type Finish, type Handled } from './finish.ts';
import type { Gate } from './gate.ts';
import { toServerData } from './server-data.ts';
import type { OpenSession, RuntimeSessions } from './session.ts';
import { createStatics, hasExtension } from './static.ts';

export interface DispatchOptions {
  /** The context that serves now; a request takes it once and keeps it. */
  readonly current: () => Context;
  readonly sessions: RuntimeSessions;
  readonly views: Views;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly mode: Mode;
  /** Project root, absolute: errors name places from here. */
  readonly root: string;
  /** Folder of static files, absolute. */
  readonly publicFolder: string;
  /** Shared with the server. */
  readonly lifecycle: Lifecycle;
  /** Holds requests back while the database changes. */
  readonly gate?: Gate;
  /** Live reload; in development only. */
  readonly development?: Development;
  /** Milliseconds that a handler has. Default 30,000. */
  readonly handlerMs?: number;
  /** Default true but in mode `test`. */
  readonly isAccessLogged?: boolean;
}

export type Dispatch = (req: IncomingMessage, res: ServerResponse) => void;

const HANDLER_MS = 30_000;
/** Heard before a request of the API is refused whose route was not heard yet. */
const REFUSING = 'api-refuse';

/** What a request is answered with: a route's event, or the methods that its path takes instead. */
type Target = { readonly event: string } | { readonly allow: readonly string[] };

function listMethods(context: Context, path: string): string[] {
  const found = context.plan.bus.methods(path);
  if (found.length === 0) return [];
  const all = found.includes('ALL') ? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] : found;
  return [...new Set([...all, ...(all.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}

function findTarget(context: Context, method: string, path: string): Target {
  const { bus } = context.plan;
  const event = `${method} ${path}`;
  if (bus.hears(event)) return { event };
  if (method === 'HEAD' && bus.hears(`GET ${path}`)) return { event: `GET ${path}` };
  return { allow: listMethods(context, path) };
}

/** What a request was made into before something failed. */
interface Known {
  request?: Request;
  response?: Response;
}

interface Route {
  readonly event: string;
  readonly doorway: Doorway;
}

/** The request's parts, each made when it is looked at. */
function toSource(exchange: Exchange, body?: Body, session?: OpenSession): RequestSource {
  const { req, method, path, query } = exchange;
  const { cookie } = req.headers;
  const source: { -readonly [Key in keyof RequestSource]: RequestSource[Key] } = {
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query,
    server: () => toServerData(exchange),
    header: (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
  if (query !== '') source.get = () => parsePairs(query);
  if (cookie !== undefined && exchange.door !== 'api') source.cookie = () => parseCookies(cookie);
  if (session) source.session = () => session.data;
  if (body) Object.assign(source, { post: () => body.post, files: () => body.files, body: () => body.raw });
  return source;
}

class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #finish: Finish;
  readonly #serveFile: (exchange: Exchange) => boolean;
  readonly #newId: ReturnType<typeof createRequestIds>;

  constructor(options: DispatchOptions) {
    const { mode, log, clock, lifecycle, development } = options;
    const isLogged = options.isAccessLogged ?? mode !== 'test';
    const accessLog = isLogged ? createAccessLog(log, clock, mode === 'development') : undefined;
    const decorate = development && ((html: string): string => development.decorate(html));
    this.#options = options;
    this.#finish = createFinish({ ...options, accessLog, decorate });
    const isDevelopment = mode === 'development';
    this.#serveFile = createStatics({ folder: options.publicFolder, isDevelopment, lifecycle, accessLog });
    this.#newId = createRequestIds(options.random);
  }

  #open(req: IncomingMessage, res: ServerResponse, context: Context): Exchange {
    const { path, query } = parseTarget((req as { originalUrl?: string }).originalUrl ?? req.url ?? '/');
    const { services, plan } = context;
    const { trustProxy } = plan.model.settings.server;
    return {
      req,
      res,
      id: this.#newId(req.headers['x-request-id']),
      method: req.method ?? 'GET',
      path,
      query,
      startedAt: this.#options.clock.now(),
      isSecure: isSecureRequest(req, services.baseUrl(), trustProxy),
      address: findAddress(req, trustProxy),
      door: 'page',
      isDone: false,
    };
  }

  /** Answers one request. Few asynchronous layers on the plain way: each costs where a scope travels along. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { gate } = this.#options;
    while (gate?.closed) await gate.closed;
    const context = this.#options.current();
    const exchange = this.#open(req, res, context);
    const cancel = this.#options.clock.after(this.#options.handlerMs ?? HANDLER_MS, () => this.#giveUp(exchange));
    const known: Known = {};
    gate?.enter();
    try {
      const route = this.#findRoute(exchange, context);
      if (!('event' in route)) await route.answered;
      else if (this.#isPlain(exchange))
        await this.#run(exchange, context, route.event, new Request(toSource(exchange)), known);
      else await this.#runPrepared(exchange, context, route, known);
    } catch (error) {
      await this.#fail(exchange, error, await this.#toBegun(exchange, context, known));
    } finally {
      cancel();
      gate?.leave();
      if (known.request && exchange.isDone) context.answered?.(known.request, exchange.res.statusCode);
    }
  }

  #giveUp(exchange: Exchange): void {
    const message = `${exchange.method} ${exchange.path} was not answered in time.`;
    if (!exchange.isDone) void this.#fail(exchange, new TreadleError('REQUEST_HANDLER_HANGS', message));
  }

  /** What was begun; of a request of the API whose body was not had, what the features put on its refusal. */
  async #toBegun(exchange: Exchange, context: Context, { request, response }: Known): Promise<Begun | undefined> {
    if (request) return { context, request, begun: response };
    if (exchange.door !== 'api' || exchange.isDone || !context.plan.bus.hears(REFUSING)) return undefined;
    const bare = new Request(toSource(exchange));
    const begun = new Response(bare);
    try {
      await context.emit(REFUSING, bare, begun);
    } catch (error) {
      this.#options.log.error('a refusal could not be marked', { request: exchange.id, error });
    }
    return { context, request: bare, begun };
  }

  async #fail(exchange: Exchange, error: unknown, handled?: Begun): Promise<void> {
    const { log } = this.#options;
    try {
      if (error instanceof ClientGone) exchange.isDone = true;
      else if (exchange.isDone) log.error('request failed after its answer', { request: exchange.id, error });
      else await this.#finish.fail(exchange, error, handled);
    } catch (last) {
      log.error('request could not be answered', { request: exchange.id, error: last });
      exchange.isDone = true;
      if (!exchange.res.headersSent) exchange.res.writeHead(500, { 'content-length': 0 });
      exchange.res.end();
    }
  }

  /** The route's event and body limit; or, where something else answers, when that is done. */
  #findRoute(exchange: Exchange, context: Context): Route | { readonly answered: Promise<void> | undefined } {
    const { development, lifecycle } = this.#options;
    const { method, path } = exchange;
    if (!path.startsWith('/')) return { answered: this.#finish.refuse(exchange, createFailure(400)) };
    if (lifecycle.isStopping && path === '/health/ready') return { answered: this.#refuse(exchange, context, 503) };
    if (development?.handle(exchange)) return { answered: undefined };
    if (hasExtension(path) && this.#serveFile(exchange)) return { answered: undefined };
    const found = context.plan.findDoor(method, path);
    exchange.door = found.door;
    exchange.isOAuth = found.isOAuth;
    const target = findTarget(context, method, path);
    if ('allow' in target) return { answered: this.#answerUnheard(exchange, context, target.allow) };
    if (found.door === 'page' && isRefused(exchange, context.services.baseUrl())) {
      const message = 'This form was sent from another site.';
      return { answered: this.#refuse(exchange, context, 403, { message }) };
    }
    return { event: target.event, doorway: found };
  }

  /** Whether neither a session nor a body is to be had first. */
  #isPlain(exchange: Exchange): boolean {
    return exchange.door !== 'page' && (!isUnsafe(exchange.method) || !hasBody(exchange.req));
  }

  async #runPrepared(exchange: Exchange, context: Context, route: Route, known: Known): Promise<void> {
    const { sessions } = this.#options;
    const { req, isSecure, door } = exchange;
    const { cookie } = req.headers;
    const session = door === 'page' && cookie !== undefined ? await sessions.open(cookie, isSecure) : undefined;
    const isSent = isUnsafe(exchange.method) && hasBody(req);
    const isForm = isSent && toMediaType(req.headers['content-type']) === 'multipart/form-data';
    const { bodyBytes, uploadBytes } = route.doorway;
    const body = isSent ? await takeBody(req, isForm ? uploadBytes : bodyBytes) : undefined;
    const request = new Request(toSource(exchange, body, session));
    if (door === 'page') {
      sessions.attach(request, session, isSecure);
      if (body && !sessions.isFormToken(request, body.post.csrf)) {
        const message = 'This form is no longer valid: load the page again and send it once more.';
        return this.#refuse(exchange, context, 403, { message });
      }
    }
    await this.#run(exchange, context, route.event, request, known);
  }

  #run(exchange: Exchange, context: Context, event: string, request: Request, known: Known): Promise<void> {
    const response = new Response(request);
    Object.assign(known, { request, response });
    return currentScope.run({ request, response }, () => this.#emit(exchange, { context, request, response }, event));
  }

  async #emit(exchange: Exchange, handled: Handled, event: string): Promise<void> {
    const { context, request, response } = handled;
    const emitted = await context.plan.bus.emit(event, request, response);
    if (exchange.isDone) return;
    if (emitted === EMITTED.unheard) await this.#answerUnheard(exchange, context, []);
    else {
      const sent = this.#finish.finish(exchange, handled);
      if (sent) await sent;
    }
  }

  /** No route: a file, the methods that the path takes, or nothing. */
  async #answerUnheard(exchange: Exchange, context: Context, allow: readonly string[]): Promise<void> {
    if (allow.length === 0) {
      if (!this.#serveFile(exchange)) await this.#refuse(exchange, context, 404);
      return;
    }
    const headers = { allow: allow.join(', ') };
    if (exchange.method !== 'OPTIONS') return this.#refuse(exchange, context, 405, { headers });
    const request = new Request(toSource(exchange));
    const response = new Response(request).setStatus(204).addHeader('allow', headers.allow);
    await this.#finish.finish(exchange, { context, request, response });
  }

  /** Refuses in the look of the site. A body that was not read ends with its connection. */
  async #refuse(
    exchange: Exchange,
    context: Context,
    status: number,
    options: { readonly message?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<void> {
    const { isSecure, door, req } = exchange;
    const isUnread = hasBody(req) && !req.complete;
    const failure = createFailure(status, options.message, {
      ...options.headers,
      ...(isUnread ? { connection: 'close' } : {}),
    });
    const { cookie } = req.headers;
    const session =
      door === 'page' && cookie !== undefined ? await this.#options.sessions.open(cookie, isSecure) : undefined;
    const request = new Request(toSource(exchange, undefined, session));
    const response = new Response(request);
    this.#options.sessions.attach(request, session, isSecure);
    await currentScope.run({ request, response }, () => this.#finish.refuse(exchange, failure, { context, request }));
  }
}

/**
 * Makes the function that answers every HTTP request, from whatever plan serves when it arrives. It never throws and
 * never leaves a request without an answer.
 */
export function createDispatch(options: DispatchOptions): Dispatch {
  const dispatcher = new Dispatcher(options);
  return (req, res) => {
    dispatcher.handle(req, res).catch((error: unknown) => {
      options.log.error('request could not be opened', { error });
      if (!res.headersSent) res.writeHead(500, { 'content-length': 0 });
      res.end();
    });
  };
}
