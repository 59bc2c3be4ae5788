import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Identity } from './identity.ts';

/** A sign-in that a form must complete. Kept sealed in the session. */
export interface PendingSignIn {
  readonly identity: Identity;
  readonly target: string;
}

const KEY = 'signin';
const LIFE_SECONDS = 900;

export function savePending({ services }: Context, request: Request, pending: PendingSignIn): void {
  const until = toSeconds(services.clock.now()) + LIFE_SECONDS;
  request.setSession(KEY, services.secret.seal(JSON.stringify({ ...pending, until })));
}

/** The session's sign-in by this provider that waits for a form; undefined if it is too old. */
export function findPending({ services }: Context, request: Request, provider: string): PendingSignIn | undefined {
  const sealed = request.getSession(KEY);
  if (typeof sealed !== 'string') return undefined;
  const { until, ...pending } = JSON.parse(services.secret.open(sealed)) as PendingSignIn & { readonly until: number };
  return pending.identity.provider === provider && until > toSeconds(services.clock.now()) ? pending : undefined;
}

export const dropPending = (request: Request): void => void request.removeSession(KEY);
