import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { currentLocale } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import { enqueueMails } from '../enqueue.ts';
import { NO_WAY } from '../errors.ts';

export const mailPrepare = defineEvent({
  name: 'mail-prepare',
  description:
    'Queues an event that finds out later whether to send a mail: the request that asks takes as long for any address. For Treadle itself and code that runs as the system.',
  kind: 'silent',
  stage: () =>
    z.object({
      event: anything('The event to emit, such as `auth-forgot-mail`.'),
      stage: anything('Its stage; sealed until then.'),
      seconds: z.number().optional().describe('Seconds after which it is given up. Default two days.'),
    }),
  results: () => z.object({}).describe('None.'),
  async run({ event, stage = {}, seconds }, { services }, { response }) {
    if (getAccess().kind !== 'system' || typeof event !== 'string' || !isRecord(stage))
      return reject({ status: 403, message: 'Only code that runs as the system can prepare a mail.' });
    if (services.mailer.way === 'none') return reject(NO_WAY);
    const content = { prepare: { event, stage, language: currentLocale()?.tag } };
    await enqueueMails(services, [content], { template: event, seconds });
    if (!response.isError()) response.setError(false);
    return undefined;
  },
});
