import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { readMailFigures } from '../figures.ts';

export const mailFigures = defineEvent({
  name: 'mail-figures',
  description: 'How many mails wait, were sent and failed.',
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({ waiting: z.number(), oldest_seconds: z.number(), sent: z.number(), failed: z.number() })
      .describe(
        '`waiting`; `oldest_seconds`: age of the oldest waiting mail; `sent` and `failed` (given up) in the last 24 hours.',
      ),
  async run(_stage, { services: { database, clock } }) {
    const { oldestSeconds, ...figures } = await readMailFigures(database, toSeconds(clock.now()));
    return { ...figures, oldest_seconds: oldestSeconds };
  },
});
