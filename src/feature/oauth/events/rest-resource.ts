import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { EventContribution } from '../../../plan/feature.ts';

export const restResource: EventContribution = {
  name: 'rest-resource',
  description: 'Finds the user of a profile, as far as `auth-detail` shows the account.',
  stage: { profile_id: 'The profile.' },
  results: '`id`, `email`, `name`, `created`.',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    const profileRequest = new Request().setStage({ profile_id: Number(request.getStage('profile_id')) });
    const found = new Response(profileRequest);
    await context.emit('auth-detail', profileRequest, found);
    const user = found.isError() ? undefined : found.getResults<Readonly<Record<string, unknown>>>();
    if (user === undefined || (user.auth_active ?? 1) !== 1)
      return response.refuse({ status: 404, message: 'No resource found' });
    response.succeed({
      id: user.auth_id,
      email: user.auth_slug,
      name: user.profile_name,
      created: user.auth_created,
    });
  },
};
