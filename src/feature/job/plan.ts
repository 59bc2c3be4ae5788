import type { Contribution } from '../../plan/feature.ts';
import { jobTable } from '../../queue/table.ts';
import { jobFigures } from './events/job-figures.ts';
import { jobQueue } from './events/job-queue.ts';
import { jobRetry } from './events/job-retry.ts';
import { listJobFigures, listRunFigures } from './figures.ts';
import { jobs } from './jobs.ts';
import { ownJobTable, scheduleTable } from './sql.ts';
import { createTally } from './tally.ts';
import { seedSchedules } from './ticker.ts';
import { createJobWorker, seedUnhandled } from './worker.ts';

/** Contributes the jobs and schedules of a project's code: tables, events and worker. */
export function contributeJobs(): Contribution {
  return {
    ownTables: [jobs],
    tables: [ownJobTable, scheduleTable, jobTable],
    events: [...jobs.events, jobQueue, jobRetry, jobFigures],
    seeds: [seedSchedules, seedUnhandled],
    workers: [(context) => createJobWorker(context, context.services.memory.get(createTally))],
    figures: [
      ({ services }) => listJobFigures(services),
      ({ services }) => listRunFigures(services.memory.get(createTally)),
    ],
  };
}
