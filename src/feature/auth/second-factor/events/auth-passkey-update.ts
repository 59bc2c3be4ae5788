import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { parseId } from '../../account/account.ts';
import { invalid } from '../../errors.ts';
import { findOwner } from '../factors.ts';
import { parseName } from '../passkey/register.ts';
import { renamePasskey } from '../passkey/sql.ts';

async function update({ services }: Context, auth_id: number, request: Request, response: Response): Promise<void> {
  const { name, fault } = parseName(request.getStage('name'));
  if (fault !== undefined) return response.refuse(invalid({ name: fault }));
  const passkeyId = parseId(request.getStage('passkey')) ?? 0;
  const isFound = await services.database.write(() => renamePasskey(services, { authId: auth_id, passkeyId, name }));
  if (isFound) response.succeed({ passkey: passkeyId, name });
  else response.refuse({ status: 404, message: 'There is no such passkey.' });
}

export const authPasskeyUpdate: EventContribution = {
  name: 'auth-passkey-update',
  description: 'Renames a passkey of an account.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    passkey: 'Id of the passkey.',
    name: 'New name, at most 100 characters.',
  },
  results: '`passkey` and `name`.',
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const auth = await findOwner(context, { request, response });
    if (auth) await update(context, auth.auth_id, request, response);
  },
};
