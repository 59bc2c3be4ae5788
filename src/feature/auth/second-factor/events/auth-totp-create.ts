import * as z from 'zod';
import { defineEvent, Rejection } from '../../../../plan/event/event.ts';
import { text } from '../../../../plan/event/value.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { EMPTY, invalid } from '../../errors.ts';
import { answerNewFactor, changeFactors, findOwner, newFactorRow, saveTotp } from '../factors.ts';
import { findStep, parseTotp } from '../totp.ts';

const WRONG = 'That is not the current code. Check the clock of your device';
const SEED = /^[A-Z2-7]{32}$/;

export const authTotpCreate = defineEvent({
  name: 'auth-totp-create',
  description:
    'Gives an account an authenticator app as second factor, in place of another app, and mails the owner. With the first factor other sessions end.',
  kind: 'self',
  stage: () =>
    z.object({
      ...accountKeys(),
      secret: text('The seed in base32: 32 characters.'),
      auth_code: text('A current code of the app: it proves that the app has the seed.'),
    }),
  results: newFactorRow,
  async run({ secret: seed = '', auth_code: typed = '', ...selection }, context, exchange) {
    const { services } = context;
    const auth = await findOwner(context, selection, exchange);
    if (auth instanceof Rejection) return auth;
    if (!SEED.test(seed)) return invalid({ secret: 'Should be 32 characters in base32' });
    if (typed.trim() === '') return invalid({ auth_code: EMPTY });
    const code = parseTotp(typed);
    const step = code === undefined ? undefined : findStep(seed, code, services.clock.now());
    if (step === undefined) return invalid({ auth_code: WRONG });
    const write = async (): Promise<boolean> => {
      await saveTotp(services, { authId: auth.auth_id, seed, step });
      return true;
    };
    const change = { mail: 'auth-factor-added', factor: 'an authenticator app', write } as const;
    const changed = await changeFactors(context, exchange, { auth, change });
    return changed && answerNewFactor(context, exchange, auth, changed);
  },
});
