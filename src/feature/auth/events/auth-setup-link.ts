import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { hasAdministrator } from '../account/administrator.ts';
import { toLink } from '../mail/mail.ts';
import { issueToken, NOBODY_ID } from '../mail/mail-token.ts';

export const authSetupLink = defineEvent({
  name: 'auth-setup-link',
  description:
    'Makes a link by which one person signs up as the first administrator, if there is none. `treadle dev` prints it. For the command line only.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({ link: z.string().optional() })
      .describe('`link`, which works once, for a day; absent if there is an administrator. The link before it ends.'),
  async run(_stage, context, { request }) {
    const { services } = context;
    if (request.callFacts !== undefined || getAccess().kind !== 'system') {
      return reject({ status: 403, code: 'EVENT_NOT_BY_REQUEST', message: 'Only the command line makes this link.' });
    }
    if (await hasAdministrator(services.database)) return {};
    return { link: toLink(context, '/auth/setup', await issueToken(services, 'setup', NOBODY_ID)) };
  },
});
