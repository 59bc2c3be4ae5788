import * as z from 'zod';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { text } from '../../../plan/event/value.ts';
import type { Outbox } from '../delivery/outbox.ts';

const EVENT = 'webhook-receiver-disabled';

/** A disabled receiver and the reason. */
export interface DisabledReceiver {
  readonly hook: string;
  readonly clientId: string | null;
  readonly url: string;
  readonly reason: string;
}

/** Calls the project's listeners after the commit. The queue continues meanwhile. */
export async function tellDisabled({ context, beside }: Outbox, disabled: DisabledReceiver): Promise<void> {
  const { hook, clientId, url, reason } = disabled;
  await context.services.database.afterCommit(async () =>
    beside(() => {
      const request = new Request().setStage({ hook, client_id: clientId, url, reason });
      return context.emit(EVENT, request, new Response(request));
    }),
  );
}

export const webhookReceiverDisabled = defineEvent({
  name: EVENT,
  description: 'Emitted when Treadle disables a failing receiver. Listen to it to notify the owner.',
  kind: 'writes',
  stage: () =>
    z.object({
      hook: text('Name of the web hook.'),
      client_id: text("The receiving app's client id; null for the hook's own URL."),
      url: text('Its URL.'),
      reason: text('The reason, as a sentence.'),
    }),
  results: () =>
    z
      .object({ hook: z.string().nullable(), client_id: z.string().nullable(), reason: z.string().nullable() })
      .describe('`hook`, `client_id`, `reason`, which a web hook on this event receives.'),
  // Not the URL: its path or query may contain the receiver's secret, which no other receiver may see.
  run: ({ hook = null, client_id = null, reason = null }) => ({ hook, client_id, reason }),
});
