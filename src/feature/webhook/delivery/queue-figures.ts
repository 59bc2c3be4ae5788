import type { FigureSource } from '../../../core/figure.ts';
import type { Outbox } from './outbox.ts';

/** Metrics of the web hook queue. */
export const listQueueFigures = ({ queue }: Outbox): FigureSource => ({
  name: 'webhook_queue',
  scope: 'server',
  figures: {
    treadle_webhook_jobs: {
      help: 'Web hook jobs: waiting (due, not claimed), under_way, later (to be retried).',
      type: 'gauge',
      labels: ['state'],
    },
    treadle_webhook_oldest_due_seconds: {
      help: 'Seconds for which the oldest due job has waited; 0 if none waits.',
      type: 'gauge',
    },
  },
  async read() {
    const { depth, waiting, underWay, waitSeconds } = await queue.measure();
    return {
      treadle_webhook_jobs: [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'under_way' }, value: underWay },
        { labels: { state: 'later' }, value: Math.max(0, depth - waiting - underWay) },
      ],
      treadle_webhook_oldest_due_seconds: waitSeconds,
    };
  },
});
