import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { changeAccount } from '../account/change-account.ts';

export const authRestore = defineEvent({
  name: 'auth-restore',
  description: 'Enables a disabled account again.',
  kind: 'self',
  stage: () => z.object(accountKeys()),
  results: accountRow,
  run: (stage, context, exchange) => changeAccount(context, exchange, { ...stage, changes: { auth_active: 1 } }),
});
