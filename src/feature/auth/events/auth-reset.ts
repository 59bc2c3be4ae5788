import type { EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { changeAccount } from '../account/change-account.ts';
import { invalid, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';

export const authReset: EventContribution = {
  name: 'auth-reset',
  description: 'Sets a password without the current one. For the command line and administrators only.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_password: 'New password.',
    confirm: 'The new password again, for forms. Optional.',
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) =>
    tellBusy(async (request, response) => {
      const password = readText(request.getStage('auth_password'));
      const confirm = request.getStage('confirm');
      const errors = findPasswordErrors(password, confirm === undefined ? undefined : readText(confirm));
      if (Object.keys(errors).length > 0) return response.refuse(invalid(errors));
      if (!(await findSelectedAuth(context.services.database, request))) return response.refuse(NOBODY);
      const changes = { auth_password: await makeHash(context, request, password) };
      await changeAccount(context, { request, response }, { event: 'auth-reset', changes, isEndingSessions: true });
    }),
};
