import type { EventContribution } from '../../../plan/feature.ts';
import { bringForward } from '../enqueue.ts';
import { findMail } from '../sql.ts';

export const mailRetry: EventContribution = {
  name: 'mail-retry',
  description: 'Tries a mail at once that waits for its next attempt. The content of a mail that was given up is gone.',
  stage: { mail_id: 'Id of the mail.' },
  results: '`mail_id` and `template`.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (request, response) => {
      const id = Number(request.getStage('mail_id'));
      const row = Number.isSafeInteger(id) ? await findMail(services.database, id) : undefined;
      if (row === undefined) {
        return response.refuse({ status: 404, message: `There is no mail ${String(request.getStage('mail_id'))}.` });
      }
      if (row.state !== 'waiting') {
        const message = `The mail ${id} does not wait. Its text was removed, so it cannot be sent again.`;
        return response.refuse({ status: 409, message });
      }
      await services.database.write(() => bringForward(services, row));
      response.succeed({ mail_id: id, template: row.template });
    },
};
