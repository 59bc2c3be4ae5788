import { join } from 'node:path';
import type { Clock, Random } from '../core/clock.ts';
import type { Problem } from '../core/errors.ts';
import { packageRoot } from '../core/file/package-root.ts';
import type { Log } from '../core/log/log.ts';
import { memoize } from '../core/memoize.ts';
import { Memory } from '../core/memory.ts';
import { createPasswords, type PasswordCost } from '../core/secret/password.ts';
import { createRootSecret, type RootSecret } from '../core/secret/secret.ts';
import type { Database } from '../database/database.ts';
import type { SlowReads } from '../database/load/slow-reads.ts';
import type { ServedMode } from '../database/served-mode.ts';
import type { Mode } from '../http/exchange.ts';
import { createSessions, type RuntimeSessions } from '../http/session/session.ts';
import { createLimiter } from '../limit/limiter.ts';
import { createLimitStore } from '../limit/store.ts';
import type { Json } from '../model/json/value-schema.ts';
import { toSecretName } from '../model/provider.ts';
import { createOutbound } from '../outbound/http.ts';
import { createMailer } from '../outbound/mail.ts';
import { createHtmlCleaner } from '../pages/html-cleaner.ts';
import { createViews } from '../pages/view.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Plan, Services, Views } from '../plan/feature.ts';
import { hasChoice } from '../plan/language/languages.ts';
import { createAssets } from '../project/asset.ts';
import type { Environment } from '../project/environment.ts';
import { createFileStore } from '../project/file-store.ts';
import { createImages } from '../project/image.ts';
import type { Isolation } from './isolation.ts';
import { RunningMetrics } from './metrics/metrics.ts';
import { createOperation } from './operation/operation.ts';
import type { SharedReloadOptions } from './reload/shared.ts';
import { getRootSecret, guardSecret, tellOtherSecret } from './root-secret.ts';
import { SandboxHost, type SandboxHostOptions } from './sandbox/host.ts';
import type { SandboxSite, SandboxStart } from './sandbox/site.ts';

/** The result of compiling a project: a plan unless there is an error. */
export interface BuildResult {
  readonly plan: CompiledPlan | undefined;
  readonly problems: readonly Problem[];
  readonly environment: Environment;
}

export type Build = () => Promise<BuildResult>;

export interface StartOptions extends Pick<SharedReloadOptions, 'hasOthers'> {
  readonly root: string;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly random: Random;
  readonly passwordCost: PasswordCost | undefined;
  readonly log: Log;
  readonly build: Build;
  readonly compile: (root: string) => Promise<Omit<BuildResult, 'environment'>>;
  readonly describeApi: (plan: Plan, baseUrl: string) => Json;
  /** Address of the server that already runs, for the links of a one-off command. */
  readonly url?: string;
  /** False for a one-off command: queued and background work is left to the server. */
  readonly hasWorkers: boolean;
  /** Called with an error that the process must not survive. Default: the application closes. */
  readonly fail?: (error: unknown) => void;
  readonly isolation?: Isolation;
  /** Starts the same project on a sandbox's data. Absent in a sandbox. */
  readonly startSandbox?: (start: SandboxStart) => Promise<SandboxSite>;
  /** Whether the statements of requests and jobs are logged. */
  readonly logsStatements?: boolean;
}

export interface ServiceParts {
  readonly options: StartOptions;
  readonly environment: Environment;
  readonly database: Database;
  readonly slowReads: SlowReads;
  readonly served: ServedMode | undefined;
  readonly servedSecret: string | undefined;
  /** The plan that serves now. */
  readonly plan: () => Plan;
  readonly url: () => string | undefined;
  readonly fail: (error: unknown) => void;
  readonly reload: Services['reload'];
  /** Of the last load. */
  readonly problems: () => readonly Problem[];
}

/** Prepared statements that a connection caches: preparing one takes longer than running it. */
const CACHED_STATEMENTS = { least: 500, most: 5000, ofSchema: 4 };
export const countStatements = ({ model: { schemas } }: Plan): number =>
  Math.min(CACHED_STATEMENTS.most, Math.max(CACHED_STATEMENTS.least, CACHED_STATEMENTS.ofSchema * schemas.size));

