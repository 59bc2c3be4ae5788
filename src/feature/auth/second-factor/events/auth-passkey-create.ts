import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { findOwner } from '../factors.ts';
import { registerPasskey } from '../passkey/register.ts';

async function create(context: Context, request: Request, response: Response): Promise<void> {
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  const changed = await registerPasskey(context, auth, { request, response });
  // Sessions that were opened with the password alone end with the first factor.
  if (changed?.codes) await context.services.sessions.endAll(auth.auth_id, request);
  if (changed && !response.isError()) response.setResults({ ...changed.account, recovery_codes: changed.codes });
}

export const authPasskeyCreate: EventContribution = {
  name: 'auth-passkey-create',
  description: 'Adds a passkey to an account, and mails the owner. With the first second factor other sessions end.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    name: 'Name for the list of passkeys, at most 100 characters.',
    credential: 'The answer of the new passkey as JSON, with `state` from `/auth/passkey/options`.',
    state: 'With `credential`.',
  },
  results:
    'The account and its profile in one row; `recovery_codes`, ten texts, if it is the first factor. Web hooks do not carry them.',
  kind: 'self',
  listen: (context) => (request, response) => create(context, request, response),
};
