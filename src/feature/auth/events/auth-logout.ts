import type { EventContribution } from '../../../plan/feature.ts';

export const authLogout: EventContribution = {
  name: 'auth-logout',
  description: 'Ends the session of the request. The logout button emits it.',
  stage: {},
  results: 'None.',
  kind: 'silent',
  listen:
    ({ services }) =>
    (request, response) => {
      services.sessions.end(request);
      if (!response.isError()) response.setError(false);
    },
};
