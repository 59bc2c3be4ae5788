import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSystem } from '../../../src/core/access.ts';
import { Bus } from '../../../src/core/bus/bus.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { type Log, silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { createSystemTable } from '../../../src/database/table.ts';
import { contributeJobs } from '../../../src/feature/job/plan.ts';
import type { JobWorker } from '../../../src/feature/job/worker.ts';
import type { App } from '../../../src/plan/app.ts';
import { createDraft } from '../../../src/plan/draft.ts';
import { createOwnWork } from '../../../src/plan/emit/own-work.ts';
import type { Emit } from '../../../src/plan/emit/typed-emit.ts';
import type { Context } from '../../../src/plan/feature.ts';
import { createFakeClock, createFakeRandom, type FakeClock } from '../../clock.ts';
import { placeDatabase } from '../../database/_where.ts';

/** More than any condition takes. */
const MAX_TURNS = 5000;

type Row = Record<string, unknown>;

export interface Line {
  readonly level: string;
  readonly event: string;
  readonly fields: Row;
}

/** One process of a site: its own connection, and the code that `define` registers. */
export interface Process {
  readonly app: App;
  readonly context: Context;
  readonly database: Database;
  worker(): JobWorker;
  emit(event: string, stage: Row): Promise<Response>;
  /** Loads other code, as a reload does. */
  reload(define: (app: App, name: string) => void): Promise<void>;
  stop(): Promise<void>;
}

export interface World {
  readonly clock: FakeClock;
  readonly lines: Line[];
  readonly processes: readonly Process[];
  readonly first: Process;
  start(name: string): Promise<Process>;
  jobs(): Promise<Row[]>;
  /** Waits until nothing runs and nothing is due. */
  idle(): Promise<void>;
  /** Waits for a condition while jobs run, without letting time pass. */
  until(isMet: () => boolean | Promise<boolean>): Promise<void>;
  /** Lets time pass, and stops wherever a job or a schedule falls due. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export function createNotes(): { log: Log; lines: Line[] } {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (event: string, fields: Row = {}): void =>
      void lines.push({ level, event, fields });
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines };
}

interface Parts {
  readonly database: Database;
  readonly clock: FakeClock;
  readonly log: Log;
  readonly seed: number;
}

async function startProcess(parts: Parts, define: (app: App, name: string) => void, name: string): Promise<Process> {
  const { database, clock, log, seed } = parts;
  const services = { memory: new Memory(), database, clock, log, random: createFakeRandom(seed) };
  const state: { worker?: JobWorker; context?: Context; app?: App } = {};
  const load = async (code: typeof define): Promise<void> => {
    const draft = createDraft();
    const bus = new Bus();
    const emit = (async (event: string, stage: Row) => {
      const response = new Response();
      await asSystem(() => draft.context().emit(event, new Request().setStage(stage), response));
      return response;
    }) as unknown as Emit;
    const own = createOwnWork({ draft, emit, place: () => 'app/www/src/controller/job.ts:1', app: () => own as App });
    Object.assign(own, { emit, transaction: <T>(fn: () => Promise<T>) => database.transaction(fn) });
    code(own as App, name);
    const context = {
      plan: { jobs: draft.jobs, bus, isDevelopment: false },
      services,
      emit: (event: string, request: Request, response: Response) => bus.emit(event, request, response),
    } as unknown as Context;
    draft.activate(context);
    const contribution = contributeJobs();
    for (const event of contribution.events ?? []) bus.on(event.name, event.listen(context));
    for (const seed of contribution.seeds ?? []) await asSystem(() => seed(context));
    const last = state.worker;
    const [worker] = asSystem(() => (contribution.workers ?? []).map((make) => make(context) as JobWorker));
    if (!worker) throw new Error('no worker');
    Object.assign(state, { worker, context, app: own });
    await last?.stop();
  };
  await load(define);
  const get = <K extends keyof typeof state>(key: K): NonNullable<(typeof state)[K]> =>
    state[key] as NonNullable<(typeof state)[K]>;
  return {
    get app() {
      return get('app');
    },
    get context() {
      return get('context');
    },
    database,
    worker: () => get('worker'),
    emit: (event, stage) => get('app').emit(event as never, stage as never) as unknown as Promise<Response>,
    reload: load,
    stop: () => get('worker').stop(),
  };
}

/** The job feature alone, in some processes over one database. */
export async function createWorld(
  define: (app: App, name: string) => void,
  { count = 1 }: { readonly count?: number } = {},
): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-'));
  const place = await placeDatabase('app.db');
  const clock = createFakeClock();
  const { log, lines } = createNotes();
  const processes: Process[] = [];
  const open = (): Promise<Database> => openDatabase({ url: place.url, root, log: silentLog, clock: systemClock });
  const start = async (name: string): Promise<Process> => {
    const database = await open();
    if (processes.length === 0)
      await migrate(
        database,
        (contributeJobs().tables ?? []).map((table) => createSystemTable(table, database.dialect)),
      );
    const started = await startProcess({ database, clock, log, seed: processes.length + 1 }, define, name);
    processes.push(started);
    return started;
  };
  for (let index = 0; index < count; index += 1) await start(`process ${index + 1}`);
  const first = processes[0] as Process;
  const idle = async (): Promise<void> => {
    for (let round = 0; round < 2; round += 1) {
      for (const { worker } of processes) {
        worker().wake();
        await worker().idle();
      }
      clock.advance(0);
    }
  };
  return {
    clock,
    lines,
    processes,
    first,
    start,
    idle,
    jobs: () => first.database.kysely.selectFrom('treadle_own_job').selectAll().orderBy('own_job_id').execute(),
    async until(isMet) {
      for (let turn = 0; turn < MAX_TURNS; turn += 1) {
        if (await isMet()) return;
        for (const { worker } of processes) worker().wake();
        await first.database.write(async () => {});
        clock.advance(0);
      }
      throw new Error(`Not met: ${isMet}`);
    },
    async pass(seconds) {
      const { kysely } = first.database;
      const end = clock.now() + seconds * 1000;
      for (;;) {
        await idle();
        const left = end - clock.now();
        if (left <= 0) return;
        const rows = [
          ...(await kysely.selectFrom('treadle_job').select('due_at as at').execute()),
          ...(await kysely.selectFrom('treadle_schedule').select('next_at as at').execute()),
        ];
        const dues = rows.map((row) => Number(row.at) * 1000 - clock.now()).filter((due) => due > 0);
        clock.advance(Math.min(left, ...dues));
      }
    },
    async close() {
      for (const { stop } of processes) await stop();
      for (const { database } of processes) await database.close();
      await place.remove();
      await rm(root, { recursive: true, force: true });
    },
  };
}
