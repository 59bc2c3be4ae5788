import type { EventContribution } from '../../../plan/feature.ts';
import { parseList } from '../app-row.ts';
import { succeed } from '../errors.ts';
import { findReceivers } from '../sql.ts';

export const webhookReceiverSearch: EventContribution = {
  event: 'webhook-receiver-search',
  description: 'Finds the apps that a web hook is sent to.',
  stage: {
    hook: 'Name of the web hook.',
    profile_id: "The profile that the event is about; a hook for users reaches that profile's own apps only.",
  },
  results: '`rows`: `app_id`, `client_id`, `url`, `owner_profile_id`.',
  commits: 'self',
  listen: (context) => async (request, response) => {
    const hook = String(request.getStage('hook') ?? '');
    const profileId = Number(request.getStage('profile_id') ?? Number.NaN);
    const isForUser = context.plan.hooks.some(
      ({ name, definition }) => name === hook && definition.audience === 'user',
    );
    const rows = (await findReceivers(context.services.database))
      .filter((row) => parseList(row.hooks).includes(hook))
      .filter((row) => !isForUser || row.owner_profile_id === profileId)
      .map(({ app_id, client_id, webhook, owner_profile_id }) => ({
        app_id,
        client_id,
        url: webhook,
        owner_profile_id,
      }));
    succeed(response, { rows });
  },
};
