import { defineLinkMail } from '../mail/link-mail.ts';

export const authForgotMail = defineLinkMail({
  name: 'auth-forgot-mail',
  description:
    'Mails the link that replaces a lost password (template `auth-forgot`); nothing if there is no such account. The mail queue emits it.',
  purpose: 'recover',
  path: '/auth/recover',
  template: 'auth-forgot',
});
