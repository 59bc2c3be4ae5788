import type { Actor } from '../../access/grant.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import type { Access } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';
import { markOpen } from '../../plan/open-origin.ts';

const EXPOSED =
  'Deprecation, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id';
const HEADERS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, Traceparent, X-Access-Secret, X-Request-Id';
/** Seconds that a browser caches a preflight's answer. */
const CACHED_SECONDS = 600;
/** Milliseconds that the apps' origins are cached: a flood of preflights costs one query per interval. */
const KNOWN_MILLISECONDS = 5000;
const ORIGIN_SEARCH = 'rest-source-origin-search';
/** A native app chooses its own port on loopback. @see RFC 8252 section 7.3 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?$/;

const toKey = (origin: string): string => origin.replace(LOOPBACK, 'http://$1');

/**
 * Lets pages of known origins read answers. Never with the browser's credentials, since the API ignores
 * cookies.
 */
export interface Cors {
  /**
   * Allows the request's origin before the caller is known: it is in the settings, or belongs to some app.
   */
  mark(request: Request, response: Response): Promise<void> | undefined;
  /** Allows any origin, for what needs no credentials; if `server.cors` lists origins, only those of {@link mark}. */
  markPublic(request: Request, response: Response): Promise<void> | undefined;
  /** Withdraws the permission if the origin does not belong to the calling app. */
  withdraw(response: Response, actor: Actor): void;
  /**
   * Answers a preflight, which does not identify the caller.
   *
   * @param isPublic Whether the call needs no credentials.
   */
  allow(request: Request, response: Response, methods: readonly string[], isPublic: boolean): Promise<void>;
}

/** Marks the answers of a call: those of one that needs no credentials for any origin. */
export const toMark = ({ mark, markPublic }: Cors, access: Access): Cors['mark'] =>
  access === 'public' ? markPublic : mark;

/** Client ids by the origins of their apps. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/** Origins in app definitions, and origins of redirect URIs. */
async function findOwners(context: Context): Promise<Owners> {
  const owners = new Map<string, Set<string>>();
  const add = (clientId: string, origin: string): void =>
    void owners.set(toKey(origin), (owners.get(toKey(origin)) ?? new Set()).add(clientId));
  for (const { definition } of context.plan.model.apps.values())
    for (const origin of definition.origins ?? []) add(definition.clientId, origin);
  if (!context.plan.bus.hasListener(ORIGIN_SEARCH)) return owners;
  const found = new Response();
  await context.emit(ORIGIN_SEARCH, new Request(), found);
  const rows =
    found.getResults<readonly { client_id: unknown; origins: readonly string[] }[] | undefined>('rows') ?? [];
  for (const { client_id, origins } of rows) for (const origin of origins) add(String(client_id), origin);
  return owners;
}

/**
 * Compiles the allow-lists: `server.cors`, and each app's own. Origins must match completely; `null` never
 * matches.
 */
export function compileCors(context: Context): Cors {
  const { clock } = context.services;
  const cached: { at: number; owners: Promise<Owners> | undefined } = { at: 0, owners: undefined };
  const getOwners = (): Promise<Owners> => {
    const now = clock.now();
    if (cached.owners && now - cached.at < KNOWN_MILLISECONDS) return cached.owners;
    const owners = findOwners(context);
    Object.assign(cached, { at: now, owners });
    owners.catch(() => {
      cached.owners = undefined;
    });
    return owners;
  };
  const { model } = context.plan;
  const isOpen = model.settings.server.cors === undefined;
  const listed = new Set(model.settings.server.cors);
  const isListed = (origin: string): boolean => listed.has(origin) || listed.has('*');
  /** The apps that own the allowed origin; unset if the settings allow it for every app. */
  const owners = new WeakMap<Response, ReadonlySet<string>>();
  const findMark = async (origin: string, response: Response): Promise<boolean> => {
    if (isListed(origin)) return true;
    const known = (await getOwners()).get(toKey(origin));
    if (known) owners.set(response, known);
    return known !== undefined;
  };
  const mark = (request: Request, response: Response): Promise<boolean> | undefined => {
    response.addHeader('vary', 'Origin');
    const origin = request.getHeader('origin');
    if (origin === undefined || origin === 'null') return undefined;
    return findMark(origin, response).then((isKnown) => {
      if (!isKnown) return false;
      response.addHeader('access-control-allow-origin', origin).addHeader('access-control-expose-headers', EXPOSED);
      return true;
    });
  };
  const markKnown: Cors['mark'] = (request, response) => mark(request, response)?.then(() => {});
  return {
    mark: markKnown,
    markPublic: isOpen ? (request, response) => void markOpen(model, request, response) : markKnown,
    withdraw(response, actor) {
      const known = owners.get(response);
      if (!known || actor.clientId === undefined || known.has(actor.clientId)) return;
      response.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
    },
    async allow(request, response, methods, isPublic) {
      if (isPublic && isOpen) markOpen(model, request, response);
      else if (!(await mark(request, response))) return;
      response
        .removeHeader('access-control-expose-headers')
        .addHeader('access-control-allow-methods', methods.join(', '))
        .addHeader('access-control-allow-headers', HEADERS)
        .addHeader('access-control-max-age', String(CACHED_SECONDS));
    },
  };
}
