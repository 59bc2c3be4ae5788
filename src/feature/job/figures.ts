import type { FigureSource } from '../../core/figure.ts';
import type { Services } from '../../plan/feature.ts';
import { createJobQueue } from './enqueue.ts';
import { countJobs } from './sql.ts';
import type { Tally } from './tally.ts';

interface JobFigures {
  readonly waiting: number;
  readonly under_way: number;
  readonly later: number;
  readonly unhandled: number;
  readonly failed: number;
  readonly wait_seconds: number;
}

/** How the jobs stand, for all processes. */
export async function readJobFigures(services: Services): Promise<JobFigures> {
  const { depth, waiting, underWay, waitSeconds } = await createJobQueue(services).measure();
  const counted = await countJobs(services.database);
  const count = (state: string): number =>
    counted.filter((row) => row.state === state).reduce((sum, row) => sum + row.count, 0);
  const unhandled = count('unhandled');
  const later = Math.max(0, depth - waiting - underWay - unhandled);
  return { waiting, under_way: underWay, later, unhandled, failed: count('failed'), wait_seconds: waitSeconds };
}

/** Metrics of the jobs. */
export const listJobFigures = (services: Services): FigureSource => ({
  name: 'job_queue',
  scope: 'server',
  figures: {
    treadle_jobs: {
      help: "Jobs of the project's code: waiting (due, not claimed), under_way, later (delayed or to be retried), unhandled (no handler of their name), failed (given up, kept for 30 days).",
      type: 'gauge',
      labels: ['state'],
    },
    treadle_job_oldest_due_seconds: {
      help: 'Seconds for which the oldest due job has waited; 0 if none waits.',
      type: 'gauge',
    },
  },
  async read() {
    const { wait_seconds: waitSeconds, ...states } = await readJobFigures(services);
    return {
      treadle_jobs: Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
      treadle_job_oldest_due_seconds: waitSeconds,
    };
  },
});

/** What ran in this process. */
export const listRunFigures = (tally: Tally): FigureSource => ({
  name: 'job_runs',
  scope: 'process',
  figures: {
    treadle_job_attempts_total: {
      help: 'Attempts of jobs that ended, by name and result: done, failed.',
      type: 'counter',
      labels: ['job', 'result'],
    },
    treadle_job_given_up_total: { help: 'Jobs that were given up, by name.', type: 'counter', labels: ['job'] },
    treadle_job_seconds_total: { help: 'Seconds that attempts took, by name.', type: 'counter', labels: ['job'] },
  },
  read() {
    const all = tally.list();
    return {
      treadle_job_attempts_total: all.flatMap(({ name: job, counts }) => [
        { labels: { job, result: 'done' }, value: counts.done },
        { labels: { job, result: 'failed' }, value: counts.failed },
      ]),
      treadle_job_given_up_total: all.map(({ name: job, counts }) => ({ labels: { job }, value: counts.givenUp })),
      treadle_job_seconds_total: all.map(({ name: job, counts }) => ({ labels: { job }, value: counts.seconds })),
    };
  },
});
