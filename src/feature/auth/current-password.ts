import { isProven } from '../../access/proof.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { normalizeEmail } from '../../core/text/email.ts';
import type { Context } from '../../plan/feature.ts';
import { readText } from './account/account.ts';
import { EMPTY, invalid, refuseGuess, SIGN_IN_AGAIN, WRONG_PASSWORD } from './errors.ts';
import { guess } from './guesses.ts';
import { isTooLong } from './password-rule.ts';
import { type AuthRow, hasPassword } from './sql.ts';

/** Key of a logged-in session of the account: failures of strangers do not slow it. */
const findOwnSession = (request: Request, auth: AuthRow): string | undefined =>
  request.getSession('me', 'auth_id') === auth.auth_id ? `session ${auth.auth_id}` : undefined;

/**
 * Checks `auth_current` in the stage, before a change that a stolen session must not make. Refuses if it is wrong. An account
 * without a password needs a sign-in by its provider within the last ten minutes instead.
 */
export async function isCurrentPassword(
  context: Context,
  auth: AuthRow,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<boolean> {
  if (!hasPassword(auth)) {
    if (request.getSession('me', 'auth_id') === auth.auth_id && isProven(context.services, request)) return true;
    response.refuse(invalid({ auth_current: SIGN_IN_AGAIN }));
    return false;
  }
  const current = readText(request.getStage('auth_current'));
  if (current === '' || isTooLong(current)) {
    response.refuse(invalid({ auth_current: current === '' ? EMPTY : WRONG_PASSWORD }));
    return false;
  }
  const guesser = { account: normalizeEmail(auth.auth_slug), request, device: findOwnSession(request, auth) };
  const { isRight, waitSeconds } = await guess(context, guesser, () =>
    context.services.passwords.verify(current, auth.auth_password, guesser.device),
  );
  if (waitSeconds > 0) refuseGuess(response, waitSeconds);
  else if (!isRight) response.refuse(invalid({ auth_current: WRONG_PASSWORD }));
  return isRight;
}
