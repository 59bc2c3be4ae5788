import * as z from 'zod';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { id } from '../../../plan/event/value.ts';
import { bringForward } from '../enqueue.ts';
import { findMail } from '../sql.ts';

export const mailRetry = defineEvent({
  name: 'mail-retry',
  description: 'Tries a mail at once that waits for its next attempt. The content of a mail that was given up is gone.',
  kind: 'silent',
  stage: () => z.object({ mail_id: id('Id of the mail.') }),
  results: () => z.object({ mail_id: z.number(), template: z.string() }).describe('`mail_id` and `template`.'),
  async run({ mail_id: mailId }, { services }) {
    const row = typeof mailId === 'number' ? await findMail(services.database, mailId) : undefined;
    if (row === undefined) return reject({ status: 404, code: 'MAIL_UNKNOWN', message: `There is no mail ${mailId}.` });
    const { mail_id: own, state, template } = row;
    if (state !== 'waiting')
      return reject({
        status: 409,
        code: 'MAIL_SENT',
        message: `The mail ${own} does not wait. Its text was removed, so it cannot be sent again.`,
      });
    await services.database.write(() => bringForward(services, row));
    return { mail_id: own, template };
  },
});
