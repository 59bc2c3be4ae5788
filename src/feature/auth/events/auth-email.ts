import * as z from 'zod';
import { normalizeEmail } from '../../../core/text/email.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountKeys } from '../account/account-stage.ts';
import { checkCurrentPassword } from '../current-password.ts';
import { EMPTY, findEmailError, invalid, NO_MAIL, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { hasMail, prepareMail } from '../mail/mail.ts';
import { LINK_SECONDS, removeTokens } from '../mail/mail-token.ts';

export const authEmail = defineEvent({
  name: 'auth-email',
  description:
    'Asks to change the e-mail of an account: mails a link to the new address, and changes it once the link is used (`auth-verify`). Answers the same for an address that has an account.',
  kind: 'silent',
  stage: () =>
    z.object({
      ...accountKeys(),
      email: onlyText('The new address.'),
      auth_current: onlyText('The current password.'),
    }),
  results: () => z.object({ email: z.string() }).describe('`email`, the new address in stored form.'),
  run: ({ email: address = '', auth_current: current = '', ...selection }, context, exchange) =>
    tellBusy(exchange.response, async () => {
      const { database } = context.services;
      const auth = await findSelectedAuth(database, selection);
      if (!auth) return reject(NOBODY);
      const email = normalizeEmail(address);
      if (email === '') return invalid({ email: EMPTY });
      const error = findEmailError(email);
      if (error !== undefined) return invalid({ email: error });
      if (email === normalizeEmail(auth.auth_slug)) return invalid({ email: 'Is your e-mail already' });
      const rejection = await checkCurrentPassword(context, auth, current, exchange);
      if (rejection !== undefined) return rejection;
      if (!hasMail(context)) return reject(NO_MAIL);
      // The link to another address ends now, also if this address gets none, because it has an account.
      await database.write(() => removeTokens(database, auth.auth_id, 'email'));
      const stage = { auth_id: auth.auth_id, email };
      await prepareMail(context, { event: 'auth-email-mail', stage, seconds: LINK_SECONDS.email });
      return { email };
    }),
});
