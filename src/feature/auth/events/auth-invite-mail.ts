import { defineLinkMail } from '../mail/link-mail.ts';

export const authInviteMail = defineLinkMail({
  name: 'auth-invite-mail',
  description:
    'Mails the link by which an invited user chooses a password (template `auth-invite`). The mail queue emits it.',
  purpose: 'invite',
  path: '/auth/recover',
  template: 'auth-invite',
});
