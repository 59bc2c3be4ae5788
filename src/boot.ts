import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { AppOptions } from './app/app-options.ts';
import { type Application, startApplication } from './app/application.ts';
import type { SandboxStart } from './app/sandbox/site.ts';
import { createServerLog } from './app/server-log.ts';
import { checkTemplatesLater } from './app/template-check.ts';
import type { Build } from './app/wiring.ts';
import { checkTexts } from './check/locale.ts';
import { findCodeProblems, findPlanProblems } from './check/plan.ts';
import { findMisspelt } from './check/template-column.ts';
import { type Clock, systemClock, systemRandom } from './core/clock.ts';
import { isError, type Problem, ProblemsError, TreadleError } from './core/errors.ts';
import { packageRoot } from './core/file/package-root.ts';
import type { Log } from './core/log/log.ts';
import { createProcessLog } from './core/log/process-log.ts';
import { Registry } from './core/request/registry.ts';
import { Request } from './core/request/request.ts';
import { Response } from './core/request/response.ts';
import { translate } from './core/text/translate.ts';
import { ownStepTable } from './database/own-step.ts';
import { servingTable } from './database/served-mode.ts';
import { adminData } from './feature/admin-data/index.ts';
import { adminDefinition } from './feature/admin-definition/index.ts';
import { adminOperation } from './feature/admin-operation/index.ts';
import { auth } from './feature/auth/index.ts';
import { findProviderError as askProvider } from './feature/auth/provider/probe.ts';
import { docs, toApiJson } from './feature/docs/index.ts';
import { renderDocs as renderDocPages } from './feature/docs/static.ts';
import { history } from './feature/history/index.ts';
import { job } from './feature/job/index.ts';
import { countJobs as countOwnJobs } from './feature/job/sql.ts';
import { runJobNow } from './feature/job/worker.ts';
import { readMailFigures as readMails } from './feature/mail/figures.ts';
import { mail } from './feature/mail/index.ts';
import { metrics } from './feature/metrics/index.ts';
import { listOwners } from './feature/oauth/client/owner.ts';
import { oauth } from './feature/oauth/index.ts';
import { rest } from './feature/rest/index.ts';
import { role } from './feature/role/index.ts';
import { schema } from './feature/schema/index.ts';
import { slow } from './feature/slow/index.ts';
import { deliverNow } from './feature/webhook/delivery/deliver-now.ts';
import { createOutbox } from './feature/webhook/delivery/outbox.ts';
import { readFigures } from './feature/webhook/figures.ts';
import { webhook } from './feature/webhook/index.ts';
import { www } from './feature/www/index.ts';
import type { Mode } from './http/exchange.ts';
import { sessionTable } from './http/session/session.ts';
import { limitTable } from './limit/store.ts';
import type { Definitions } from './model/definitions.ts';
import type { Json } from './model/json/value-schema.ts';
import { addLines } from './model/link/lines.ts';
import { findUnknown } from './model/link/unknown.ts';
import { type LinkResult, linkModel } from './model/link.ts';
import type { Model } from './model/model.ts';
import { createProjectViews, type ProjectViews } from './pages/project-view.ts';
import { createViews } from './pages/view.ts';
import { type CompiledPlan, compilePlan } from './plan/compile.ts';
import { createDraft, type Draft } from './plan/draft.ts';
import { createFacade } from './plan/facade.ts';
import type { Feature, Plan } from './plan/feature.ts';
import { compileLanguages } from './plan/language/languages.ts';
import { toSandboxModel } from './plan/sandbox.ts';
import { findCodeNames } from './project/code-names.ts';
import { type CodeStore, createCodeStore } from './project/code-store.ts';
import { createDefinitionStore } from './project/definition-store.ts';
import { type Environment, mayUsePostgres, overrideSettings, readEnvironment } from './project/environment.ts';
import { createLife, type Life } from './project/life.ts';
import { readLocales } from './project/locale-file.ts';
import { findPlace } from './project/module-error.ts';
import { createModuleCache, createModuleLoader, type ModuleCache, type ModuleLoader } from './project/module-loader.ts';
import { loadOwnSteps } from './project/own-step.ts';
import { checkPackages, loadPackages } from './project/package.ts';
import { listPublicFiles } from './project/public-files.ts';
import { type ParsedFiles, readProject } from './project/read.ts';

