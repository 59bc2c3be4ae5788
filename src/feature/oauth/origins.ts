import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Context, Services } from '../../plan/feature.ts';
import { parseList } from './app-row.ts';
import { readHeader } from './header.ts';
import { findPublicRedirects } from './sql.ts';

/** For so long the origins of public apps are remembered: a flood of preflights costs one query in it. */
const KEPT_MILLISECONDS = 5000;
/** Seconds for which a browser keeps a preflight's answer. */
const PREFLIGHT_SECONDS = 600;
/** An app on this machine chooses its port. @see RFC 8252 section 7.3 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?$/;

interface Known {
  readonly at: number;
  readonly origins: ReadonlySet<string>;
}

const kept = new WeakMap<Services, Known>();

const toKey = (origin: string): string => origin.replace(LOOPBACK, 'http://$1');

/** The origin of an address that a browser opens, without a port of this machine; undefined for another address. */
export const toOriginKey = (uri: string): string | undefined =>
  /^https?:/.test(uri) && URL.canParse(uri) ? toKey(new URL(uri).origin) : undefined;

/** Origins where public apps' pages run: those of the addresses that they return to. */
async function findOrigins(services: Services): Promise<ReadonlySet<string>> {
  const now = services.clock.now();
  const known = kept.get(services);
  if (known && now - known.at < KEPT_MILLISECONDS) return known.origins;
  const lists = await findPublicRedirects(services.database);
  const origins = new Set(lists.flatMap(parseList).flatMap((uri) => toOriginKey(uri) ?? []));
  kept.set(services, { at: now, origins });
  return origins;
}

/**
 * Lets a public app's page read the answer, by its exact origin and never with credentials: such an app runs in the
 * browser and has no other way to its tokens.
 */
export async function markOrigin({ services }: Context, request: Request, response: Response): Promise<void> {
  response.addHeader('vary', 'Origin');
  const origin = readHeader(request, 'origin');
  if (origin === '' || origin === 'null') return;
  if (!(await findOrigins(services)).has(toKey(origin))) return;
  response.addHeader('access-control-allow-origin', origin);
  if (request.getMethod() !== 'OPTIONS') return;
  response
    .addHeader('access-control-allow-methods', 'GET, POST')
    .addHeader('access-control-allow-headers', 'Authorization, Content-Type')
    .addHeader('access-control-max-age', String(PREFLIGHT_SECONDS));
}
