import type { EventContribution } from '../../../plan/feature.ts';
import { listenForLink } from '../mail/link-mail.ts';

export const authTakenMail: EventContribution = {
  name: 'auth-taken-mail',
  description:
    'Tells the owner of an account that somebody signed up with its e-mail address, with a link to a new password (template `auth-taken`). The mail queue emits it, with `auth.verify` only.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'None.',
  kind: 'silent',
  listen: (context) => listenForLink(context, { purpose: 'recover', path: '/auth/recover', template: 'auth-taken' }),
};