export type { AppOptions } from './app/app-options.ts';
export type { Application } from './app/application.ts';
export { createServerLog };

/** Every feature, in the order in which their own listeners of one event are heard: data and accounts before the doors. */
const data: readonly Feature[] = [schema, history, auth, role, mail, job];
const admin: readonly Feature[] = [adminDefinition, adminData, adminOperation];
const features: readonly Feature[] = [...data, rest, oauth, webhook, docs, www, metrics, slow, ...admin];

export interface CompiledProject {
  /** Undefined where a problem is more than advice. */
  readonly plan: CompiledPlan | undefined;
  readonly problems: readonly Problem[];
  readonly environment: Environment;
  /** Reads and parses every template of the project's packages. */
  readonly checkTemplates: () => readonly Problem[];
}

interface CompileSurroundings {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly log: Log;
  readonly cache: ModuleCache;
  readonly hasEnvFile?: boolean;
  readonly store?: CodeStore | undefined;
  /** Definition files that were parsed before. */
  readonly files?: ParsedFiles;
  /** Default true. A template that is broken is a problem of the whole project. */
  readonly checksTemplates?: boolean;
  /** True to check the code also while definitions are broken, for commands. Default false: a server does not run it. */
  readonly isThorough?: boolean;
  /** True for a sandbox, whose web hooks go to its own app only. */
  readonly isSandbox?: boolean;
}

/** What a project's code gets from `import … from 'treadle'`, installed or not. */
const toolkit = { createApp, Registry, Request, Response, TreadleError, ProblemsError, translate };

/** The same mistake, found by the linking of the model and by a feature. */
const isSame = (one: Problem, other: Problem): boolean =>
  one.file === other.file && one.line === other.line && one.hint !== undefined && one.hint === other.hint;

interface ProjectSurvey {
  readonly environment: Environment;
  readonly definitions: Definitions;
  readonly linked: LinkResult;
  readonly life: Life;
  readonly loader: ModuleLoader;
  readonly views: ProjectViews;
  readonly locales: ReturnType<typeof readLocales>;
  readonly helpers: Draft['helpers'];
}

/** Loads the project's code on a model and compiles both. */
async function compileCode(
  { root, log, mode, store, isThorough, isSandbox = false }: CompileSurroundings,
  { environment, definitions, linked, life, loader, views, locales, helpers }: ProjectSurvey,
  linkedModel: Model,
): Promise<{ readonly plan: CompiledPlan; readonly problems: readonly Problem[] }> {
  const siteModel = { ...linkedModel, settings: overrideSettings(linkedModel.settings, environment) };
  const model = isSandbox ? toSandboxModel(siteModel) : siteModel;
  const draft = createDraft(life, helpers);
  views.use(model, (request) => draft.context().services.sessions.formToken(request));
  const { makePackage } = createFacade({
    draft,
    model,
    log,
    place: () => findPlace(root),
    view: views.view,
    isSandbox,
  });
  const loaded = await life.load(() => loadPackages({ root, loader, makePackage, findsUnused: isThorough === true }));
  const own = await life.load(async () => loadOwnSteps(root, loader));
  store?.save();
  const { languages, problems: untranslated } = compileLanguages(model.settings, locales, definitions);
  const { plan, problems } = compilePlan({
    model,
    draft,
    // The admin section writes the files of the project, which all sandboxes share with the site.
    features: isSandbox ? features.filter((feature) => !admin.includes(feature)) : features,
    isDevelopment: mode === 'development',
    isSandbox,
    checksResults: mode !== 'production',
    renderMail: views.renderMail,
    renderError: views.renderError,
    tables: [sessionTable, limitTable, servingTable, ...(own.steps.length === 0 ? [] : [ownStepTable])],
    languages,
    steps: own.steps,
  });
  const names = findCodeNames(root, loader.files, store).filter(
    ({ use, name }) => use !== 'schema' || !definitions.broken.has(`schema/${name}`),
  );
  store?.save();
  const added = [
    ...untranslated,
    ...findCodeProblems(plan, names, () => listPublicFiles(root)),
    ...findUnknown(linked.unknownCalls, plan.calls),
    ...findUnknown(linked.unknownHooks, plan.hooks),
  ];
  // An emit that the code awaited has failed the loading at the same place.
  const isToldAlready = ({ code, file, line }: Problem): boolean =>
    code === 'PLAN_NOT_ACTIVE' && loaded.problems.some((other) => other.file === file && other.line === line);
  const told = [...loaded.problems, ...own.problems, ...added, ...problems.filter((one) => !isToldAlready(one))];
  return { plan, problems: [...told, ...findPlanProblems(plan)] };
}

