import { asSystem } from '../../../core/access.ts';
import { ADMIN } from '../../../model/role/role.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { LINK_GONE } from '../errors.ts';
import { findToken, takeToken } from '../mail/mail-token.ts';

/** Rolls back, so that the link works again after a form with errors. */
class RefusalError extends Error {}

export const authSetup: EventContribution = {
  name: 'auth-setup',
  description: 'Creates the first administrator by the link that `treadle dev` prints.',
  stage: {
    token: 'From the link.',
    auth_slug: 'E-mail address; must be unique.',
    auth_password: 'Password of 8 to 256 characters.',
    confirm: 'The same password again, for forms. Optional.',
    profile_name: 'Name of the new profile. Other columns of the profile are taken too.',
  },
  results: 'The account and its profile in one row, without the password.',
  // The account is reported by `auth-create`.
  kind: 'silent',
  listen: (context) => async (request, response) => {
    const { services } = context;
    const token = await findToken(services, request.getStage('token'), 'setup');
    if (!token) return response.refuse(LINK_GONE);
    try {
      await services.database.transaction(async () => {
        if (!(await takeToken(services.database, token))) return response.refuse(LINK_GONE);
        request.removeStage('profile_id');
        request.setStage({ auth_type: ADMIN, auth_active: 1, auth_verified: 1 });
        await asSystem(() => context.emit('auth-create', request, response));
        if (response.isError()) throw new RefusalError();
      });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
    }
  },
};
