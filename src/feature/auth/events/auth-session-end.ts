import type { EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

export const authSessionEnd: EventContribution = {
  name: 'auth-session-end',
  description: 'Ends one session of an account, or all of them.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_slug: 'Its e-mail address.',
    session: 'Id of the session. Default: all of them.',
  },
  results: 'None.',
  kind: 'silent',
  listen:
    ({ services: { database, sessions } }) =>
    async (request, response) => {
      const auth = await findSelectedAuth(database, request);
      if (!auth) return response.refuse(NOBODY);
      const session = request.getStage('session');
      if (session === undefined) await sessions.endAll(auth.auth_id);
      else if (!(await sessions.endOne(auth.auth_id, readText(session)))) {
        return response.refuse({ status: 404, message: 'There is no such session; it may have ended.' });
      }
      response.succeed({ auth_slug: auth.auth_slug });
    },
};
