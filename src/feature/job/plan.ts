import type { Contribution } from '../../plan/feature.ts';
import { jobTable } from '../../queue/table.ts';
import { jobDetail } from './events/job-detail.ts';
import { jobFigures } from './events/job-figures.ts';
import { jobQueue } from './events/job-queue.ts';
import { jobRetry } from './events/job-retry.ts';
import { jobSearch } from './events/job-search.ts';
import { listJobFigures, listRunFigures } from './figures.ts';
import { ownJobTable, scheduleTable } from './sql.ts';
import { createTally } from './tally.ts';
import { seedSchedules } from './ticker.ts';
import { createJobWorker, seedUnhandled } from './worker.ts';

/** Contributes the jobs and schedules of a project's code: tables, events and worker. */
export function contributeJobs(): Contribution {
  return {
    tables: [ownJobTable, scheduleTable, jobTable],
    events: [jobQueue, jobSearch, jobDetail, jobRetry, jobFigures],
    seeds: [seedSchedules, seedUnhandled],
    workers: [(context) => createJobWorker(context, context.services.memory.get(createTally))],
    figures: [
      ({ services }) => listJobFigures(services),
      ({ services }) => listRunFigures(services.memory.get(createTally)),
    ],
  };
}
