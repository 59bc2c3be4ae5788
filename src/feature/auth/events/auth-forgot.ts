import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { askForMail } from '../mail/ask-mail.ts';

export const authForgot = defineEvent({
  name: 'auth-forgot',
  description:
    'Asks for a mail by which a lost password is replaced. Answers the same for every address, and in the same time.',
  kind: 'silent',
  stage: () => z.object({ auth_slug: onlyText('E-mail address.') }),
  results: () => z.object({ auth_slug: z.string() }).describe('`auth_slug`, the address in stored form.'),
  run: ({ auth_slug: address }, context, exchange) =>
    askForMail(context, exchange, { address, event: 'auth-forgot-mail', purpose: 'recover' }),
});
