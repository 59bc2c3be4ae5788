import { AttachedValue } from '../../../core/attached.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Refusal } from '../../../core/request/response.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { type Rejection, reject } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import type { AuthRow } from '../sql.ts';
import { checkCode, type TypedCodes } from './code.ts';
import { useTrust } from './trusted-device.ts';

const STEP_MISSING: Refusal = {
  status: 401,
  code: 'SECOND_STEP_NEEDED',
  message: 'This account needs a second step: log in at /auth/login.',
};

/** Accounts that a request gave the right password for, while the second step is missing. */
const waiting = new AttachedValue<Request, AuthRow>();

/** The account that {@link passSecondStep} refused for want of the second step only. */
export function takeWaiting(request: Request): AuthRow | undefined {
  const auth = waiting.get(request);
  waiting.set(request, undefined);
  return auth;
}

/**
 * Whether a request with the right password has the second step too: a trusted browser, or a right code. Refuses otherwise, so
 * that a project's own login never takes the password for enough.
 */
export async function passSecondStep(
  context: Context,
  auth: AuthRow,
  codes: TypedCodes,
  exchange: Exchange,
): Promise<Rejection | undefined> {
  const { request } = exchange;
  if ((codes.auth_code ?? codes.recovery_code) !== undefined) return checkCode(context, auth, codes, exchange);
  if (await useTrust(context.services, request, auth)) return undefined;
  waiting.set(request, auth);
  return reject(STEP_MISSING);
}
