import type { EventContribution } from '../../../plan/feature.ts';
import { changeAccount } from '../account/change-account.ts';

export const authRestore: EventContribution = {
  name: 'auth-restore',
  description: 'Enables a disabled account again.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) =>
    changeAccount(
      context,
      { request, response },
      {
        event: 'auth-restore',
        changes: { auth_active: 1 },
        isEndingSessions: false,
      },
    ),
};
