import type { Listener } from '../../core/bus/followers.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { isTrusting } from '../../model/trusted-proxies.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { isLocalRequest } from '../../plan/local-request.ts';

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

function refuseStranger(response: Response): void {
  response.setStatus(403).setError(true, 'Metrics are only for programs on this machine, without a proxy.');
}

/** @see RFC 6750 section 3 */
function refuseToken(response: Response, isSent: boolean): void {
  const error = isSent ? ', error="invalid_token"' : '';
  response
    .addHeader('www-authenticate', `Bearer realm="metrics"${error}`)
    .setStatus(401)
    .setError(true, isSent ? 'The token does not match METRICS_TOKEN.' : 'Send METRICS_TOKEN as a Bearer token.');
}

/** True if the client may read the metrics; otherwise sets the refusal. */
function isAdmitted({ plan, services }: Context, request: Request, response: Response): boolean {
  const { metrics, trustProxy } = plan.model.settings.server;
  if (metrics === 'token') {
    const sent = BEARER.exec(request.getHeader('authorization') ?? '')?.[1];
    if (sent !== undefined && services.metrics.isToken(sent)) return true;
    refuseToken(response, sent !== undefined);
    return false;
  }
  // Behind a proxy every connection comes from this machine.
  if (!isTrusting(trustProxy) && isLocalRequest(request)) return true;
  refuseStranger(response);
  return false;
}

function answerMetrics(context: Context): Listener {
  return async (request, response) => {
    response.addHeader('cache-control', 'no-store');
    if (!isAdmitted(context, request, response)) return false;
    const { type, text } = await context.services.metrics.read();
    response.addHeader('content-type', type).setContent(text);
    return false;
  };
}

export const routes: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: '/metrics',
    kind: 'open',
    isFirst: true,
    description: 'Metrics of the server in the Prometheus text format, if `server.metrics` enables them.',
    listen: answerMetrics,
  },
];