/** What can be checked of the code while definitions are broken; some events are missing without the schema of accounts. */
async function checkCode(around: CompileSurroundings, surveyed: ProjectSurvey): Promise<readonly Problem[]> {
  const { linked, definitions, loader } = surveyed;
  const unread = checkPackages(around.root, loader);
  const { model } = linked;
  if (!model) return unread;
  try {
    const { problems } = await compileCode(around, surveyed, model);
    const hasAll = model.schemas.has('profile') && !definitions.broken.has('settings');
    return hasAll ? problems : problems.filter(({ code }) => !EVENT_CODES.has(code));
  } catch {
    // The rest of the project does not compile without what is broken.
    return unread;
  }
}

const EVENT_CODES: ReadonlySet<string> = new Set(['PLAN_EVENT_UNHEARD', 'PLAN_LISTENER_IDLE', 'PLAN_ROUTE_UNKNOWN']);

/** Read, parse, link, load the project's code, compile: start-up and reload are this one function. */
async function compileRoot(around: CompileSurroundings): Promise<CompiledProject> {
  const { root, clock, cache, store } = around;
  const environment = readEnvironment(root, around.env, around.hasEnvFile);
  const read = await readProject(root, around.files);
  const { definitions } = read;
  const linked = linkModel(definitions, { leavesCalls: true, isPartial: around.isThorough === true });
  const found = [...environment.problems, ...read.problems, ...linked.problems];
  // Templates are checked even if a package's code does not load, so that `check` lists all problems in one run.
  const helpers: ProjectSurvey['helpers'] = new Map();
  const views = createProjectViews({ root, clock, isDevelopment: around.mode === 'development', helpers });
  views.use(linked.model);
  const life = createLife({ root, log: around.log, variables: environment.own });
  const loader = createModuleLoader({ root, provided: toolkit, cache, store, timers: life.timers });
  const locales = readLocales(root);
  const texts = { root, locales: locales.files, definitions };
  // The texts are known after the check.
  const checkTemplates = (): Problem[] =>
    views.check().concat(checkTexts({ ...texts, code: loader.files, texts: views.texts() }));
  const surveyed: ProjectSurvey = { environment, definitions, linked, life, loader, views, locales, helpers };
  if (!linked.model || !linked.isWhole) {
    const told = addLines(found, definitions);
    const more = addLines([...(await checkCode(around, surveyed)), ...checkTemplates()], definitions);
    await life.end();
    const problems = [...told, ...more.filter((problem) => !told.some((other) => isSame(problem, other)))];
    return { plan: undefined, problems, environment, checkTemplates };
  }
  const compiled = await compileCode(around, surveyed, linked.model);
  const templates = around.checksTemplates === false ? [] : checkTemplates();
  // Without all of the code, nobody knows what it gives its templates.
  const isJudged = around.checksTemplates !== false && !compiled.problems.some(isError);
  const misspelt = isJudged ? findMisspelt(linked.model, { root, views, code: loader.files }) : [];
  const problems = addLines([...found, ...templates, ...misspelt, ...compiled.problems], definitions);
  const isBroken = problems.some(isError);
  if (isBroken) await life.end();
  return { plan: isBroken ? undefined : compiled.plan, problems, environment, checkTemplates };
}

/** Compiles without serving. What the project's code opened is closed before this resolves. */
async function compileOnce(around: CompileSurroundings): Promise<CompiledProject> {
  const compiled = await compileRoot(around);
  await compiled.plan?.draft.life?.end();
  return compiled;
}

