import * as z from 'zod';
import { asSystem } from '../../../core/access.ts';
import { ADMIN } from '../../../model/role/role.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountRow } from '../account/account-stage.ts';
import { LINK_GONE } from '../errors.ts';
import { findToken, takeToken } from '../mail/mail-token.ts';

/** Rolls back, so that the link works again after a form with errors. */
class RefusalError extends Error {}

export const authSetup = defineEvent({
  name: 'auth-setup',
  description: 'Creates the first administrator by the link that `treadle dev` prints.',
  // The account is reported by `auth-create`.
  kind: 'silent',
  stage: () =>
    z.object({
      token: onlyText('From the link.'),
      auth_slug: onlyText('E-mail address; must be unique.'),
      auth_password: onlyText('Password of 8 to 256 characters.'),
      confirm: onlyText('The same password again, for forms. Optional.'),
      profile_name: onlyText('Name of the new profile. Other columns of the profile are taken too.'),
    }),
  results: accountRow,
  async run({ token: text }, context, { request, response }) {
    const { services } = context;
    const token = await findToken(services, text, 'setup');
    if (!token) return reject(LINK_GONE);
    try {
      return await services.database.transaction(async () => {
        if (!(await takeToken(services.database, token))) return reject(LINK_GONE);
        request.removeStage('profile_id');
        request.setStage({ auth_type: ADMIN, auth_active: 1, auth_verified: 1 });
        await asSystem(() => context.emit('auth-create', request, response));
        if (response.isError()) throw new RefusalError();
        return undefined;
      });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return undefined;
    }
  },
});
