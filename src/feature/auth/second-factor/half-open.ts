import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { Services } from '../../../plan/feature.ts';
import { type AuthRow, findAuth } from '../sql.ts';

/** Seconds between the first step of a login and the second. */
const HALF_SECONDS = 600;
const KEY = 'login';

/** The part of an account that the first step was proven for: a new password or e-mail ends half-open logins. */
const toPrint = (auth: AuthRow): string => digest(`${auth.auth_slug} ${auth.auth_password}`).slice(0, 32);

interface HalfOpen {
  readonly auth_id: number;
  readonly print: string;
  /** Unix seconds. */
  readonly until: number;
  readonly target: string;
}

/**
 * Notes that the first step of a login was right and the second is missing. The session has no `me`, so nothing takes its
 * visitor for a logged-in user.
 */
export function openHalf({ clock }: Services, request: Request, auth: AuthRow, target: string): void {
  const until = toSeconds(clock.now()) + HALF_SECONDS;
  const half: HalfOpen = { auth_id: auth.auth_id, print: toPrint(auth), until, target };
  for (const key of ['me', 'proof', 'work']) if (request.hasSession(key)) request.removeSession(key);
  request.setSession(KEY, half);
}

export function closeHalf(request: Request): void {
  if (request.hasSession(KEY)) request.removeSession(KEY);
}

/** The account that waits for the second step in this session, with the path to lead to; undefined if none does. */
export async function findHalf(
  { database, clock }: Services,
  request: Request,
): Promise<{ readonly auth: AuthRow; readonly target: string } | undefined> {
  const half = request.getSession(KEY) as HalfOpen | undefined;
  if (half === undefined || half.until <= toSeconds(clock.now())) return undefined;
  const auth = await findAuth(database, 'auth_id', half.auth_id);
  if (auth?.auth_active !== 1 || toPrint(auth) !== half.print) return undefined;
  return { auth, target: half.target };
}
