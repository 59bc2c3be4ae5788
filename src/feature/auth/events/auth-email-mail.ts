import { normalizeEmail } from '../../../core/text/email.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { sendMail, toLife, toLink } from '../mail/mail.ts';
import { issueToken, LINK_SECONDS } from '../mail/mail-token.ts';
import { findAuth, findProfile } from '../sql.ts';

export const authEmailMail: EventContribution = {
  name: 'auth-email-mail',
  description:
    'Mails the link that changes the e-mail of an account (template `auth-email`), to the new address; nothing if that address has an account. The mail queue emits it.',
  stage: { auth_id: 'The account.', email: 'The new address.' },
  results: 'None.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { services } = context;
    if (request.callFacts !== undefined) {
      return response.refuse({ status: 403, message: 'A call cannot send this mail.' });
    }
    const auth = await findSelectedAuth(services.database, request);
    const to = normalizeEmail(readText(request.getStage('email')));
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
  },
};
