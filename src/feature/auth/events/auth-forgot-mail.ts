import type { EventContribution } from '../../../plan/feature.ts';
import { listenForLink } from '../mail/link-mail.ts';

export const authForgotMail: EventContribution = {
  name: 'auth-forgot-mail',
  description:
    'Mails the link that replaces a lost password (template `auth-forgot`); nothing if there is no such account. The mail queue emits it.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results: 'None.',
  kind: 'silent',
  listen: (context) => listenForLink(context, { purpose: 'recover', path: '/auth/recover', template: 'auth-forgot' }),
};
