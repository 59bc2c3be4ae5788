import type { Request } from '../../../../core/request/request.ts';
import type { Response } from '../../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../../plan/feature.ts';
import { EMPTY, invalid } from '../../errors.ts';
import { changeFactors, findOwner, saveTotp } from '../factors.ts';
import { findStep, parseTotp } from '../totp.ts';

const WRONG = 'That is not the current code. Check the clock of your device';
const SEED = /^[A-Z2-7]{32}$/;

async function create(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const auth = await findOwner(context, { request, response });
  if (!auth) return;
  const seed = String(request.getStage('secret') ?? '');
  if (!SEED.test(seed)) return response.refuse(invalid({ secret: 'Should be 32 characters in base32' }));
  const text = String(request.getStage('auth_code') ?? '').trim();
  if (text === '') return response.refuse(invalid({ auth_code: EMPTY }));
  const code = parseTotp(text);
  const step = code === undefined ? undefined : findStep(seed, code, services.clock.now());
  if (step === undefined) return response.refuse(invalid({ auth_code: WRONG }));
  const write = async (): Promise<boolean> => {
    await saveTotp(services, { authId: auth.auth_id, seed, step });
    return true;
  };
  const change = {
    event: 'auth-totp-create',
    mail: 'auth-factor-added',
    factor: 'an authenticator app',
    write,
  } as const;
  const changed = await changeFactors(context, { request, response }, { auth, change });
  // Sessions that were opened with the password alone end with the first factor.
  if (changed?.codes) await services.sessions.endAll(auth.auth_id, request);
  if (changed && !response.isError()) response.setResults({ ...changed.account, recovery_codes: changed.codes });
}

export const authTotpCreate: EventContribution = {
  name: 'auth-totp-create',
  description:
    'Gives an account an authenticator app as second factor, in place of another app, and mails the owner. With the first factor other sessions end.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    secret: 'The seed in base32: 32 characters.',
    auth_code: 'A current code of the app: it proves that the app has the seed.',
  },
  results:
    'The account and its profile in one row; `recovery_codes`, ten texts, if it is the first factor. Web hooks do not carry them.',
  kind: 'self',
  listen: (context) => (request, response) => create(context, request, response),
};
