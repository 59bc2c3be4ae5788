import type { EventContribution } from '../../../plan/feature.ts';
import type { FindOutbox } from '../delivery/outbox.ts';
import { readFigures } from '../figures.ts';

export const webhookFigures = (findOutbox: FindOutbox): EventContribution => ({
  name: 'webhook-figures',
  description: 'Metrics of web hook delivery.',
  stage: {},
  results:
    '`depth`, `waiting` and `under_way`: jobs in the queue; `wait_seconds`: how long the first due job has waited; ' +
    '`oldest_seconds`: age of the oldest event that is not yet delivered to everyone; `attempts_hour`, `failures_hour`, ' +
    '`attempts_day`, `failures_day`; `receivers_failing`, `receivers_disabled`.',
  kind: 'reads',
  listen: (context) => async (_, response) => {
    const outbox = findOutbox(context);
    const { depth, waiting, underWay, waitSeconds } = await outbox.queue.measure();
    const figures = await readFigures(context.services.database, outbox.hooks.keys(), outbox.now());
    response.setError(false).setResults({ depth, waiting, under_way: underWay, wait_seconds: waitSeconds, ...figures });
  },
});
