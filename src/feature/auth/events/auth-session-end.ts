import * as z from 'zod';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountKeys } from '../account/account-stage.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

export const authSessionEnd = defineEvent({
  name: 'auth-session-end',
  description: 'Ends one session of an account, or all of them.',
  kind: 'silent',
  stage: () => z.object({ ...accountKeys(), session: onlyText('Id of the session. Default: all of them.') }),
  results: () => z.object({ auth_slug: z.string() }).describe('None.'),
  async run({ session, ...selection }, { services: { database, sessions } }) {
    const auth = await findSelectedAuth(database, selection);
    if (!auth) return reject(NOBODY);
    if (session === undefined) await sessions.endAll(auth.auth_id);
    else if (!(await sessions.endOne(auth.auth_id, session))) {
      return reject({ status: 404, code: 'SESSION_MISSING', message: 'There is no such session; it may have ended.' });
    }
    return { auth_slug: auth.auth_slug };
  },
});