/** Compiles a project without opening a database: for `check`, `docs`, `routes` and the like. */
export async function compileProject(
  root: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<CompiledProject> {
  const log = createProcessLog({ form: 'text' });
  const cache = createModuleCache();
  // A project that was never started keeps no `var/`: a command without a database makes no folder.
  const store = existsSync(join(root, 'var')) ? createCodeStore(join(root, 'var/cache/code.json')) : undefined;
  return compileOnce({ root, env, mode: 'production', clock: systemClock, log, cache, store, isThorough: true });
}

/** The API as an OpenAPI document; where the settings name no address, at one that stands for any. */
export function describeApi(plan: Plan): Json {
  return toApiJson(plan, plan.model.settings.server.baseUrl ?? 'https://example.org');
}

/** The developer docs as static files, path to text, in the colours of `public/styles/theme.css`: the same plan and theme give the same bytes. */
export function renderDocs(plan: Plan, theme?: string): Map<string, string> {
  const files = renderDocPages(plan, createViews({ folder: join(packageRoot, 'templates'), clock: systemClock }));
  return theme === undefined ? files : files.set('styles/theme.css', theme);
}

/**
 * Starts a project: compiles it, opens its database, migrates where the mode allows, and activates the plan. Call
 * `listen` to serve it, `emit` to use it without a server, `close` to end it.
 *
 * @throws PROJECT_DEFINITIONS_INVALID (a {@link ProblemsError} with all problems).
 * @throws DATABASE_BEHIND in production where the database lacks something.
 * @throws SECRET_MISSING without TREADLE_SECRET, in production and on a database that was last served in production.
 */
export async function createApp(options: AppOptions): Promise<Application> {
  const { root, mode = 'production', env = process.env, clock = systemClock, random = systemRandom } = options;
  const log = options.log ?? createServerLog({ root, mode, env, clock });
  const checksTemplates = mode !== 'production';
  const store = createCodeStore(join(root, 'var/cache/code.json'));
  const { files, save } = createDefinitionStore(join(root, 'var/cache/definitions.json'));
  const { hasWorkers = true, fail, url, isolation, passwordCost, logsStatements = false } = options;
  const isSandbox = isolation?.isSandbox === true;
  const code = { root, env, hasEnvFile: isolation === undefined, mode, clock, log, isSandbox };
  const around: CompileSurroundings = { ...code, cache: createModuleCache(), store, checksTemplates, files };
  const build: Build = async () => {
    const built = await compileRoot(around);
    save();
    if (!checksTemplates && hasWorkers) checkTemplatesLater(built.checkTemplates, { clock, log });
    return built;
  };
  const compile = (folder: string): Promise<CompiledProject> =>
    compileOnce({ ...code, root: folder, cache: createModuleCache() });
  const hasOthers = mayUsePostgres(root, readEnvironment(root, env, code.hasEnvFile));
  const rest = { hasWorkers, describeApi: toApiJson, ...(fail ? { fail } : {}), ...(url === undefined ? {} : { url }) };
  const startSandbox = ({ folder, ...start }: SandboxStart): Promise<Application> =>
    createApp({
      ...{ root, clock, random, ...start },
      mode: 'test',
      isolation: { ...isolation, uploads: join(folder, 'upload'), isSandbox: true },
    });
  const apart = {
    passwordCost,
    logsStatements,
    ...(isolation ? { isolation } : {}),
    // A command that removes an app removes its sandbox, too.
    ...(isSandbox ? {} : { startSandbox }),
  };
  return startApplication({ root, mode, clock, random, log, build, compile, hasOthers, ...rest, ...apart });
}

/** Sends these deliveries of web hooks here, for a command that waits for what comes of it and has no workers: {@link deliverNow}. */
export const sendNow = ({ context }: Application, which: Parameters<typeof deliverNow>[1]): Promise<void> =>
  deliverNow(createOutbox(context, context.plan), which);

/** Runs a job here, for a command that waits for it and has no workers: {@link runJobNow}. */
export const runJob = ({ context }: Application, id: number): Promise<void> => runJobNow(context, id);

/** How many jobs there are by name and state, for `treadle doctor`: {@link countOwnJobs}. */
export const countJobs: typeof countOwnJobs = countOwnJobs;

/** How web hooks stand, of a database whose project need not be whole, for `treadle doctor`: {@link readFigures}. */
export const readHookFigures: typeof readFigures = readFigures;

/** How the owners stand that app files name, for commands: {@link listOwners}. */
export const readOwners: typeof listOwners = listOwners;

/** Why a sign-in provider cannot be read, for `treadle doctor`: {@link askProvider}. */
export const findProviderFault: typeof askProvider = askProvider;

/** How the mails stand, for `treadle doctor`: {@link readMails}. */
export const readMailFigures: typeof readMails = readMails;
