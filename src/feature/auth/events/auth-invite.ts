import { getAccess } from '../../../core/access.ts';
import { createToken } from '../../../core/secret/secret.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { NO_MAIL } from '../errors.ts';
import { hasMail, prepareMail } from '../mail/mail.ts';
import { LINK_SECONDS } from '../mail/mail-token.ts';

export const authInvite: EventContribution = {
  name: 'auth-invite',
  description:
    'Creates an account without a known password and mails a link by which the user chooses one (template `auth-invite`). For the command line and administrators only.',
  stage: {
    auth_slug: 'E-mail address; must be unique.',
    profile_name: 'Name of the new profile. Other columns of the profile are taken too.',
    auth_type: 'Slug of a role. Optional.',
  },
  results: 'The account and its profile in one row, without the password.',
  // The account is reported by `auth-create`.
  kind: 'silent',
  listen: (context) => async (request, response) => {
    if (request.callFacts !== undefined || getAccess().kind !== 'system') {
      return response.refuse({ status: 403, message: 'Only the command line and administrators invite users.' });
    }
    if (!hasMail(context)) return response.refuse(NO_MAIL);
    const { database, random } = context.services;
    await database.transaction(async () => {
      request.removeStage('confirm');
      request.setStage({ auth_password: createToken(random), auth_active: 1, auth_verified: 0 });
      await context.emit('auth-create', request, response);
      if (response.isError()) return;
      const stage = { auth_id: response.getResults('auth_id') };
      await prepareMail(context, { event: 'auth-invite-mail', stage, seconds: LINK_SECONDS.invite });
    });
  },
};
