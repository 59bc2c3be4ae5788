import type { EventContribution } from '../../../plan/feature.ts';
import { listenForLink } from '../mail/link-mail.ts';

export const authInviteMail: EventContribution = {
  name: 'auth-invite-mail',
  description:
    'Mails the link by which an invited user chooses a password (template `auth-invite`). The mail queue emits it.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'None.',
  kind: 'silent',
  listen: (context) => listenForLink(context, { purpose: 'invite', path: '/auth/recover', template: 'auth-invite' }),
};
