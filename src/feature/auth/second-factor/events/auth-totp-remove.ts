import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { changeFactors, deleteTotp, findOwner } from '../factors.ts';

async function remove(context: Context, request: Request, response: Response): Promise<void> {
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  const write = (): Promise<boolean> => deleteTotp(context.services, auth.auth_id);
  const change = {
    event: 'auth-totp-remove',
    mail: 'auth-factor-removed',
    factor: 'the authenticator app',
    write,
  } as const;
  if (await changeFactors(context, { request, response }, { auth, change })) return;
  response.refuse({ status: 404, message: 'The account has no authenticator app.' });
}

export const authTotpRemove: EventContribution = {
  name: 'auth-totp-remove',
  description:
    'Takes the authenticator app from an account, mails the owner, and takes the trust from all devices. With the last factor the recovery codes go, too.',
  stage: { auth_id: 'The account, or use `auth_slug`.' },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) => remove(context, request, response),
};
