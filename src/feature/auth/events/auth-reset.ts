import * as z from 'zod';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { changeAccount } from '../account/change-account.ts';
import { invalid, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';

export const authReset = defineEvent({
  name: 'auth-reset',
  description: 'Sets a password without the current one. For the command line and administrators only.',
  kind: 'self',
  stage: () =>
    z.object({
      ...accountKeys(),
      auth_password: onlyText('New password.'),
      confirm: onlyText('The new password again, for forms. Optional.'),
    }),
  results: accountRow,
  run: ({ auth_password: password = '', confirm, ...selection }, context, exchange) =>
    tellBusy(exchange.response, async () => {
      const errors = findPasswordErrors(password, confirm);
      if (Object.keys(errors).length > 0) return invalid(errors);
      if (!(await findSelectedAuth(context.services.database, selection))) return reject(NOBODY);
      const changes = { auth_password: await makeHash(context, exchange.request, password) };
      return changeAccount(context, exchange, { ...selection, changes, isEndingSessions: true });
    }),
});
