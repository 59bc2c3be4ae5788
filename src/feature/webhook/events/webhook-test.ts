import type { EventContribution } from '../../../plan/feature.ts';
import { recordEvent } from '../capture.ts';
import type { FindOutbox } from '../outbox.ts';

export const webhookTest = (findOutbox: FindOutbox): EventContribution => ({
  event: 'webhook-test',
  description: 'Fires a web hook with trial data, to the receivers that the true event would reach.',
  stage: {
    hook: 'Name of the web hook.',
    data: 'What to send as `data`. Default `{"test":true}`.',
    profile_id: 'Whom the event is about, for a hook of the audience `user`.',
  },
  results: '`event_id`, by which `webhook-delivery-search` finds what came of it.',
  listen: (context) => async (request, response) => {
    const outbox = findOutbox(context);
    const name = String(request.getStage('hook') ?? '');
    const hook = outbox.hooks.get(name);
    if (!hook) {
      response
        .setError(true, `There is no web hook named "${name}".`)
        .setStatus(404)
        .addValidation('hook', 'Not found');
      return;
    }
    const profileId = Number(request.getStage('profile_id') ?? Number.NaN);
    const data = JSON.stringify(request.getStage('data') ?? { test: true });
    const event = { data, profileId: Number.isSafeInteger(profileId) ? profileId : undefined };
    const eventId = await context.services.database.write(() => recordEvent(outbox, hook, event));
    response.setError(false).setResults({ event_id: eventId });
  },
});
