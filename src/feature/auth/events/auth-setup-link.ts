import { getAccess } from '../../../core/access.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { hasAdministrator } from '../account/administrator.ts';
import { toLink } from '../mail/mail.ts';
import { issueToken, NOBODY_ID } from '../mail/mail-token.ts';

export const authSetupLink: EventContribution = {
  name: 'auth-setup-link',
  description:
    'Makes a link by which one person signs up as the first administrator, if there is none. `treadle dev` prints it. For the command line only.',
  stage: {},
  results: '`link`, which works once, for a day; absent if there is an administrator. The link before it ends.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { services } = context;
    if (request.callFacts !== undefined || getAccess().kind !== 'system') {
      return response.refuse({ status: 403, message: 'Only the command line makes this link.' });
    }
    if (await hasAdministrator(services.database)) return response.succeed({});
    response.succeed({ link: toLink(context, '/auth/setup', await issueToken(services, 'setup', NOBODY_ID)) });
  },
};
