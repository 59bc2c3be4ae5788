import { getAccess } from '../../../core/access.ts';
import { currentLocale } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { enqueueMails } from '../enqueue.ts';
import { NO_WAY } from '../errors.ts';

export const mailPrepare: EventContribution = {
  name: 'mail-prepare',
  description:
    'Queues an event that finds out later whether to send a mail: the request that asks takes as long for any address. For Treadle itself and code that runs as the system.',
  stage: {
    event: 'The event to emit, such as `auth-forgot-mail`.',
    stage: 'Its stage; sealed until then.',
    seconds: 'Seconds after which it is given up. Default two days.',
  },
  results: 'None.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (request, response) => {
      const { event, stage = {}, seconds } = request.getStage() as Row;
      if (getAccess().kind !== 'system' || typeof event !== 'string' || typeof stage !== 'object') {
        return response.refuse({ status: 403, message: 'Only code that runs as the system can prepare a mail.' });
      }
      if (services.mailer.way === 'none') return response.refuse(NO_WAY);
      const content = { prepare: { event, stage: stage as Row, language: currentLocale()?.tag } };
      await enqueueMails(services, [content], { template: event, seconds: seconds as number | undefined });
      if (!response.isError()) response.setError(false);
    },
};
