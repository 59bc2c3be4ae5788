import { toSeconds } from '../../core/clock.ts';
import type { CommitListener, Context } from '../../plan/feature.ts';
import { revokeGrantsOf } from './grant-sql.ts';

/** Events of an account after which nobody who had it before may act for it. A new password is one, a new name is none. */
const ENDING = /^auth-(?:remove|reset|recover|update)$/;

/**
 * Ends every app's access to an account in the same transaction that disables it or changes its password, so that
 * enabling it again brings nothing back.
 */
export function endWithAccount({ services }: Context): CommitListener {
  const { database, clock } = services;
  return async (event, request, response) => {
    if (!ENDING.test(event)) return;
    const isPassword = request.getStage('auth_password') !== undefined;
    if (event === 'auth-update' && !isPassword) return;
    const authId = Number(response.getResults('auth_id') ?? Number.NaN);
    if (Number.isSafeInteger(authId)) await revokeGrantsOf(database, { authId, now: toSeconds(clock.now()) });
  };
}
