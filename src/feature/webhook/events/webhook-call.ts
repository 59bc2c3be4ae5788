import * as z from 'zod';
import { TreadleError } from '../../../core/errors.ts';
import { noteOthers } from '../../../core/text/rule-note.ts';
import type { OutboundRequest } from '../../../outbound/outbound.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything, text } from '../../../plan/event/value.ts';
import type { EventRecord } from '../../../plan/feature.ts';
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

export const webhookCall = (findOutbox: FindOutbox): EventRecord =>
  defineEvent({
    name: 'webhook-call',
    description: 'Calls a URL once through the address guard, without signature and retries.',
    // Calls out: a hook on this event would keep a transaction open meanwhile.
    kind: 'silent',
    stage: () =>
      z.object({
        url: text('URL to call.'),
        action: anything('Name of the action; sent as `action`.'),
        method: text('`post` (default), `put`, `get` or `delete`.'),
        results: anything('Sent as `data`.'),
      }),
    results: () =>
      z
        .object({ status: z.number(), body: z.string(), milliseconds: z.number() })
        .describe('`status`, `body` and `milliseconds` of the answer.'),
    async run({ url = '', action, method: name = 'post', results: data }, context, { response }) {
      const { timeoutSeconds, policy } = findOutbox(context);
      const method = name.toUpperCase();
      if (!['POST', 'PUT', 'GET', 'DELETE'].includes(method))
        return reject({
          status: 422,
          code: 'VALIDATION_FAILED',
          message: `The method ${method} is not one of post, put, get, delete.`,
        });
      try {
        const call = { ...toCall(method, url, { action, data }), timeoutSeconds };
        const { status, body, milliseconds } = await context.services.outbound.send(call, policy);
        const answer = { status, body, milliseconds };
        if (status >= 200 && status <= 299) return answer;
        // What the receiver answered stays with the error.
        response.setResults(answer).setError(true, `The receiver answered ${status}.`).setStatus(502);
        return undefined;
      } catch (error) {
        if (!(error instanceof TreadleError) || !error.code.startsWith('OUTBOUND_')) throw error;
        const { status, message } = error;
        noteOthers({ message });
        return reject({ status, code: error.code, message, validation: { url: message } });
      }
    },
  });
