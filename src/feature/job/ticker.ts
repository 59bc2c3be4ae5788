import { apartAsSystem } from '../../core/access.ts';
import { toSeconds, toStamp } from '../../core/clock.ts';
import type { Cron } from '../../plan/cron.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import { enqueueJob } from './enqueue.ts';
import { claimRun, listSchedules, noteRun, putSchedule, removeSchedule } from './schedule-sql.ts';
import { findJob } from './sql.ts';

/** A timer of the system does not notice that the machine slept or that its clock was set. */
const LOOK_MS = 30_000;
/** Attempts of one run. */
const ATTEMPTS = 5;

interface Schedule {
  readonly name: string;
  readonly cron: Cron;
  /** Milliseconds. */
  nextAt: number;
  /** Runs are claimed one after the other. */
  claiming: Promise<void>;
}

const listOwn = ({ plan }: Context) =>
  plan.jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ name, cron }]));

/** Adds the plan's schedules and removes the others. One that is overdue stays so: it runs once, soon. */
export async function seedSchedules(context: Context): Promise<void> {
  const { database, clock } = context.services;
  const known = new Map((await listSchedules(database)).map((row) => [row.name, row.cron]));
  const now = clock.now();
  for (const { name, cron } of listOwn(context)) {
    const isSame = known.get(name) === cron.text;
    known.delete(name);
    const next = cron.next(now);
    if (isSame || next === undefined) continue;
    await database.write(() => putSchedule(database, { name, cron: cron.text, nextAt: toSeconds(next) }));
  }
  for (const name of known.keys()) await database.write(() => removeSchedule(database, name));
}

async function isUnfinished({ services }: Context, jobId: number): Promise<boolean> {
  const state = (await findJob(services.database, jobId))?.state;
  return state === 'waiting' || state === 'running' || state === 'unhandled';
}

/** Queues the run that is due by now, unless another process has. */
async function claim(context: Context, { name, cron }: Schedule, now: number): Promise<void> {
  const { services } = context;
  const { database, log } = services;
  const [next, at] = [cron.next(now), toStamp(cron.last(now) ?? now)];
  if (next === undefined) return;
  await database.transaction(async () => {
    const row = { name, cron: cron.text, nextAt: toSeconds(next) };
    const claimed = await claimRun(database, row, toSeconds(now));
    if (!claimed) return;
    const { lastJobId } = claimed;
    if (lastJobId !== undefined && (await isUnfinished(context, lastJobId))) {
      log.warn('job.skipped', { job: name, id: lastJobId, at, message: 'The run before this one has not ended yet.' });
      return;
    }
    const data = JSON.stringify({ at });
    const { id } = await enqueueJob(services, { name, data, delay: 0, key: undefined, attempts: ATTEMPTS });
    await noteRun(database, name, id);
  });
}

export interface Ticker extends Worker {
  /** Resolves when no run is being claimed. */
  idle(): Promise<void>;
}

/** Queues the runs of schedules as they fall due. Every process does; the table decides which of them queues a run. */
export function createTicker(context: Context): Ticker {
  const { clock, database, log } = context.services;
  const schedules: Schedule[] = [];
  const state = { isStopped: false, cancel: () => {} };
  const begin = (schedule: Schedule, now: number): void => {
    schedule.nextAt = schedule.cron.next(now) ?? Number.POSITIVE_INFINITY;
    schedule.claiming = schedule.claiming
      .then(() => claim(context, schedule, now))
      .catch((error: unknown) => {
        log.error('job.schedule.failed', { job: schedule.name, error });
        // The row is still due.
        schedule.nextAt = 0;
      });
  };
  const look = (): void => {
    if (state.isStopped) return;
    const now = clock.now();
    for (const schedule of schedules) if (schedule.nextAt <= now) apartAsSystem(() => begin(schedule, now));
    const next = Math.min(...schedules.map(({ nextAt }) => nextAt)) - now;
    state.cancel = clock.after(Math.min(LOOK_MS, Math.max(next, 1000)), look);
  };
  const load = async (): Promise<void> => {
    const own = listOwn(context);
    if (own.length === 0) return;
    const rows = new Map((await listSchedules(database)).map((row) => [row.name, row]));
    for (const { name, cron } of own) {
      const nextAt = (rows.get(name)?.nextAt ?? 0) * 1000;
      schedules.push({ name, cron, nextAt, claiming: Promise.resolve() });
    }
    look();
  };
  const loaded = load().catch((error: unknown) => log.error('job.schedule.failed', { error }));
  const idle = async (): Promise<void> => {
    await loaded;
    await Promise.all(schedules.map(({ claiming }) => claiming));
  };
  return {
    idle,
    wake() {},
    async stop() {
      state.isStopped = true;
      state.cancel();
      await idle();
    },
  };
}
