import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readMailFigures } from '../figures.ts';

export const mailFigures: EventContribution = {
  name: 'mail-figures',
  description: 'How many mails wait, were sent and failed.',
  stage: {},
  results:
    '`waiting`; `oldest_seconds`: age of the oldest waiting mail; `sent` and `failed` (given up) in the last 24 hours.',
  kind: 'silent',
  listen:
    ({ services: { database, clock } }) =>
    async (_request, response) => {
      const { oldestSeconds, ...figures } = await readMailFigures(database, toSeconds(clock.now()));
      response.succeed({ ...figures, oldest_seconds: oldestSeconds });
    },
};
