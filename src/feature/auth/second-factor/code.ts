import { memoize } from '../../../core/memoize.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Rejection } from '../../../plan/event/event.ts';
import type { Context, Services } from '../../../plan/feature.ts';
import { findDevice } from '../device.ts';
import { EMPTY, invalid, rejectGuess } from '../errors.ts';
import { createGuessThrottle } from '../guess-throttle.ts';
import { guess } from '../guesses.ts';
import type { AuthRow } from '../sql.ts';
import { findTotp, takeStep, tellOwner } from './factors.ts';
import { countRecovery, isRecoveryCode, takeRecovery } from './recovery.ts';
import { findStep, parseTotp } from './totp.ts';

const WRONG_CODE = 'That is not the current code, or it was used before';
const WRONG_RECOVERY = 'That is not a recovery code of this account, or it was used before';
const DAY = 86_400;

/**
 * Wrong codes of an app: by account those of unknown browsers together, by browser those of a known one. Six digits are few,
 * so they may try only a hundred; after that one every quarter of an hour or less. Recovery codes are not held up by it.
 */
const findBrake = memoize(({ clock }: Services) =>
  createGuessThrottle(clock, {
    free: 100,
    firstSeconds: 900,
    mostSeconds: 3600,
    forgetSeconds: DAY,
    isForgiving: true,
  }),
);

/** The seed of an account; undefined if it was sealed with another `TREADLE_SECRET`. */
function openSeed({ log, secret }: Services, auth: AuthRow, sealed: string): string | undefined {
  try {
    return secret.open(sealed);
  } catch {
    const hint = `TREADLE_SECRET has changed. Let the user start again: treadle user second-factor remove ${auth.auth_slug}`;
    log.warn('the seed of an authenticator app cannot be opened', { auth_id: auth.auth_id, hint });
    return undefined;
  }
}

/** Checks a code of the authenticator app against its seed, and takes its time step. */
async function isTotp({ services }: Context, auth: AuthRow, text: string): Promise<boolean> {
  const code = parseTotp(text);
  const row = code === undefined ? undefined : await findTotp(services, auth.auth_id);
  const seed = row && openSeed(services, auth, String(row.sealed));
  if (code === undefined || seed === undefined) return false;
  const step = findStep(seed, code, services.clock.now());
  return step !== undefined && (await takeStep(services, auth.auth_id, step));
}

/** Uses up a recovery code, and mails the owner how many are left. */
async function isRecovery(context: Context, auth: AuthRow, exchange: Exchange, text: string): Promise<boolean> {
  const { services } = context;
  if (!isRecoveryCode(text)) return false;
  return services.database.transaction(async () => {
    if (!(await takeRecovery(services, auth.auth_id, text))) return false;
    const left = await countRecovery(services, auth.auth_id);
    await tellOwner(context, exchange.response, {
      auth,
      template: 'auth-recovery-used',
      data: { left, isOne: left === 1 },
    });
    return true;
  });
}

/** Key of the browser, if it is logged in to the account or was: others' failures do not hold it up. */
function findKnown({ services }: Context, { request }: Exchange, auth: AuthRow): string | undefined {
  const own = request.getSession('me', 'auth_id') === auth.auth_id ? `session ${auth.auth_id}` : undefined;
  const known = own ?? findDevice(services, request, auth);
  return known === undefined ? undefined : `${known} second factor`;
}

/** The codes of a stage: of an authenticator app, or a recovery code. */
export interface TypedCodes {
  readonly auth_code?: string | undefined;
  readonly recovery_code?: string | undefined;
}

/**
 * Checks the code of an authenticator app or a recovery code, each once. Refuses with the message beside the field, or with 429.
 *
 * @returns Undefined if it is right.
 */
export async function checkCode(
  context: Context,
  auth: AuthRow,
  codes: TypedCodes,
  exchange: Exchange,
): Promise<Rejection | undefined> {
  const { request, response } = exchange;
  const field = codes.recovery_code === undefined ? 'auth_code' : 'recovery_code';
  const text = (codes[field] ?? '').trim();
  if (text === '') return invalid({ [field]: EMPTY });
  if (text.length > 100) return invalid({ [field]: WRONG_CODE });
  // People type a recovery code in the only field that they see.
  const isApp = field === 'auth_code' && !isRecoveryCode(text);
  const known = findKnown(context, exchange, auth);
  const brake = isApp ? findBrake(context.services) : undefined;
  const guesses = known ?? auth.auth_slug;
  const delay = brake?.begin(guesses) ?? 0;
  if (delay > 0) return rejectGuess(response, delay);
  const guesser = { account: `${auth.auth_slug} second factor`, request, device: known };
  const { isRight, waitSeconds } = await guess(context, guesser, () =>
    isApp ? isTotp(context, auth, text) : isRecovery(context, auth, exchange, text),
  );
  brake?.settle(guesses, waitSeconds > 0 ? 'unknown' : isRight ? 'right' : 'wrong');
  if (waitSeconds > 0) return rejectGuess(response, waitSeconds);
  return isRight ? undefined : invalid({ [field]: isApp ? WRONG_CODE : WRONG_RECOVERY });
}
