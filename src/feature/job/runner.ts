import { apartAsSystem } from '../../core/access.ts';
import { toSeconds } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { type Log, withFields } from '../../core/log/log.ts';
import { currentScope } from '../../core/scope.ts';
import { toReason } from '../../core/text/reason.ts';
import type { Context } from '../../plan/feature.ts';
import type { JobPlan } from '../../plan/job.ts';
import { createEntries } from '../../queue/entry.ts';
import type { Handle, Outcome } from '../../queue/queue.ts';
import { beginAttempt, cancelAttempt, findJob, type JobChanges, type JobRow, updateJob } from './sql.ts';
import type { Tally } from './tally.ts';

/** Seconds until the next attempt; the last one repeats. */
const RETRY_SECONDS = [10, 60, 300, 1800, 2 * 3600, 6 * 3600];
/** How often a process looks again for a handler. */
const UNHANDLED_SECONDS = 60;

/** How an attempt ended; `returned`: the process stops, and the job goes back. */
type AttemptResult = { readonly is: 'done' | 'returned' } | { readonly is: 'failed'; readonly error: unknown };

/** Runs the handler until it ends, the job returns to the queue, or its time is over. */
async function attempt(
  { services }: Context,
  plan: JobPlan,
  run: Omit<Parameters<JobPlan['run']>[0], 'signal'>,
  released: AbortSignal,
): Promise<AttemptResult> {
  const abort = new AbortController();
  const state: { cancel: () => void; leave: () => void } = { cancel: () => {}, leave: () => {} };
  const interrupted = new Promise<AttemptResult>((resolve) => {
    state.leave = () => {
      abort.abort(new TreadleError('JOB_RETURNED', 'The process stops; the job runs again.'));
      resolve({ is: 'returned' });
    };
    released.addEventListener('abort', state.leave);
    state.cancel = services.clock.after(plan.seconds * 1000, () => {
      const error = new TreadleError('JOB_TIME_OVER', `It took longer than ${plan.seconds} seconds.`);
      abort.abort(error);
      resolve({ is: 'failed', error });
    });
  });
  const working = (async (): Promise<AttemptResult> => {
    try {
      await plan.run({ ...run, signal: abort.signal });
      return { is: 'done' };
    } catch (error) {
      return { is: 'failed', error };
    }
  })();
  try {
    return await Promise.race([working, interrupted]);
  } finally {
    state.cancel();
    released.removeEventListener('abort', state.leave);
  }
}

/** Runs the jobs of one plan. */
export class Runner {
  readonly #context: Context;
  readonly #tally: Tally;
  readonly #jobs: ReadonlyMap<string, JobPlan>;
  /** Names without a handler that the log has told. */
  readonly #told = new Set<string>();
  readonly #write: (item: { id: number; changes: JobChanges }) => NonNullable<Outcome['entry']>;

  constructor(context: Context, tally: Tally) {
    const { database } = context.services;
    this.#context = context;
    this.#tally = tally;
    this.#jobs = new Map(context.plan.jobs.map((job) => [job.name, job]));
    this.#write = createEntries(async (items) => {
      for (const { id, changes } of items) await updateJob(database, id, changes);
    });
  }

  /** In no scope: a job acts as the system, whoever queued it. */
  readonly handle: Handle = (job, signal) => apartAsSystem(() => this.#handle(Number(job.payload), signal));

  #now(): number {
    return toSeconds(this.#context.services.clock.now());
  }

  async #handle(id: number, signal: AbortSignal): Promise<Outcome> {
    const { database, clock, log: all } = this.#context.services;
    const row = await findJob(database, id);
    if (row === undefined || !['waiting', 'running', 'unhandled'].includes(row.state)) return {};
    const plan = this.#jobs.get(row.name);
    if (plan === undefined) return this.#putOff(row);
    const log = withFields(all, { job: row.name, id, attempt: Number(row.attempts) + 1 });
    // The row is still as at the start of the last attempt: the process ended during it.
    if (Number(row.attempts) >= Number(row.most_attempts))
      return this.#giveUp(row, new Error('The process ended during the last attempt.'), all);
    await database.write(() => beginAttempt(database, id, this.#now()));
    const startedAt = clock.now();
    const run = { id, name: row.name, data: JSON.parse(row.data ?? 'null'), attempt: Number(row.attempts) + 1, log };
    const started = { by: 'job', name: row.name } as const;
    const scope = { ...currentScope.getStore(), started };
    const ended = await currentScope.run(scope, () => attempt(this.#context, plan, run, signal));
    const milliseconds = clock.now() - startedAt;
    if (ended.is === 'returned') return this.#giveBack(id, log);
    this.#tally.add(row.name, ended.is, milliseconds);
    if (ended.is === 'failed') return this.#fail(row, ended.error, log);
    const changes: JobChanges = { state: 'done', data: null, reason: null, settled_at: this.#now() };
    return { entry: this.#write({ id, changes }), saved: () => log.info('job.done', { milliseconds }) };
  }

  #putOff({ own_job_id: id, name }: JobRow): Outcome {
    if (!this.#told.has(name)) {
      this.#told.add(name);
      const message = `No handler for the job "${name}": its jobs wait.`;
      this.#context.services.log.warn('job.unhandled', { job: name, id, message });
    }
    const entry = this.#write({ id, changes: { state: 'unhandled' } });
    return { retryAt: this.#now() + UNHANDLED_SECONDS, entry };
  }

  async #giveBack(id: number, log: Log): Promise<Outcome> {
    const { database } = this.#context.services;
    await database.write(() => cancelAttempt(database, id));
    log.warn('job.returned', { message: 'It was still running as the process stopped, so it runs again.' });
    return {};
  }

  #giveUp({ own_job_id: id, name, attempts }: JobRow, error: unknown, log: Log): Outcome {
    const reason = toReason(error);
    this.#tally.giveUp(name);
    const changes: JobChanges = { state: 'failed', reason, pending_key: null, settled_at: this.#now() };
    const saved = (): void => log.error('job.failed', { job: name, id, attempt: Number(attempts), reason, error });
    return { entry: this.#write({ id, changes }), isFailed: true, saved };
  }

  async #fail(row: JobRow, error: unknown, log: Log): Promise<Outcome> {
    const { own_job_id: id, most_attempts: most } = row;
    const attempts = Number(row.attempts) + 1;
    if (attempts >= Number(most)) return this.#giveUp({ ...row, attempts }, error, log);
    const reason = toReason(error);
    if (row.job_key !== null && !(await this.#takeKey(id, row.job_key))) {
      const changes: JobChanges = { state: 'replaced', data: null, reason, settled_at: this.#now() };
      const saved = (): void => log.warn('job.replaced', { reason, message: 'Another job with its key waits.' });
      return { entry: this.#write({ id, changes }), saved };
    }
    const wait = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? 10;
    const retryAt = this.#now() + wait;
    const entry = this.#write({ id, changes: { state: 'waiting', reason, due_at: retryAt } });
    return { retryAt, entry, saved: () => log.warn('job.delayed', { reason, seconds: wait, error }) };
  }

  /** A job that waits again holds its key; false if another one waits with it. */
  async #takeKey(id: number, key: string): Promise<boolean> {
    const { database } = this.#context.services;
    try {
      await database.write(() => updateJob(database, id, { pending_key: key }));
      return true;
    } catch (error) {
      if (error instanceof TreadleError && error.code === 'DATABASE_CONSTRAINT') return false;
      throw error;
    }
  }
}
