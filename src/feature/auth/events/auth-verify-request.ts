import type { EventContribution } from '../../../plan/feature.ts';
import { askForMail } from '../mail/ask-mail.ts';

export const authVerifyRequest: EventContribution = {
  name: 'auth-verify-request',
  description:
    'Asks for the mail again by which an e-mail address is confirmed. Answers the same for every address, and in the same time.',
  stage: { auth_slug: 'E-mail address.' },
  results: '`auth_slug`, the address in stored form.',
  kind: 'silent',
  listen: (context) => (request, response) =>
    askForMail(context, { request, response }, { event: 'auth-verify-mail', purpose: 'verify' }),
};
