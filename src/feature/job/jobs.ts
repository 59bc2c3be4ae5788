import { toStamp } from '../../core/clock.ts';
import { id, optionalId, pageLimit, text, words } from '../../plan/event/value.ts';
import { jsonColumn, numberColumn, stateColumn, textColumn, timeColumn } from '../../plan/table/column.ts';
import { table } from '../../plan/table/table.ts';
import { listSchedules } from './schedule-sql.ts';
import { JOB_STATES, ownJobTable } from './sql.ts';

const STATES = {
  waiting: { label: 'Waiting' },
  running: { label: 'Running', tone: 't-badge-info' },
  failed: { label: 'Given up', tone: 't-badge-danger' },
  unhandled: { label: 'Without a handler', tone: 't-badge-warning' },
  done: { label: 'Done', tone: 't-badge-success' },
  replaced: { label: 'Replaced' },
};

/** The jobs of the project's code. */
export const jobs = table(
  {
    name: 'job',
    source: ownJobTable.name,
    key: 'job_id',
    columns: {
      job_id: numberColumn('own_job_id', { label: 'Id', only: 'line' }),
      name: textColumn('name', { label: 'Job' }),
      state: stateColumn('state', STATES, { label: 'State' }),
      attempts: numberColumn('attempts', { label: 'Attempts' }),
      most_attempts: numberColumn('most_attempts'),
      key: textColumn('job_key'),
      data: jsonColumn('data'),
      reason: textColumn('reason', { label: 'Reason', only: 'line' }),
      queued: timeColumn('queued_at', { label: 'Queued', only: 'page' }),
      due: timeColumn('due_at', { label: 'Due', only: 'page' }),
      started: timeColumn('started_at'),
      settled: timeColumn('settled_at'),
    },
    filters: {
      state: { column: 'state', operator: 'in' },
      name: { column: 'name', operator: 'eq' },
      before: { column: 'job_id', operator: 'lt' },
    },
  },
  {
    search: {
      description: "Lists the jobs of the project's code, the newest first, and when its schedules run next.",
      kind: 'silent',
      stage: () => ({
        state: words(
          { known: JOB_STATES, refuse: (word) => `A job is never ${word}.` },
          `One of ${JOB_STATES.join(', ')}, or several, separated by commas.`,
        ),
        name: text('Name of the job.'),
        before: optionalId('Only jobs with a lower id: the next page.'),
        limit: pageLimit('At most, 1 to 100. Default 50.'),
      }),
      results: '`rows`; `next`: the id to continue before, or null; `schedules` with `name`, `cron` and `next`.',
      async more({ services }) {
        const schedules = await listSchedules(services.database);
        return { schedules: schedules.map(({ name, cron, nextAt }) => ({ name, cron, next: toStamp(nextAt * 1000) })) };
      },
    },
    detail: {
      description: "Returns a job of the project's code.",
      kind: 'silent',
      stage: () => ({ job_id: id('Id of the job.') }),
      results: 'The job; none if it is not there, or no longer.',
      missing: (jobId) => `There is no job ${String(jobId)}.`,
    },
  },
);
