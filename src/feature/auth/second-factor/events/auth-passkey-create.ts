import * as z from 'zod';
import { defineEvent, Rejection } from '../../../../plan/event/event.ts';
import { text } from '../../../../plan/event/value.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { answerNewFactor, findOwner, newFactorRow } from '../factors.ts';
import { credentialKeys } from '../passkey/check.ts';
import { registerPasskey } from '../passkey/register.ts';

export const authPasskeyCreate = defineEvent({
  name: 'auth-passkey-create',
  description: 'Adds a passkey to an account, and mails the owner. With the first second factor other sessions end.',
  kind: 'self',
  stage: () =>
    z.object({
      ...accountKeys(),
      name: text('Name for the list of passkeys, at most 100 characters.'),
      ...credentialKeys('The answer of the new passkey as JSON, with `state` from `/auth/passkey/options`.'),
    }),
  results: newFactorRow,
  async run(stage, context, exchange) {
    const auth = await findOwner(context, stage, exchange);
    if (auth instanceof Rejection) return auth;
    const changed = await registerPasskey(context, exchange, auth, stage);
    return changed instanceof Rejection ? changed : answerNewFactor(context, exchange, auth, changed);
  },
});
