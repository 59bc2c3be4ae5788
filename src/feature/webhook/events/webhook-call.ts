import { TreadleError } from '../../../core/errors.ts';
import type { OutboundRequest } from '../../../outbound/outbound.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';

/** GET and DELETE send the payload in the query. */
function toCall(method: string, url: string, payload: { action: unknown; data: unknown }): OutboundRequest {
  if (method === 'POST' || method === 'PUT')
    return { method, url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) };
  if (!URL.canParse(url)) return { method, url };
  const target = new URL(url);
  target.searchParams.set('action', String(payload.action ?? ''));
  target.searchParams.set('data', JSON.stringify(payload.data ?? null));
  return { method, url: target.href };
}

export const webhookCall = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-call',
  description: 'Calls a URL once through the address guard, without signature and retries.',
  stage: {
    url: 'URL to call.',
    action: 'Name of the action; sent as `action`.',
    method: '`post` (default), `put`, `get` or `delete`.',
    results: 'Sent as `data`.',
  },
  results: '`status`, `body` and `milliseconds` of the answer.',
  // Calls out: a hook on this event would keep a transaction open meanwhile.
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const outbox = findOutbox(context);
    const method = String(request.getStage('method') ?? 'post').toUpperCase();
    const url = String(request.getStage('url') ?? '');
    if (!['POST', 'PUT', 'GET', 'DELETE'].includes(method)) {
      response.setError(true, `The method ${method} is not one of post, put, get, delete.`).setStatus(422);
      return;
    }
    const payload = { action: request.getStage('action'), data: request.getStage('results') };
    try {
      const { timeoutSeconds, policy } = outbox;
      const call = { ...toCall(method, url, payload), timeoutSeconds };
      const { status, body, milliseconds } = await context.services.outbound.send(call, policy);
      response.setResults({ status, body, milliseconds });
      if (status < 200 || status > 299) response.setError(true, `The receiver answered ${status}.`).setStatus(502);
    } catch (error) {
      if (!(error instanceof TreadleError) || !error.code.startsWith('OUTBOUND_')) throw error;
      response.setError(true, error.message).setStatus(error.status).addValidation('url', error.message);
    }
  },
});