/** Whether accounts keep a language that pages may be in. */
const keepsLanguages = memoize(
  ({ languages, tables }: Plan): boolean => hasChoice(languages) && tables.some(({ name }) => name === 'treadle_auth'),
);

function openSecret(
  { mode, log, random, hasWorkers }: StartOptions,
  given: Environment['secret'],
  { served, servedSecret }: Pick<ServiceParts, 'served' | 'servedSecret'>,
): RootSecret {
  const own = createRootSecret(getRootSecret(given, { mode, served, log }), random);
  tellOtherSecret(own, { served: hasWorkers ? servedSecret : undefined, log });
  // A server may start with a new secret; a command must use the server's secret.
  return hasWorkers ? own : guardSecret(own, servedSecret);
}

/** The built-in pages. */
const createOwnViews = ({ clock, root, mode }: ServiceParts['options'], plan: ServiceParts['plan']): Views =>
  createViews({
    folder: join(packageRoot, 'templates'),
    clock,
    root: packageRoot,
    sources: {
      assets: createAssets({ root, clock, isDevelopment: mode === 'development' }),
      model: () => plan().model,
    },
  });

/** The sandboxes of a site; undefined for one that is a sandbox itself. */
function createSandboxes(
  { root, clock, random, log, startSandbox }: StartOptions,
  of: Pick<SandboxHostOptions, 'secret' | 'baseUrl' | 'most' | 'findDocs'>,
): SandboxHost | undefined {
  return startSandbox && new SandboxHost({ root, clock, random, log, start: startSandbox, ...of });
}

/** The services that a running application shares with its features. */
export function createServices({
  options,
  environment,
  database,
  slowReads,
  served,
  servedSecret,
  plan,
  url,
  fail,
  reload,
  problems,
}: ServiceParts): {
  services: Services;
  sessions: RuntimeSessions;
  metrics: RunningMetrics;
  sandboxes: SandboxHost | undefined;
} {
  const { clock, random, log, mode, root, compile, isolation } = options;
  const settings = (): Plan['model']['settings'] => plan().model.settings;
  const secret = openSecret(options, environment.secret, { served, servedSecret });
  const sessions = createSessions({
    database,
    clock,
    random,
    secret,
    log,
    baseUrl: () => services.baseUrl(),
    idleSeconds: () => settings().session.idleSeconds,
    hasLanguages: () => keepsLanguages(plan()),
  });
  const metrics = new RunningMetrics(clock, log);
  const mailer = createMailer({
    server: environment.mailServer,
    from: environment.mailFrom,
    without: mode === 'production' ? 'none' : 'outbox',
  });
  const files = createFileStore({ folder: isolation?.uploads ?? join(root, 'var', 'upload'), random });
  const operation = createOperation({
    ...{ database, clock, log, files, root },
    mailWay: mailer.way,
    tally: metrics.tally,
    problems,
    plan,
    compile,
    reload,
  });
  const sandboxes = createSandboxes(options, {
    secret,
    baseUrl: () => services.baseUrl(),
    most: () => settings().sandboxes,
    findDocs: (code) => (settings().api ? `${services.baseUrl()}/developer/docs/errors/${code}` : undefined),
  });
  const services: Services = {
    memory: new Memory(),
    database,
    slowReads,
    clock,
    random,
    passwords: createPasswords(random, mode === 'production' ? undefined : options.passwordCost),
    log,
    secret,
    sessions,
    root,
    outbound: isolation?.outbound ?? createOutbound({ clock }),
    mailer,
    providerSecret: (provider) => environment.variables[toSecretName(provider)],
    views: createOwnViews(options, plan),
    limiter: createLimiter({ clock, store: createLimitStore(database) }),
    metrics,
    operation,
    files,
    images: createImages({ root, clock, log }),
    // A one-off command ends before a thread would pay off.
    html: options.hasWorkers ? createHtmlCleaner({ clock, log }) : undefined,
    baseUrl: () => settings().server.baseUrl ?? url() ?? 'http://127.0.0.1:3000',
    fail,
    reload,
    compile,
    describeApi: (plan) => options.describeApi(plan, services.baseUrl()),
    ...(sandboxes ? { sandboxes } : {}),
  };
  return { services, sessions, metrics, sandboxes };
}
