import * as z from 'zod';
import { toStamp } from '../../../core/clock.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { toAccount } from '../account/account.ts';
import { accountRow } from '../account/account-stage.ts';
import { dropUnproven } from '../account/first-proof.ts';
import { invalid, LINK_GONE, tellBusy } from '../errors.ts';
import { findToken, removeTokens, takeToken } from '../mail/mail-token.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';
import { findAuth, findProfile, updateAuth } from '../sql.ts';

export const authRecover = defineEvent({
  name: 'auth-recover',
  description:
    'Sets a new password by a mailed link, which works once; ends all sessions and the access of apps, and confirms the e-mail address. If the address was not confirmed before, it also removes second factors, trusted devices and linked providers: somebody else may have signed up with it.',
  kind: 'self',
  stage: () =>
    z.object({
      token: onlyText('From the link.'),
      auth_password: onlyText('New password.'),
      confirm: onlyText('The new password again, for forms. Optional.'),
    }),
  results: accountRow,
  run: ({ token: text, auth_password: password = '', confirm }, context, exchange) =>
    tellBusy(exchange.response, async () => {
      const { services } = context;
      const { database, clock, sessions } = services;
      const token = await findToken(services, text, 'recover', 'invite');
      const auth = token && (await findAuth(database, 'auth_id', token.auth_id));
      if (token === undefined || auth?.auth_active !== 1) return reject(LINK_GONE);
      const errors = findPasswordErrors(password, confirm);
      if (Object.keys(errors).length > 0) return invalid(errors);
      const hash = await makeHash(context, exchange.request, password);
      const rejection = await database.transaction(async () => {
        if (!(await takeToken(database, token))) return reject(LINK_GONE);
        // Once the address is confirmed, a mailbox does not lead around the second factors. Before, they may be a stranger's.
        const dropped = auth.auth_verified === 1 ? {} : await dropUnproven(services, auth.auth_id);
        await removeTokens(database, auth.auth_id);
        // The link was in the mailbox, so the address is the user's.
        const stamp = toStamp(clock.now());
        const changes = { ...dropped, auth_password: hash, auth_verified: 1, auth_updated: stamp };
        const row = await updateAuth(database, auth.auth_id, changes);
        const profile = await findProfile(database, auth.profile_id);
        return commitResults(context, exchange, toAccount(context, row ?? auth, profile));
      });
      if (rejection === undefined && !exchange.response.isError()) await sessions.endAll(auth.auth_id);
      return rejection;
    }),
});
