import { toSeconds } from '../core/clock.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Services } from './feature.ts';

/** The page that asks for the password or a second factor again, and leads back. */
export const CONFIRM = '/auth/confirm';
/** Seconds that a proof is good for. */
const PROOF_SECONDS = 600;
/** Seconds that a form waits for the proof. */
const WORK_SECONDS = 900;
/** Longest form that is kept, as JSON. */
const WORK_MOST = 65_536;

/** A form that waits for a proof. */
export interface Work {
  /** Path of the route that it was posted to. */
  readonly path: string;
  readonly post: Readonly<Record<string, unknown>>;
}

interface Kept extends Work {
  readonly authId: unknown;
  /** Unix seconds. */
  readonly until: number;
}

const findMe = (request: Request): unknown => request.getSession('me', 'auth_id');

/** Notes in the session that the user has just proven who they are: by a password, a second factor or a provider. */
export function markProven({ clock }: Pick<Services, 'clock'>, request: Request, authId: number): void {
  request.setSession('proof', { auth_id: authId, at: toSeconds(clock.now()) });
}

/** Whether the logged-in user proved who they are in this session a few minutes ago. */
export function isProven({ clock }: Pick<Services, 'clock'>, request: Request): boolean {
  const me = findMe(request);
  const at = request.getSession('proof', 'at');
  if (me === undefined || request.getSession('proof', 'auth_id') !== me || typeof at !== 'number') return false;
  const age = toSeconds(clock.now()) - at;
  return age >= 0 && age < PROOF_SECONDS;
}

/** Keeps a form in the session, sealed: it may hold a new password. Files are not kept. */
function keepWork({ clock, secret }: Pick<Services, 'clock' | 'secret'>, request: Request): void {
  const until = toSeconds(clock.now()) + WORK_SECONDS;
  const post = request.getPost() as Record<string, unknown>;
  const kept: Kept = { path: request.getPath('string'), post, authId: findMe(request), until };
  const text = JSON.stringify(kept);
  if (text.length <= WORK_MOST) request.setSession('work', secret.seal(text));
}

/** Takes the form that waits in the session; undefined if there is none, or it waited too long. */
export function takeWork({ clock, secret }: Pick<Services, 'clock' | 'secret'>, request: Request): Work | undefined {
  const sealed = request.getSession('work');
  if (typeof sealed !== 'string') return undefined;
  request.removeSession('work');
  const { path, post, authId, until } = JSON.parse(secret.open(sealed)) as Kept;
  return authId === findMe(request) && until > toSeconds(clock.now()) ? { path, post } : undefined;
}

/** Whether a form waits in the session. */
export const hasWork = (request: Request): boolean => typeof request.getSession('work') === 'string';

/**
 * Asks a logged-in user for the password or a second factor again, before a secret is shown or changed, unless they gave it
 * in the last ten minutes. A form waits in the session, and is sent once the user has given it.
 *
 * @param home Page to lead back to if the form cannot be kept. Default: its own path.
 * @returns false if the request must stop; the response then leads to the page that asks.
 */
export function requireProof(
  { services }: { readonly services: Pick<Services, 'clock' | 'secret'> },
  { request, response }: { readonly request: Request; readonly response: Response },
  home?: string,
): boolean {
  if (isProven(services, request)) return true;
  const query = request.getQuery();
  const here = `${request.getPath('string')}${query === '' ? '' : `?${query}`}`;
  if (request.isMethod('POST')) keepWork(services, request);
  else request.removeSession('work');
  response.setRedirect(`${CONFIRM}?redirect_uri=${encodeURIComponent(home ?? here)}`);
  return false;
}
