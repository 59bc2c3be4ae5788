import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '../core/access.ts';
import type { ListenerEntry } from '../core/bus/bus.ts';
import type { RouteKind, RouteSet } from '../core/bus/route-index.ts';
import type { Clock, Random } from '../core/clock.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Caller, Scope } from '../core/scope.ts';
import { takeBasePath, toBasePath } from '../core/text/base-path.ts';
import type { Locale } from '../core/text/translate.ts';
import type { Context } from '../plan/feature.ts';
import type { Body } from './body/body.ts';
import { findHop } from './connection/proxy-hop.ts';
import { chooseLanguage } from './language.ts';
import type { Failure } from './respond/failure.ts';
import type { OpenSession } from './session/session.ts';

/** One HTTP request and its answer: all that the steps of a request know. */
export interface Exchange extends Caller {
  /** The plan that served when it arrived, and its services. */
  readonly context: Context;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Sent as `X-Request-Id`, and part of every log line. */
  readonly id: string;
  /** As requested; HEAD stays HEAD here. */
  readonly method: string;
  /** As in the request line, without query, and without the base path and the language that it may begin with. */
  readonly path: string;
  /** `/de` if the request line's path began with it, else empty. */
  readonly prefix: string;
  /** The language of its texts; undefined for a site in English only. */
  locale: Locale | undefined;
  readonly query: string;
  /** Public address of the site, without a trailing slash. */
  readonly baseUrl: string;
  /** Path of the base URL: empty, or such as `/blog`. */
  readonly basePath: string;
  /** Clock time in milliseconds. */
  readonly startedAt: number;
  /** Whether the browser uses https: by the base URL, or by a trusted proxy's header. */
  readonly isSecure: boolean;
  /** The client's address; behind a trusted proxy, the one that the proxy reports. */
  readonly address: string;
  kind: RouteKind;
  readonly isApi: boolean;
  /** The pattern of its route, or `static` for a file; undefined without either. Never the path itself. */
  route: string | undefined;
  /** True if errors have the format of RFC 6749 section 5.2. */
  isOAuth?: boolean | undefined;
  /** If true, nothing more may be written. */
  isDone: boolean;
  /** The opened session; absent until it was first needed. */
  session?: { readonly opened: OpenSession | undefined };
  /** The caller's access, once it was read from the database. */
  access?: Access;
  /** A gate admitted it: no shared cache may store the answer. */
  isGuarded?: boolean;
  /** What its method and path lead to; set by the step `route`. */
  set: RouteSet<ListenerEntry> | undefined;
  /** The place of its page in the cache; set by the step `cachedPage`. */
  slot: { watch(response: Response): void } | undefined;
  /** Set by the step `body`. */
  request: Request | undefined;
  /** The parsed body, if one was sent. */
  body: Body | undefined;
  /** Set by the step `access`. */
  response: Response | undefined;
  /** Why the answer is an error, and its page; set by the step `failure`. */
  failure: { readonly failure: Failure; readonly page: string } | undefined;
  /** The `Set-Cookie` value of the session; set by the step `closeSession`. */
  cookie: string | undefined;
}

/** An exchange with the request and the response of its listeners. */
export type HandledExchange = Exchange & { readonly request: Request; readonly response: Response };

/** True if the client has closed its connection. */
export const isLeft = ({ req }: Exchange): boolean => req.socket.destroyed || !req.socket.readable;

/** The scope of work for an exchange, in its language. */
export const toScope = ({ locale }: Exchange, scope: Scope): Scope => (locale ? { ...scope, locale } : scope);

/** Shared by the dispatch and the server. */
export interface Lifecycle {
  /** Readiness answers 503, so that load balancers send no more requests; others are still served. */
  isDraining?: boolean;
  /** Readiness answers 503, and each answer closes its connection. */
  isStopping: boolean;
  /** The name or address that the server listens on. */
  host?: string;
}

/** Request counts from the dispatch. */
export interface Traffic {
  /** Number of requests in progress. */
  underWay: number;
  readonly answered: (exchange: Exchange, status: number) => void;
}

/** `development` reloads and shows errors; `test` is production without its log. */
const MODES = ['development', 'production', 'test'] as const;
export type Mode = (typeof MODES)[number];

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for a method that may change something. */
export const isUnsafe = (method: string): boolean => !SAFE_METHODS.has(method);

const SAFE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Creates request ids: a random prefix per process and a counter, because a random value per request costs more than
 * the rest.
 */
export function createRequestIds(random: Random): (given: string | string[] | undefined) => string {
  const prefix = random(9).toString('base64url');
  const state = { count: 0 };
  return (given) => {
    if (typeof given === 'string' && SAFE_ID.test(given)) return given;
    state.count += 1;
    return `${prefix}.${state.count.toString(36)}`;
  };
}

/** Path and query of a request line; the absolute form is accepted too. @see RFC 9112 section 3.2 */
function parseTarget(target: string): { path: string; query: string } {
  const bare = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = bare.indexOf('?');
  if (mark < 0) return { path: bare === '' ? '/' : bare, query: '' };
  return { path: bare.slice(0, mark) || '/', query: bare.slice(mark + 1) };
}

interface OpenOptions {
  readonly context: Context;
  readonly clock: Clock;
  readonly newId: ReturnType<typeof createRequestIds>;
}

/** Creates the exchange of an incoming request. */
export function openExchange(
  req: IncomingMessage & { readonly originalUrl?: string },
  res: ServerResponse,
  { context, clock, newId }: OpenOptions,
): Exchange {
  const { path: asked, query } = parseTarget(req.originalUrl ?? req.url ?? '/');
  const { services, plan } = context;
  const baseUrl = services.baseUrl();
  const basePath = toBasePath(baseUrl);
  // The proxy may have taken it off.
  const whole = takeBasePath(basePath, asked);
  const chosen = plan.languages && chooseLanguage(plan.languages, whole, req);
  const { address, scheme } = findHop(req, plan.model.settings.server.trustProxy);
  const { method = 'GET' } = req;
  return {
    context,
    req,
    res,
    id: newId(req.headers['x-request-id']),
    method,
    path: chosen?.path ?? whole,
    prefix: chosen?.prefix ?? '',
    locale: chosen?.locale,
    query,
    baseUrl,
    basePath,
    startedAt: clock.now(),
    isSecure: scheme === 'https' || baseUrl.startsWith('https:'),
    address,
    socket: isUnsafe(method) ? undefined : req.socket,
    kind: 'page',
    route: undefined,
    isDone: false,
    set: undefined,
    slot: undefined,
    request: undefined,
    body: undefined,
    response: undefined,
    failure: undefined,
    cookie: undefined,
    get isApi() {
      return this.kind === 'api';
    },
  };
}
