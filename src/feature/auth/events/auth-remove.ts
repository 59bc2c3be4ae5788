import type { EventContribution } from '../../../plan/feature.ts';
import { changeAccount, KEEPS_ADMINISTRATOR } from '../account/change-account.ts';

export const authRemove: EventContribution = {
  name: 'auth-remove',
  description: 'Disables an account: no login, and its sessions and tokens stop working at once.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_slug: 'Its e-mail address.',
    keeps_administrator: KEEPS_ADMINISTRATOR,
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) =>
    changeAccount(
      context,
      { request, response },
      {
        event: 'auth-remove',
        changes: { auth_active: 0 },
        isEndingSessions: true,
      },
    ),
};
