import { hasSecondFactor } from '../../../../access/person.ts';
import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { findOwner } from '../factors.ts';
import { renewRecovery } from '../recovery.ts';

async function create(context: Context, request: Request, response: Response): Promise<void> {
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  if (!hasSecondFactor(auth)) {
    return response.refuse({ status: 409, message: 'Add an authenticator app or a passkey first.' });
  }
  response.succeed({ recovery_codes: await renewRecovery(context.services, auth.auth_id) });
}

export const authRecoveryCreate: EventContribution = {
  name: 'auth-recovery-create',
  description: 'Makes ten new recovery codes for an account with a second factor; the old ones no longer work.',
  stage: { auth_id: 'The account, or use `auth_slug`.' },
  results: '`recovery_codes`, ten texts. They are stored as hashes, so nobody can read them again.',
  kind: 'silent',
  listen: (context) => (request, response) => create(context, request, response),
};
