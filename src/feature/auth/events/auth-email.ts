import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { isCurrentPassword } from '../current-password.ts';
import { EMPTY, findEmailError, invalid, NO_MAIL, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { hasMail, prepareMail } from '../mail/mail.ts';
import { LINK_SECONDS, removeTokens } from '../mail/mail-token.ts';

async function ask(context: Context, request: Request, response: Response): Promise<void> {
  const auth = await findSelectedAuth(context.services.database, request);
  if (!auth) return response.refuse(NOBODY);
  const email = normalizeEmail(readText(request.getStage('email')));
  if (email === '') return response.refuse(invalid({ email: EMPTY }));
  const error = findEmailError(email);
  if (error !== undefined) return response.refuse(invalid({ email: error }));
  if (email === normalizeEmail(auth.auth_slug)) return response.refuse(invalid({ email: 'Is your e-mail already' }));
  if (!(await isCurrentPassword(context, auth, { request, response }))) return;
  if (!hasMail(context)) return response.refuse(NO_MAIL);
  const { database } = context.services;
  // The link to another address ends now, also if this address gets none, because it has an account.
  await database.write(() => removeTokens(database, auth.auth_id, 'email'));
  const stage = { auth_id: auth.auth_id, email };
  await prepareMail(context, { event: 'auth-email-mail', stage, seconds: LINK_SECONDS.email });
  response.succeed({ email });
}

export const authEmail: EventContribution = {
  name: 'auth-email',
  description:
    'Asks to change the e-mail of an account: mails a link to the new address, and changes it once the link is used (`auth-verify`). Answers the same for an address that has an account.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    email: 'The new address.',
    auth_current: 'The current password.',
  },
  results: '`email`, the new address in stored form.',
  kind: 'silent',
  listen: (context) => tellBusy((request, response) => ask(context, request, response)),
};
