import { Request } from '../../../core/request.ts';
import { Response } from '../../../core/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';

const EVENT = 'webhook-receiver-disabled';

/** Who was disabled, and why. */
export interface Disabled {
  readonly hook: string;
  readonly clientId: string | null;
  readonly url: string;
  readonly reason: string;
}

/** Tells the project's listeners, once what says so has committed; what they do wrong is theirs and only logged. */
export async function tellDisabled({ services, emit }: Context, disabled: Disabled): Promise<void> {
  const { hook, clientId, url, reason } = disabled;
  await services.database.afterCommit(async () => {
    const request = new Request().setStage({ hook, client_id: clientId, url, reason });
    await emit(EVENT, request, new Response(request));
  });
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
  results: 'Nothing.',
  commits: 'self',
  listen: () => (_, response) => {
    response.setError(false);
  },
});
