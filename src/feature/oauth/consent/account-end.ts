import { toSeconds } from '../../../core/clock.ts';
import type { CommitListener, Context } from '../../../plan/feature.ts';
import { endSandboxes } from '../client/sandbox-end.ts';
import { deleteOf, revokeGrantsOf } from './grant-sql.ts';

/** Events after which apps lose access to an account: removal, and password changes (not name changes). */
const ENDING = /^auth-(?:delete|remove|reset|recover|update)$/;

/**
 * Ends every app's access to an account in the transaction that disables it or changes its password.
 * Enabling it again restores nothing. A deleted account leaves no consent, code, token or sandbox, and its apps are suspended.
 */
export function endWithAccount({ services }: Context): CommitListener {
  const { database, clock } = services;
  const commit: CommitListener['commit'] = async (event, request, response) => {
    if (event === 'auth-delete')
      return endSandboxes(services, await deleteOf(database, Number(response.getResults('auth_id'))));
    const isPassword = request.getStage('auth_password') !== undefined;
    if (event === 'auth-update' && !isPassword) return;
    const authId = Number(response.getResults('auth_id') ?? Number.NaN);
    if (Number.isSafeInteger(authId)) await revokeGrantsOf(database, { authId, now: toSeconds(clock.now()) });
  };
  return { handles: (event) => ENDING.test(event), commit };
}
