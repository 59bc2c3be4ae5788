import { toSeconds } from '../../core/clock.ts';
import type { Services } from '../../plan/feature.ts';
import type { JobRef, NewJob, Queue } from '../../queue/queue.ts';
import { createTableQueue } from '../../queue/table-queue.ts';
import { insertJob } from './sql.ts';

export const createJobQueue = (services: Services): Queue => createTableQueue(services, 'job');

export const toRef = (id: number): JobRef => ({ kind: 'job', payload: String(id) });

/** Each name is a lane of its own, so that one whose jobs are slow or fail does not hold up the others. */
export const toQueued = (id: number, name: string, dueAt: number): NewJob => ({ ...toRef(id), lane: name, dueAt });

export interface Wanted {
  readonly name: string;
  /** JSON. */
  readonly data: string;
  readonly delay: number;
  readonly key: string | undefined;
  readonly attempts: number;
}

/** Queues a job, with the open transaction if there is one. Returns its id, or that of the one that waits with its key. */
export async function enqueueJob(services: Services, wanted: Wanted): Promise<{ id: number; isNew: boolean }> {
  const { database, clock } = services;
  const now = toSeconds(clock.now());
  const dueAt = now + wanted.delay;
  const insert = async (): Promise<{ id: number; isNew: boolean }> => {
    const made = await insertJob(database, {
      name: wanted.name,
      data: wanted.data,
      job_key: wanted.key ?? null,
      most_attempts: wanted.attempts,
      queued_at: now,
      due_at: dueAt,
    });
    await createJobQueue(services).enqueue([toQueued(made.id, wanted.name, dueAt)]);
    return made;
  };
  return database.isInTransaction ? insert() : database.transaction(insert);
}
