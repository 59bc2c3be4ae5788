import { isProven } from '../../access/proof.ts';
import type { Request } from '../../core/request/request.ts';
import { verifyPassword } from '../../core/secret/password.ts';
import { normalizeEmail } from '../../core/text/email.ts';
import type { Exchange } from '../../page/exchange.ts';
import type { Rejection } from '../../plan/event/event.ts';
import type { Context } from '../../plan/feature.ts';
import { EMPTY, invalid, rejectGuess, SIGN_IN_AGAIN, WRONG_PASSWORD } from './errors.ts';
import { guess } from './guesses.ts';
import { isTooLong } from './password-rule.ts';
import { type AuthRow, hasPassword } from './sql.ts';

/** Key of a logged-in session of the account: failures of strangers do not slow it. */
const findOwnSession = (request: Request, auth: AuthRow): string | undefined =>
  request.getSession('me', 'auth_id') === auth.auth_id ? `session ${auth.auth_id}` : undefined;

/**
 * Checks the current password, before a change that a stolen session must not make. An account without a password needs a
 * sign-in by its provider within the last ten minutes instead.
 *
 * @returns Undefined if it is right.
 */
export async function checkCurrentPassword(
  context: Context,
  auth: AuthRow,
  current: string,
  { request, response }: Exchange,
): Promise<Rejection | undefined> {
  if (!hasPassword(auth)) {
    const isIn = request.getSession('me', 'auth_id') === auth.auth_id && isProven(context.services, request);
    return isIn ? undefined : invalid({ auth_current: SIGN_IN_AGAIN });
  }
  if (current === '') return invalid({ auth_current: EMPTY });
  if (isTooLong(current)) return invalid({ auth_current: WRONG_PASSWORD });
  const guesser = { account: normalizeEmail(auth.auth_slug), request, device: findOwnSession(request, auth) };
  const { isRight, waitSeconds } = await guess(context, guesser, () =>
    verifyPassword(current, auth.auth_password, guesser.device),
  );
  if (waitSeconds > 0) return rejectGuess(response, waitSeconds);
  return isRight ? undefined : invalid({ auth_current: WRONG_PASSWORD });
}
