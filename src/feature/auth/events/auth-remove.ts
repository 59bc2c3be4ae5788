import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { changeAccount, keepsAdministrator } from '../account/change-account.ts';

export const authRemove = defineEvent({
  name: 'auth-remove',
  description: 'Disables an account: no login, and its sessions and tokens stop working at once.',
  kind: 'self',
  stage: () => z.object({ ...accountKeys(), keeps_administrator: keepsAdministrator() }),
  results: accountRow,
  run: (stage, context, exchange) =>
    changeAccount(context, exchange, { ...stage, changes: { auth_active: 0 }, isEndingSessions: true }),
});
