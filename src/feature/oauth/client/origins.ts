import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, Services } from '../../../plan/feature.ts';
import { markOpen } from '../../../plan/open-origin.ts';
import { findPublicRedirects } from '../sql.ts';
import { parseList } from './app-row.ts';

/** How long the origins of public clients are cached: a flood of preflights costs one query. */
const CACHED_MILLISECONDS = 5000;
/** Seconds for which a browser caches a preflight's answer. */
const PREFLIGHT_SECONDS = 600;
/** An app on this machine chooses its port. @see RFC 8252 section 7.3 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?$/;

interface CachedOrigins {
  readonly at: number;
  readonly origins: ReadonlySet<string>;
}

const createCache = (): { known?: CachedOrigins } => ({});

const toKey = (origin: string): string => origin.replace(LOOPBACK, 'http://$1');

/** The origin of a browser address, without the port for loopback; undefined for other addresses. */
export const toOriginKey = (uri: string): string | undefined =>
  /^https?:/.test(uri) && URL.canParse(uri) ? toKey(new URL(uri).origin) : undefined;

/** Origins of public clients' pages: those of their redirect URIs. */
async function findOrigins(services: Services): Promise<ReadonlySet<string>> {
  const now = services.clock.now();
  const cache = services.memory.get(createCache);
  const { known } = cache;
  if (known && now - known.at < CACHED_MILLISECONDS) return known.origins;
  const lists = await findPublicRedirects(services.database);
  const origins = new Set(lists.flatMap(parseList).flatMap((uri) => toOriginKey(uri) ?? []));
  cache.known = { at: now, origins };
  return origins;
}

/**
 * Lets a public client's page read the response (CORS), for its exact origin and without credentials: such
 * an app runs in the browser and has no other way to its tokens.
 */
export async function markOrigin({ services }: Context, request: Request, response: Response): Promise<void> {
  response.addHeader('vary', 'Origin');
  const origin = request.getHeader('origin');
  if (origin === undefined || origin === 'null') return;
  if (!(await findOrigins(services)).has(toKey(origin))) return;
  response.addHeader('access-control-allow-origin', origin);
  if (request.getMethod() !== 'OPTIONS') return;
  response
    .addHeader('access-control-allow-methods', 'GET, POST')
    .addHeader('access-control-allow-headers', 'Authorization, Content-Type')
    .addHeader('access-control-max-age', String(PREFLIGHT_SECONDS));
}

/** As {@link markOrigin}, and any origin where the settings list none: for what needs no credentials. */
export async function markOpenOrigin(context: Context, request: Request, response: Response): Promise<void> {
  markOpen(context.plan.model, request, response);
  if (response.getHeaders('access-control-allow-origin') === undefined) await markOrigin(context, request, response);
}
