import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';
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

export const webhookReceiverDisabled = (): EventContribution => ({
  name: EVENT,
  description: 'Emitted when Treadle disables a failing receiver. Listen to it to notify the owner.',
  stage: {
    hook: 'Name of the web hook.',
    client_id: "The receiving app's client id; null for the hook's own URL.",
    url: 'Its URL.',
    reason: 'The reason, as a sentence.',
  },
  results: '`hook`, `client_id`, `reason`, which a web hook on this event receives.',
  kind: 'writes',
  listen: () => (request, response) => {
    const [hook, clientId, reason] = ['hook', 'client_id', 'reason'].map((key) => request.getStage(key) ?? null);
    // Not the URL: its path or query may contain the receiver's secret, which no other receiver may see.
    response.setError(false).setResults({ hook, client_id: clientId, reason });
  },
});
