import { Request } from '../../../core/request.ts';
import { Response } from '../../../core/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import type { Outbox } from '../outbox.ts';

const EVENT = 'webhook-receiver-disabled';

/** Who was disabled, and why. */
export interface Disabled {
  readonly hook: string;
  readonly clientId: string | null;
  readonly url: string;
  readonly reason: string;
}

/** Tells the project's listeners, once what says so has committed. The queue goes on meanwhile. */
export async function tellDisabled({ context, beside }: Outbox, disabled: Disabled): Promise<void> {
  const { hook, clientId, url, reason } = disabled;
  await context.services.database.afterCommit(async () =>
    beside(() => {
      const request = new Request().setStage({ hook, client_id: clientId, url, reason });
      return context.emit(EVENT, request, new Response(request));
    }),
  );
}

export const webhookReceiverDisabled = (): EventContribution => ({
  event: EVENT,
  description: 'Heard when a receiver was disabled for its failures: listen to it to tell its owner.',
  stage: {
    hook: 'Name of the web hook.',
    client_id: "The receiving app's client id; null for the hook's own address.",
    url: 'Its address.',
    reason: 'Why, as a sentence.',
  },
  results: '`hook`, `client_id`, `reason`: what a web hook on it is sent.',
  listen: () => (request, response) => {
    const [hook, clientId, reason] = ['hook', 'client_id', 'reason'].map((key) => request.getStage(key) ?? null);
    // Not the URL: its path or query may hold the receiver's own secret, which no other receiver is told.
    response.setError(false).setResults({ hook, client_id: clientId, reason });
  },
});
