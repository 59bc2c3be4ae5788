import type { EventContribution } from '../../../plan/feature.ts';
import { changeAccount } from '../change-account.ts';
import { getAccountGrant } from '../find-asked.ts';

export const authVerify: EventContribution = {
  event: 'auth-verify',
  description: "Marks an account's e-mail as verified. For the command line and administrators only.",
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => async (request, response) => {
    if (request.callFacts !== undefined || getAccountGrant('update').rows !== undefined) {
      return response.refuse({ status: 403, message: 'A call cannot verify an account.' });
    }
    const change = { event: 'auth-verify', changes: { auth_verified: 1 }, isEndingSessions: false };
    await changeAccount(context, { request, response }, change);
  },
};
