import type { EventContribution } from '../../../plan/feature.ts';
import { findUser } from '../sql.ts';

export const restResource: EventContribution = {
  event: 'rest-resource',
  description: 'Finds the user of a profile.',
  stage: { profile_id: 'The profile.' },
  results: '`id`, `email`, `name`, `created`.',
  listen: (context) => async (request, response) => {
    const profileId = Number(request.getStage('profile_id'));
    const user = Number.isSafeInteger(profileId) ? await findUser(context.services.database, profileId) : undefined;
    if (!user) return response.refuse({ status: 404, message: 'No resource found' });
    response.succeed({
      id: user.auth_id,
      email: user.auth_slug,
      name: user.profile_name,
      created: user.auth_created,
    });
  },
};
