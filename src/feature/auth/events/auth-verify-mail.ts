import type { EventContribution } from '../../../plan/feature.ts';
import { listenForLink } from '../mail/link-mail.ts';

export const authVerifyMail: EventContribution = {
  name: 'auth-verify-mail',
  description:
    'Mails the link that confirms an e-mail address (template `auth-verify`); nothing if it is confirmed or has no account. The mail queue emits it.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'None.',
  kind: 'silent',
  listen: (context) =>
    listenForLink(context, {
      purpose: 'verify',
      path: '/auth/verify',
      template: 'auth-verify',
      isFor: (auth) => auth.auth_verified !== 1,
    }),
};
