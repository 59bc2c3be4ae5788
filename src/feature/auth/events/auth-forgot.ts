import type { EventContribution } from '../../../plan/feature.ts';
import { askForMail } from '../mail/ask-mail.ts';

export const authForgot: EventContribution = {
  name: 'auth-forgot',
  description:
    'Asks for a mail by which a lost password is replaced. Answers the same for every address, and in the same time.',
  stage: { auth_slug: 'E-mail address.' },
  results: '`auth_slug`, the address in stored form.',
  kind: 'silent',
  listen: (context) => (request, response) =>
    askForMail(context, { request, response }, { event: 'auth-forgot-mail', purpose: 'recover' }),
};
