import type { CommitListener, Context } from '../../../plan/feature.ts';
import { dropTrust } from './trusted-device.ts';

/** Events that take the trust from an account's devices: a disabled account, and new passwords. */
const ENDING = /^auth-(?:remove|reset|recover|update)$/;

/** Lets every device ask for the second step again, in the write that changes the password. */
export function endTrustWithAccount({ services }: Context): CommitListener {
  return {
    handles: (event, request) =>
      ENDING.test(event) && (event !== 'auth-update' || request.getStage('auth_password') !== undefined),
    async commit(_event, _request, response) {
      const authId = Number(response.getResults('auth_id') ?? Number.NaN);
      if (Number.isSafeInteger(authId)) await dropTrust(services.database, authId);
    },
  };
}
