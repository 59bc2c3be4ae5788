import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { id } from '../../../plan/event/value.ts';
import { createJobQueue, toQueued } from '../enqueue.ts';
import { findJob, type JobRow, updateJob } from '../sql.ts';

/** Why a job cannot be tried again; undefined if it can. */
function findHindrance({ own_job_id: id, state }: JobRow): string | undefined {
  if (state === 'running') return `The job ${id} is running.`;
  if (state === 'done') return `The job ${id} is done, and its data is gone. Queue another one.`;
  return state === 'replaced' ? `The job ${id} was replaced by another one with its key.` : undefined;
}

export const jobRetry = defineEvent({
  name: 'job-retry',
  description: 'Queues a job again that was given up, with all its attempts, or runs one that waits at once.',
  kind: 'silent',
  stage: () => z.object({ job_id: id('Id of the job.') }),
  results: () => z.object({ job_id: z.number(), name: z.string() }).describe('`job_id` and `name`.'),
  run({ job_id: jobId }, { services }) {
    const { database, clock } = services;
    const now = toSeconds(clock.now());
    return database.transaction(async () => {
      const row = typeof jobId === 'number' ? await findJob(database, jobId) : undefined;
      if (!row) return reject({ status: 404, code: 'JOB_MISSING', message: `There is no job ${jobId}.` });
      const { own_job_id: own, name, state } = row;
      const hindrance = findHindrance(row);
      if (hindrance !== undefined) return reject({ status: 409, code: 'JOB_RUNS', message: hindrance });
      // One that waits is only brought forward.
      await updateJob(database, own, {
        due_at: now,
        ...(state === 'failed' ? { state: 'waiting', attempts: 0, reason: null, settled_at: null } : {}),
      });
      await createJobQueue(services).enqueue([toQueued(own, name, now)]);
      return { job_id: own, name };
    });
  },
});
