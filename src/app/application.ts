import type { Socket } from 'node:net';
import { join } from 'node:path';
import { asSystem } from '../core/access.ts';
import { isError, type Problem, ProblemsError } from '../core/errors.ts';
import { SlowReads } from '../database/load/slow-reads.ts';
import { openDatabase } from '../database/open.ts';
import { readServed } from '../database/served-mode.ts';
import { logStatements } from '../database/statement-log.ts';
import type { ListenAddress } from '../http/connection/listen.ts';
import { createDevelopment, type Development } from '../http/development.ts';
import type { Lifecycle } from '../http/exchange.ts';
import { Gate } from '../http/gate.ts';
import { createHandle, type Handle } from '../http/handle.ts';
import { EventStreams } from '../http/respond/event-stream.ts';
import { createServer } from '../http/server.ts';
import type { RuntimeSessions } from '../http/session/session.ts';
import { activatePlan, runSeeds } from '../plan/activate.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Context, Plan, Services } from '../plan/feature.ts';
import { createOwnRows } from '../plan/own-rows.ts';
import type { ReloadMigration } from '../plan/reload-migration.ts';
import type { Environment } from '../project/environment.ts';
import { DrainDelay } from './drain-delay.ts';
import { keepAlive } from './keep-alive.ts';
import { startLater } from './later.ts';
import type { RunningMetrics } from './metrics/metrics.ts';
import { type FittingTables, migrateTo } from './migrate.ts';
import { toReloadProblem } from './reload/problem.ts';
import { SharedReload } from './reload/shared.ts';
import { retire } from './retire.ts';
import type { Application } from './running-project.ts';
import { createState, type RunningState } from './running-state.ts';
import type { SandboxHost } from './sandbox/host.ts';
import { noteStart } from './serving.ts';
import { createStageEmit } from './stage-emit.ts';
import { startStatisticsUpkeep } from './statistics-upkeep.ts';
import { countStatements, createServices, type StartOptions } from './wiring.ts';

export type { Application } from './running-project.ts';

/** Milliseconds that an idle connection stays open for a request in transit. */
const IDLE_MS = 1000;

class RunningApplication implements Application {
  readonly services: Services;
  readonly #options: StartOptions;
  readonly #state: RunningState;
  readonly #sessions: RuntimeSessions;
  readonly #metrics: RunningMetrics;
  readonly #development: Development | undefined;
  readonly #gate: Gate;
  readonly #server: ReturnType<typeof createServer>;
  readonly #drainDelay: DrainDelay;
  readonly #eventStreams = new EventStreams();
  readonly #shared: SharedReload;
  readonly #fitting: FittingTables;
  readonly #sandboxes: SandboxHost | undefined;
  readonly handle: Handle;

