import { defineLinkMail } from '../mail/link-mail.ts';

export const authVerifyMail = defineLinkMail({
  name: 'auth-verify-mail',
  description:
    'Mails the link that confirms an e-mail address (template `auth-verify`); nothing if it is confirmed or has no account. The mail queue emits it.',
  purpose: 'verify',
  path: '/auth/verify',
  template: 'auth-verify',
  isFor: (auth) => auth.auth_verified !== 1,
});
