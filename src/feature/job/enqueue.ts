import { toSeconds } from '../../core/clock.ts';
import { type DeferredWork, findDeferredWork } from '../../plan/emit/deferred-work.ts';
import type { Services } from '../../plan/feature.ts';
import type { JobRef, NewJob, Queue } from '../../queue/queue.ts';
import { createTableQueue } from '../../queue/table-queue.ts';
import { findWaiting, insertJob, reserveJobId } from './sql.ts';

export const createJobQueue = (services: Services): Queue => createTableQueue(services, 'job');

export const toRef = (id: number): JobRef => ({ kind: 'job', payload: String(id) });

/** Each name is a lane of its own, so that one whose jobs are slow or fail does not hold up the others. */
export const toQueued = (id: number, name: string, dueAt: number): NewJob => ({ ...toRef(id), lane: name, dueAt });

export interface JobRequest {
  readonly name: string;
  /** JSON. */
  readonly data: string;
  readonly delay: number;
  readonly key: string | undefined;
  readonly attempts: number;
}

interface QueueResult {
  readonly id: number;
  readonly isNew: boolean;
}

type JobInsert = (id?: number) => Promise<QueueResult>;

/** Holds a job for a write; its id is known before it is stored. */
async function deferJob(
  { database }: Services,
  held: DeferredWork,
  wanted: JobRequest,
  insert: JobInsert,
): Promise<QueueResult> {
  const { name, key } = wanted;
  const reserve = (): Promise<number> => reserveJobId(database);
  if (key === undefined) {
    const reserved = reserve();
    held.keep(database, async () => insert(await reserved));
    return { id: await reserved, isNew: true };
  }
  // Of a job with a key it is known only at the write whether another one waits.
  const waiting = (async () => (await findWaiting(database, name, key)) ?? -1)();
  const made = held.nameOnce(database, `${name} ${key}`, async () => {
    const found = await waiting;
    return found === -1 ? reserve() : found;
  });
  held.keep(database, async () => {
    const [found, id] = await Promise.all([waiting, made]);
    return insert(found === -1 ? id : undefined);
  });
  const [found, id] = await Promise.all([waiting, made]);
  return { id, isNew: found === -1 };
}

/**
 * Queues a job, with the open transaction if there is one; in a listener before a write, with that write. Returns its id,
 * or that of the one that waits with its key.
 */
export async function enqueueJob(services: Services, wanted: JobRequest): Promise<QueueResult> {
  const { database, clock } = services;
  const now = toSeconds(clock.now());
  const dueAt = now + wanted.delay;
  const insert: JobInsert = async (id) => {
    const made = await insertJob(database, {
      ...(id === undefined ? {} : { own_job_id: id }),
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
  const held = findDeferredWork();
  if (held !== undefined) return deferJob(services, held, wanted, insert);
  return database.isInTransaction ? insert() : database.transaction(() => insert());
}
