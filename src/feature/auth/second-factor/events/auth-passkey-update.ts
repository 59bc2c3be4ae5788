import * as z from 'zod';
import { defineEvent, Rejection, reject } from '../../../../plan/event/event.ts';
import { optionalLookupId, text } from '../../../../plan/event/value.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { invalid } from '../../errors.ts';
import { findOwner } from '../factors.ts';
import { parseName } from '../passkey/register.ts';
import { renamePasskey } from '../passkey/sql.ts';

export const authPasskeyUpdate = defineEvent({
  name: 'auth-passkey-update',
  description: 'Renames a passkey of an account.',
  kind: 'silent',
  stage: () =>
    z.object({
      ...accountKeys(),
      passkey: optionalLookupId('Id of the passkey.'),
      name: text('New name, at most 100 characters.'),
    }),
  results: () => z.object({ passkey: z.number(), name: z.string() }).describe('`passkey` and `name`.'),
  async run({ passkey = 0, name: typed, ...selection }, context, exchange) {
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    const { name, fault } = parseName(typed);
    if (fault !== undefined) return invalid({ name: fault });
    const { services } = context;
    const named = { authId: auth.auth_id, passkeyId: passkey, name };
    const isFound = await services.database.write(() => renamePasskey(services, named));
    return isFound
      ? { passkey, name }
      : reject({ status: 404, code: 'PASSKEY_MISSING', message: 'There is no such passkey.' });
  },
});
