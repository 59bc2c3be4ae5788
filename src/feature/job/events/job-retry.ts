import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { createJobQueue, toQueued } from '../enqueue.ts';
import { findJob, type JobRow, updateJob } from '../sql.ts';

/** Why a job cannot be tried again; undefined if it can. */
function findHindrance({ own_job_id: id, state }: JobRow): string | undefined {
  if (state === 'running') return `The job ${id} is running.`;
  if (state === 'done') return `The job ${id} is done, and its data is gone. Queue another one.`;
  return state === 'replaced' ? `The job ${id} was replaced by another one with its key.` : undefined;
}

async function retry({ services }: Context, request: Request, response: Response): Promise<void> {
  const { database, clock } = services;
  const id = Number(request.getStage('job_id'));
  const now = toSeconds(clock.now());
  await database.transaction(async () => {
    const row = Number.isSafeInteger(id) ? await findJob(database, id) : undefined;
    if (!row)
      return response.refuse({ status: 404, message: `There is no job ${String(request.getStage('job_id'))}.` });
    const hindrance = findHindrance(row);
    if (hindrance !== undefined) return response.refuse({ status: 409, message: hindrance });
    // One that waits is only brought forward.
    const isSettled = row.state === 'failed';
    await updateJob(database, id, {
      due_at: now,
      ...(isSettled ? { state: 'waiting', attempts: 0, reason: null, settled_at: null } : {}),
    });
    await createJobQueue(services).enqueue([toQueued(id, row.name, now)]);
    response.succeed({ job_id: id, name: row.name });
  });
}

export const jobRetry: EventContribution = {
  name: 'job-retry',
  description: 'Queues a job again that was given up, with all its attempts, or runs one that waits at once.',
  stage: { job_id: 'Id of the job.' },
  results: '`job_id` and `name`.',
  kind: 'silent',
  listen: (context) => (request, response) => retry(context, request, response),
};
