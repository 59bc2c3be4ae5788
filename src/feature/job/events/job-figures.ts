import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import { readJobFigures } from '../figures.ts';

export const jobFigures = defineEvent({
  name: 'job-figures',
  description: "How many of the jobs of the project's code wait, run and failed.",
  kind: 'silent',
  stage: () => z.object({}),
  results: () =>
    z
      .object({
        waiting: z.number(),
        under_way: z.number(),
        later: z.number(),
        unhandled: z.number(),
        failed: z.number(),
        wait_seconds: z.number(),
      })
      .describe(
        '`waiting` (due, not claimed), `under_way`, `later` (delayed or to be retried), `unhandled` (no handler of their name), `failed` (given up, kept for 30 days); `wait_seconds`: how long the oldest due job has waited.',
      ),
  run: (_stage, { services }) => readJobFigures(services),
});
