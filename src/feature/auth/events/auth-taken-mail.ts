import { defineLinkMail } from '../mail/link-mail.ts';

export const authTakenMail = defineLinkMail({
  name: 'auth-taken-mail',
  description:
    'Tells the owner of an account that somebody signed up with its e-mail address, with a link to a new password (template `auth-taken`). The mail queue emits it, with `auth.verify` only.',
  purpose: 'recover',
  path: '/auth/recover',
  template: 'auth-taken',
});
