import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { createToken } from '../../../core/secret/secret.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountRow } from '../account/account-stage.ts';
import { NO_MAIL } from '../errors.ts';
import { hasMail, prepareMail } from '../mail/mail.ts';
import { LINK_SECONDS } from '../mail/mail-token.ts';

export const authInvite = defineEvent({
  name: 'auth-invite',
  description:
    'Creates an account without a known password and mails a link by which the user chooses one (template `auth-invite`). For the command line and administrators only.',
  // The account is reported by `auth-create`.
  kind: 'silent',
  stage: () =>
    z.looseObject({
      auth_slug: onlyText('E-mail address; must be unique.'),
      profile_name: onlyText('Name of the new profile. Other columns of the profile are taken too.'),
      auth_type: onlyText('Slug of a role. Optional.'),
    }),
  results: accountRow,
  async run(_stage, context, { request, response }) {
    if (request.callFacts !== undefined || getAccess().kind !== 'system') {
      return reject({
        status: 403,
        code: 'EVENT_NOT_BY_REQUEST',
        message: 'Only the command line and administrators invite users.',
      });
    }
    if (!hasMail(context)) return reject(NO_MAIL);
    const { database, random } = context.services;
    await database.transaction(async () => {
      request.removeStage('confirm');
      request.setStage({ auth_password: createToken(random), auth_active: 1, auth_verified: 0 });
      await context.emit('auth-create', request, response);
      if (response.isError()) return;
      const stage = { auth_id: response.getResults('auth_id') };
      await prepareMail(context, { event: 'auth-invite-mail', stage, seconds: LINK_SECONDS.invite });
    });
    return undefined;
  },
});
