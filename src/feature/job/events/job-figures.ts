import type { EventContribution } from '../../../plan/feature.ts';
import { readJobFigures } from '../figures.ts';

export const jobFigures: EventContribution = {
  name: 'job-figures',
  description: "How many of the jobs of the project's code wait, run and failed.",
  stage: {},
  results:
    '`waiting` (due, not claimed), `under_way`, `later` (delayed or to be retried), `unhandled` (no handler of their name), `failed` (given up, kept for 30 days); `wait_seconds`: how long the oldest due job has waited.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (_request, response) =>
      response.succeed(await readJobFigures(services)),
};
