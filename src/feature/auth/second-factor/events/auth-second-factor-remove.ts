import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { changeFactors, deleteAll, findOwner } from '../factors.ts';

async function remove(context: Context, request: Request, response: Response): Promise<void> {
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  const write = (): Promise<boolean> => deleteAll(context.services, auth.auth_id);
  const factor = 'every second factor';
  const change = { event: 'auth-second-factor-remove', mail: 'auth-factor-removed', factor, write } as const;
  if (await changeFactors(context, { request, response }, { auth, change })) return;
  response.refuse({ status: 404, message: 'The account has no second factor.' });
}

export const authSecondFactorRemove: EventContribution = {
  name: 'auth-second-factor-remove',
  description:
    'Takes every second factor from an account, for someone who lost a device: app, passkeys, recovery codes and trusted devices. Mails the owner.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) => remove(context, request, response),
};