  constructor(
    options: StartOptions,
    first: {
      context: Context;
      sessions: RuntimeSessions;
      metrics: RunningMetrics;
      problems: readonly Problem[];
      shared: SharedReload;
      fitting: FittingTables;
      sandboxes: SandboxHost | undefined;
    },
  ) {
    const { mode, clock, random, log, root } = options;
    this.#options = options;
    this.#sessions = first.sessions;
    this.#metrics = first.metrics;
    this.#shared = first.shared;
    this.#fitting = first.fitting;
    this.#sandboxes = first.sandboxes;
    this.services = first.context.services;
    this.#state = createState(first);
    this.#gate = new Gate(clock);
    this.#development = mode === 'development' ? createDevelopment({ clock, random }) : undefined;
    this.services.slowReads.advise = this.#development?.tellSlow;
    const lifecycle: Lifecycle = { isStopping: false };
    this.#drainDelay = new DrainDelay(lifecycle, clock);
    const development = this.#development === undefined ? {} : { development: this.#development };
    const handle = createHandle({
      current: () => this.#state.context,
      sessions: this.#sessions,
      views: this.services.views,
      log,
      clock,
      limits: options.isolation?.limits,
      random,
      mode,
      root,
      lifecycle,
      gate: this.#gate,
      eventStreams: this.#eventStreams,
      publicFolder: join(root, 'public'),
      images: this.services.images,
      traffic: this.#metrics.traffic,
      ...development,
    });
    this.handle = handle;
    const { sandboxes } = first;
    this.#server = createServer({
      dispatch: sandboxes ? (req, res) => void (sandboxes.take(req, res) || handle(req, res)) : handle,
      clock,
      lifecycle,
      connections: first.context.plan.model.settings.limits.connections,
      trustProxy: first.context.plan.model.settings.server.trustProxy,
      // An idle browser of a developer needs no grace period.
      idleMs: mode === 'production' ? IDLE_MS : 0,
      onStopping: () => {
        this.#development?.close();
        this.#eventStreams.end();
      },
    });
    this.#metrics.watch(() => this.#server.connections);
  }

  get plan(): Plan {
    return this.#state.context.plan;
  }
  get context(): Context {
    return this.#state.context;
  }
  get url(): string | undefined {
    return this.#state.url;
  }
  get problems(): readonly Problem[] {
    return this.#state.problems;
  }

  startWorkers(plan: CompiledPlan, isLate = false): void {
    this.#state.life = plan.draft.life;
    if (!this.#options.hasWorkers) return;
    const { context } = this.#state;
    // Anything that a worker starts, such as timers, inherits the access at its creation.
    const make = () =>
      asSystem(() => [
        startStatisticsUpkeep(context.services),
        ...plan.contributions.flatMap(({ workers = [] }) => workers.map((one) => one(context))),
      ]);
    this.#state.workers = isLate ? [startLater(make, this.#options.clock)] : make();
    plan.draft.life?.start();
  }

  /** From now on it reloads together with the other processes. */
  share(): void {
    this.#shared.start(this, this.services.database, this.#gate);
  }

  async listen(address: ListenAddress): Promise<string> {
    this.#state.url = await this.#server.listen(address);
    return this.#state.url;
  }

  attach(url: string): (socket: Socket) => void {
    this.#state.url = url;
    return this.#server.attach();
  }

  drain(): void {
    this.#drainDelay.tell();
  }

  reload(migration?: ReloadMigration): Promise<readonly Problem[]> {
    // A reload that may do more than the waiting one is one of its own.
    if (this.#state.waiting && !migration) return this.#state.waiting;
    const next = this.#state.running.then(() => {
      if (this.#state.waiting === next) this.#state.waiting = undefined;
      return this.#swap(migration);
    });
    if (!migration) this.#state.waiting = next;
    this.#state.running = next.catch(() => {});
    return next;
  }

  async #swap(migration: ReloadMigration | undefined): Promise<readonly Problem[]> {
    const { log, build, mode } = this.#options;
    this.#shared.note();
    const built = await asSystem(build);
    const problems = [...built.problems];
    if (built.plan) {
      try {
        problems.push(
          ...(await migrateTo({
            database: this.services.database,
            plan: built.plan,
            mode,
            log,
            root: this.#options.root,
            fitting: this.#fitting,
            migration,
            // The old plan is incompatible: running requests end first, new ones wait for the new plan.
            beforeBreaking: () => this.#gate.close(),
          })),
        );
        if (!problems.some(isError)) await this.#activate(built.plan, built.environment);
      } catch (error) {
        problems.push(toReloadProblem(error));
      } finally {
        this.#gate.open();
        const { life } = built.plan.draft;
        if (life !== this.#state.life) await life?.end();
      }
    }
    this.#state.problems = problems;
    this.#development?.notifyReload(problems.filter(isError));
    return problems;
  }

  async #activate(plan: CompiledPlan, environment: Environment): Promise<void> {
    const context = activatePlan(plan, this.services);
    await this.#metrics.use(plan, context, environment);
    await runSeeds(plan, context);
    this.#sandboxes?.retireAll();
    const { workers, life, stopping, context: former } = this.#state;
    this.#state.context = context;
    this.startWorkers(plan);
    const endStreams = (): void => this.#eventStreams.end(former.plan);
    const retired = retire({ workers, life, gate: this.#gate, log: this.#options.log, endStreams });
    this.#state.stopping = Promise.all([stopping, retired]);
  }

  readonly emit = createStageEmit(() => this.#state.context);
  readonly #own = createOwnRows({ context: () => this.#state.context, emit: this.emit });
  readonly rows = this.#own.rows;
  readonly count = this.#own.count;
  readonly exists = this.#own.exists;
  readonly upsert = this.#own.upsert;

  close(): Promise<void> {
    this.#drainDelay.hurry();
    this.#shared.close();
    return keepAlive(this.#close());
  }

  async #close(): Promise<void> {
    const isBalanced = this.#state.url !== undefined && this.#options.mode !== 'development';
    if (isBalanced) await this.#drainDelay.wait(this.plan.model.settings.server.drainSeconds);
    // Otherwise a request that waits for a slow receiver would use up the server's grace period.
    const hurried = this.#state.workers.map((worker) => worker.hurry?.());
    await Promise.all([this.#server.close(), ...hurried]);
    await this.#state.running;
    await this.#sandboxes?.stop();
    await Promise.all([this.#state.stopping, ...this.#state.workers.map((worker) => worker.stop())]);
    await this.#state.life?.end();
    await this.#sessions.settled();
    this.#metrics.close();
    await this.services.html?.close();
    await this.services.database.close();
  }
}

/**
 * Compiles, opens the database, migrates if the mode allows, activates, and starts the workers.
 *
 * @throws PROJECT_DEFINITIONS_INVALID, DATABASE_BEHIND, SECRET_MISSING
 */
export async function startApplication(options: StartOptions): Promise<Application> {
  const { build, log, mode, clock, root, hasOthers } = options;
  const shared = new SharedReload({ root, clock, log, isServer: options.hasWorkers, hasOthers });
  shared.note();
  // Timers and pools that the project's code creates while it loads act as the system.
  const built = await asSystem(build);
  if (!built.plan) throw new ProblemsError(built.problems);
  const { plan, environment } = built;
  const running: { application: Application | undefined } = { application: undefined };
  const fail = (error: unknown): void => {
    log.error('the process cannot go on', { error });
    if (options.fail) options.fail(error);
    else
      running.application
        ?.close()
        .catch((last: unknown) => log.error('the application did not close', { error: last }));
  };
  const serving = (): Plan => running.application?.plan ?? plan;
  const slowReads = new SlowReads();
  const opened = await openDatabase({
    url: plan.model.settings.database.url,
    root,
    log,
    clock: options.isolation?.limits ?? clock,
    readSeconds: () => serving().model.settings.limits.readSeconds,
    statements: countStatements(plan),
    failed: fail,
    slow: slowReads,
  });
  const isTold = mode === 'development' && options.logsStatements === true;
  const database = isTold ? logStatements(opened, { log, now: () => performance.now() }) : opened;
  try {
    const fitting: FittingTables = { text: '', structure: '' };
    const problems = [...built.problems, ...(await migrateTo({ database, plan, mode, log, root, fitting }))];
    if (problems.some(isError)) throw new ProblemsError(problems.filter(isError));
    const served = await readServed(database);
    const { services, sessions, metrics, sandboxes } = createServices({
      options,
      environment,
      database,
      slowReads,
      served: served.mode,
      servedSecret: served.print,
      plan: serving,
      url: () => running.application?.url ?? options.url,
      fail,
      problems: () => running.application?.problems ?? problems,
      reload: (migration) => shared.reload(migration),
    });
    const context = activatePlan(plan, services);
    if (options.hasWorkers) await metrics.use(plan, context, environment);
    await runSeeds(plan, context);
    const application = new RunningApplication(options, {
      ...{ context, sessions, metrics, problems, shared, fitting, sandboxes },
    });
    running.application = application;
    if (options.hasWorkers) await noteStart({ mode, last: served, model: plan.model, services });
    application.startWorkers(plan, mode === 'production');
    application.share();
    return application;
  } catch (error) {
    shared.close();
    await plan.draft.life?.end();
    await database.close();
    throw error;
  }
}
