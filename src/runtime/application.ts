import { join } from 'node:path';
import type { Clock, Random } from '../core/clock.ts';
import { type Problem, ProblemsError, TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { packageRoot } from '../core/package-root.ts';
import { Request } from '../core/request.ts';
import { Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import { createRootSecret, toPrint } from '../core/secret.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { readServedMode, readServedSecret, type ServedMode } from '../database/serving.ts';
import { createLimiter } from '../limit/limiter.ts';
import { createLimitStore } from '../limit/store.ts';
import { createOutbound } from '../outbound/http.ts';
import { activatePlan } from '../plan/activate.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Context, Plan, Services, Worker } from '../plan/feature.ts';
import type { EmitStage } from '../plan/typed-emit.ts';
import type { Environment } from '../project/environment.ts';
import { createFileStore } from '../project/file-store.ts';
import { createSearch } from '../query/searcher.ts';
import { createDevelopment, type Development } from './development.ts';
import { createDispatch } from './dispatch.ts';
import type { Lifecycle, Mode } from './exchange.ts';
import { Gate } from './gate.ts';
import { keepAlive } from './keep-alive.ts';
import { migrateTo } from './migrate.ts';
import { toReloadProblem } from './reload-problem.ts';
import { getRootSecret, guardSecret } from './root-secret.ts';
import { createServer } from './server.ts';
import { noteServing } from './serving.ts';
import { createSessions, type RuntimeSessions } from './session.ts';
import { createViews } from './view.ts';

/** What compiling a project gives: a plan unless a problem is more than advice. */
export interface Built {
  readonly plan: CompiledPlan | undefined;
  readonly problems: readonly Problem[];
  readonly environment: Environment;
}
export type Build = () => Promise<Built>;

export interface StartOptions {
  readonly root: string;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly build: Build;
  /** False for one piece of work: what is queued, and what is done beside requests, is left to the server. */
  readonly hasWorkers: boolean;
}

type Stage = Readonly<Record<string, unknown>>;
interface EmitOptions {
  /** The `auth_id` of the user who is logged in. */
  readonly as?: number;
}

/** A running project. Two can live in one process. */
export interface Application {
  readonly plan: Plan;
  readonly context: Context;
  readonly services: Services;
  /** Where it listens; undefined until then. */
  readonly url: string | undefined;
  /** Advice of the last load, and what kept the last reload from being served. */
  readonly problems: readonly Problem[];
  /** Listens and gives the address; port 0 takes a free one. */
  listen(address: { readonly port: number; readonly host: string }): Promise<string>;
  /** Compiles again and swaps. Returns the problems: with an error among them the last good plan goes on serving. */
  reload(): Promise<readonly Problem[]>;
  /** Emits an event with this stage, outside any HTTP request; as a user where `as` (an `auth_id`) says so. */
  readonly emit: EmitStage<[options?: EmitOptions]> & ((event: string) => Promise<Response>);
  /** Stops: requests in flight end (10 s at most), workers stop, the database closes. */
  close(): Promise<void>;
}

interface State {
  context: Context;
  workers: readonly Worker[];
  problems: readonly Problem[];
  url: string | undefined;
  /** Reloads wait for each other; a second one that waits already serves a third. */
  waiting: Promise<readonly Problem[]> | undefined;
  running: Promise<unknown>;
  /** Workers of former plans that are still ending. */
  stopping: Promise<unknown>;
}

function isFatal(problem: Problem): boolean {
  return problem.severity !== 'advice';
}

class RunningApplication implements Application {
  readonly services: Services;
  readonly #options: StartOptions;
  readonly #state: State;
  readonly #sessions: RuntimeSessions;
  readonly #development: Development | undefined;
  readonly #gate: Gate;
  readonly #server: ReturnType<typeof createServer>;

  constructor(
    options: StartOptions,
    first: { context: Context; sessions: RuntimeSessions; problems: readonly Problem[] },
  ) {
    const { mode, clock, random, log, root } = options;
    this.#options = options;
    this.#sessions = first.sessions;
    this.services = first.context.services;
    this.#state = {
      context: first.context,
      workers: [],
      problems: first.problems,
      url: undefined,
      waiting: undefined,
      running: Promise.resolve(),
      stopping: Promise.resolve(),
    };
    this.#gate = new Gate(clock);
    this.#development = mode === 'development' ? createDevelopment({ clock, random }) : undefined;
    const lifecycle: Lifecycle = { isStopping: false };
    const development = this.#development === undefined ? {} : { development: this.#development };
    const dispatch = createDispatch({
      current: () => this.#state.context,
      sessions: this.#sessions,
      views: this.services.views,
      log,
      clock,
      random,
      mode,
      root,
      lifecycle,
      gate: this.#gate,
      publicFolder: join(root, 'public'),
      ...development,
    });
    this.#server = createServer({
      dispatch,
      clock,
      lifecycle,
      isProxied: first.context.plan.model.settings.server.trustProxy,
      onStopping: () => this.#development?.close(),
    });
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

  startWorkers(plan: CompiledPlan): void {
    if (!this.#options.hasWorkers) return;
    this.#state.workers = plan.contributions.flatMap(({ workers = [] }) =>
      workers.map((make) => make(this.#state.context)),
    );
  }

  async listen(address: { readonly port: number; readonly host: string }): Promise<string> {
    this.#state.url = await this.#server.listen(address);
    return this.#state.url;
  }

  reload(): Promise<readonly Problem[]> {
    if (this.#state.waiting) return this.#state.waiting;
    const next = this.#state.running.then(() => {
      this.#state.waiting = undefined;
      return this.#swap();
    });
    this.#state.waiting = next;
    this.#state.running = next.catch(() => {});
    return next;
  }

  async #swap(): Promise<readonly Problem[]> {
    const { log, build, mode } = this.#options;
    const built = await build();
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
            // The old plan could not live with what comes: who is being answered ends first, who comes waits for the new one.
            beforeBreaking: () => this.#gate.close(),
          })),
        );
        if (!problems.some(isFatal)) await this.#activate(built.plan);
      } catch (error) {
        problems.push(toReloadProblem(error));
      } finally {
        this.#gate.open();
      }
    }
    this.#state.problems = problems;
    this.#development?.notifyReload(problems.filter(isFatal));
    return problems;
  }

  async #activate(plan: CompiledPlan): Promise<void> {
    const context = activatePlan(plan, this.services);
    await runSeeds(plan, context);
    const { workers } = this.#state;
    this.#state.context = context;
    this.startWorkers(plan);
    // A worker may wait some seconds for a receiver that hangs; the leases let old and new ones overlap.
    const stopped = Promise.all(workers.map((worker) => worker.stop()));
    const { stopping } = this.#state;
    this.#state.stopping = Promise.all([stopping, stopped]).catch((error: unknown) => {
      this.#options.log.error('a worker did not stop', { error });
    });
  }

  readonly emit = ((event: string, stage?: Stage, options?: EmitOptions) =>
    this.#emit(event, stage, options)) as Application['emit'];

  async #emit(event: string, stage: Stage = {}, options: EmitOptions = {}): Promise<Response> {
    const { context } = this.#state;
    const request = new Request().setStage({ ...stage });
    const response = new Response(request);
    if (options.as !== undefined) await this.#logIn(request, options.as);
    // What is in a transaction stays in it: a write beside it would wait for it, and it for the write.
    await currentScope.run({ ...currentScope.getStore(), request, response }, () =>
      context.emit(event, request, response),
    );
    return response;
  }

  async #logIn(request: Request, authId: number): Promise<void> {
    const found = await this.#emit('auth-detail', { auth_id: authId });
    if (found.isError()) throw new TreadleError('USER_UNKNOWN', `There is no user ${authId}.`, { status: 404 });
    request.setSession('me', found.getResults());
  }

  close(): Promise<void> {
    return keepAlive(this.#close());
  }

  async #close(): Promise<void> {
    // A request that waits for a slow receiver would else take all of the server's grace.
    const hurried = this.#state.workers.map((worker) => worker.hurry?.());
    await Promise.all([this.#server.close(), ...hurried]);
    await this.#state.running;
    await Promise.all([this.#state.stopping, ...this.#state.workers.map((worker) => worker.stop())]);
    await this.#sessions.settled();
    await this.services.database.close();
  }
}

/** Each seed writes what differs by itself: a start that changes nothing waits for no disk. */
async function runSeeds(plan: CompiledPlan, context: Context): Promise<void> {
  const seeds = plan.contributions.flatMap(({ seeds: own = [] }) => own);
  await Promise.all(seeds.map((seed) => seed(context)));
}

interface ServiceParts {
  readonly options: StartOptions;
  readonly environment: Environment;
  readonly database: Database;
  readonly served: ServedMode | undefined;
  readonly servedSecret: string | undefined;
  readonly settings: () => Plan['model']['settings'];
  readonly url: () => string | undefined;
}

function createServices({ options, environment, database, served, servedSecret, settings, url }: ServiceParts): {
  services: Services;
  sessions: RuntimeSessions;
} {
  const { clock, random, log, mode, root } = options;
  const own = createRootSecret(getRootSecret(environment.secret, { mode, served, log }), random);
  // A server may be started with a new secret; a command goes by that of the server.
  const secret = options.hasWorkers ? own : guardSecret(own, servedSecret);
  const sessions = createSessions({
    database,
    clock,
    random,
    secret,
    log,
    idleSeconds: () => settings().session.idleSeconds,
  });
  const services: Services = {
    database,
    clock,
    random,
    log,
    secret,
    sessions,
    root,
    outbound: createOutbound({ clock }),
    views: createViews({ folder: join(packageRoot, 'templates'), clock, root: packageRoot }),
    search: createSearch(),
    limiter: createLimiter({ clock, store: createLimitStore(database) }),
    files: createFileStore({ folder: join(root, 'var', 'upload'), random }),
    baseUrl: () => settings().server.baseUrl ?? url() ?? 'http://127.0.0.1:3000',
  };
  return { services, sessions };
}

/**
 * Compiles, opens the database, migrates where the mode allows, activates, and starts the workers.
 *
 * @throws PROJECT_DEFINITIONS_INVALID, DATABASE_BEHIND, SECRET_MISSING
 */
export async function startApplication(options: StartOptions): Promise<Application> {
  const { build, log, mode, clock, root } = options;
  const built = await build();
  if (!built.plan) throw new ProblemsError(built.problems);
  const { plan, environment } = built;
  const database = await openDatabase({ url: plan.model.settings.database.url, root, log, clock });
  try {
    const problems = [...built.problems, ...(await migrateTo({ database, plan, mode, log, root }))];
    if (problems.some(isFatal)) throw new ProblemsError(problems.filter(isFatal));
    const served = await readServedMode(database);
    const running: { application: Application | undefined } = { application: undefined };
    const { services, sessions } = createServices({
      options,
      environment,
      database,
      served,
      servedSecret: await readServedSecret(database),
      settings: () => (running.application?.plan ?? plan).model.settings,
      url: () => running.application?.url,
    });
    const context = activatePlan(plan, services);
    await runSeeds(plan, context);
    const application = new RunningApplication(options, { context, sessions, problems });
    running.application = application;
    if (options.hasWorkers) await noteServing(database, { mode, last: served, print: toPrint(services.secret) });
    application.startWorkers(plan);
    return application;
  } catch (error) {
    await database.close();
    throw error;
  }
}
