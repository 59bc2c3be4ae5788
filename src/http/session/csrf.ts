import type { IncomingMessage } from 'node:http';
import type { Request } from '../../core/request/request.ts';
import { type Exchange, isUnsafe } from '../exchange.ts';
import type { RuntimeSessions } from './session.ts';

function toOrigin(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** Where a request comes from. `hidden`: its page or its frame makes the browser keep that to itself. */
type Source = 'own' | 'other' | 'hidden';

/**
 * Where a request came from: by `Sec-Fetch-Site`, or else by `Origin`, which must match the public URL or the requested
 * host. A client that sends neither is not a browser, so it cannot abuse a visitor's cookies; the consent dialog then
 * requires its form token. `Origin: null` alone tells nothing: over plain http, where browsers send no `Sec-Fetch-Site`,
 * a page with `Referrer-Policy: no-referrer` sends it to its own site, and a sandboxed frame to any.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 * @see https://fetch.spec.whatwg.org/#append-a-request-origin-header
 */
function findSource(req: IncomingMessage, isSecure: boolean, baseUrl: string): Source {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other';
  const { origin, host } = req.headers;
  if (origin === undefined) return 'own';
  if (origin === 'null') return 'hidden';
  const own = `${isSecure ? 'https' : 'http'}://${host ?? ''}`;
  return origin === toOrigin(baseUrl) || origin === toOrigin(own) ? 'own' : 'other';
}

/** Where an unsafe method to a page came from; `own` for all that is not guarded. */
const judgeSource = ({ kind, method, req, isSecure, baseUrl }: Exchange): Source =>
  kind === 'page' && isUnsafe(method) ? findSource(req, isSecure, baseUrl) : 'own';

export const FORGED = 'This form was sent from another site.';
const STALE = 'This form is no longer valid: load the page again and send it once more.';

/** True if another site sent an unsafe method to a page. */
export const isForged = (exchange: Exchange): boolean => judgeSource(exchange) === 'other';

/**
 * Why a form is refused, once its session and body are known; undefined if it is not. A form with the token of another
 * session is stale. A form of a hidden source needs the token of its session.
 */
export function findFormTokenError(
  exchange: Exchange,
  sessions: Pick<RuntimeSessions, 'judgeFormToken'>,
  request: Request,
): string | undefined {
  const verdict = sessions.judgeFormToken(request, exchange.body?.post.csrf);
  if (verdict === 'wrong') return STALE;
  return verdict === 'right' || judgeSource(exchange) === 'own' ? undefined : FORGED;
}
