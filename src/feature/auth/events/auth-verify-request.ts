import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { askForMail } from '../mail/ask-mail.ts';

export const authVerifyRequest = defineEvent({
  name: 'auth-verify-request',
  description:
    'Asks for the mail again by which an e-mail address is confirmed. Answers the same for every address, and in the same time.',
  kind: 'silent',
  stage: () => z.object({ auth_slug: onlyText('E-mail address.') }),
  results: () => z.object({ auth_slug: z.string() }).describe('`auth_slug`, the address in stored form.'),
  run: ({ auth_slug: address }, context, exchange) =>
    askForMail(context, exchange, { address, event: 'auth-verify-mail', purpose: 'verify' }),
});
