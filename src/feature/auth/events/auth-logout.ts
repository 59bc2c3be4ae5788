import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';

export const authLogout = defineEvent({
  name: 'auth-logout',
  description: 'Ends the session of the request. The logout button emits it.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () => z.undefined().describe('None.'),
  run(_stage, { services }, { request, response }) {
    services.sessions.end(request);
    if (!response.isError()) response.setError(false);
    return undefined;
  },
});
