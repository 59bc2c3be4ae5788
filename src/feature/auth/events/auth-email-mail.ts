import * as z from 'zod';
import { normalizeEmail } from '../../../core/text/email.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountKeys } from '../account/account-stage.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { sendMail, toLife, toLink } from '../mail/mail.ts';
import { issueToken, LINK_SECONDS } from '../mail/mail-token.ts';
import { findAuth, findProfile } from '../sql.ts';

export const authEmailMail = defineEvent({
  name: 'auth-email-mail',
  description:
    'Mails the link that changes the e-mail of an account (template `auth-email`), to the new address; nothing if that address has an account. The mail queue emits it.',
  kind: 'silent',
  stage: () => z.object({ ...accountKeys(), email: onlyText('The new address.') }),
  results: () => z.undefined().describe('None.'),
  async run({ email = '', ...selection }, context, { request, response }) {
    const { services } = context;
    if (request.callFacts !== undefined)
      return reject({ status: 403, code: 'EVENT_NOT_BY_CALL', message: 'A call cannot send this mail.' });
    const auth = await findSelectedAuth(services.database, selection);
    const to = normalizeEmail(email);
    if (auth?.auth_active === 1 && !(await findAuth(services.database, 'auth_slug', to))) {
      const profile = await findProfile(services.database, auth.profile_id);
      await services.database.transaction(async () => {
        const token = await issueToken(services, 'email', auth.auth_id, to);
        const name = profile?.profile_name;
        const data = () => ({
          link: toLink(context, '/auth/verify', token),
          life: toLife('email'),
          name,
          email: to,
        });
        await sendMail(context, response, auth, { to, template: 'auth-email', data, seconds: LINK_SECONDS.email });
      });
    }
    if (!response.isError()) response.setError(false);
    return undefined;
  },
});
