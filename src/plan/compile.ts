import type { Bus } from '../core/bus/bus.ts';
import { compilePattern } from '../core/bus/pattern.ts';
import type { RouteTerms } from '../core/bus/route-index.ts';
import type { Problem } from '../core/errors.ts';
import type { SystemTable } from '../database/database.ts';
import type { OwnStep } from '../database/own-step.ts';
import { holdsFiles } from '../model/field/field-kind.ts';
import type { CallModel, HookModel, Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import type { EventFacts } from './event/facts.ts';
import type {
  CallPlan,
  Contribution,
  Facts,
  Feature,
  Plan,
  RenderError,
  RenderMail,
  RouteContribution,
} from './feature.ts';
import type { Languages } from './language/languages.ts';
import { toPlace } from './place.ts';

/** A plan with the contributions to activate: listeners, workers and seeds. */
export interface CompiledPlan extends Plan {
  readonly contributions: readonly Contribution[];
  readonly draft: Draft;
  /** The project's own migration steps, in order. */
  readonly steps: readonly OwnStep[];
}

export interface CompileOptions {
  readonly model: Model;
  readonly draft: Draft;
  readonly features: readonly Feature[];
  readonly isDevelopment: boolean;
  /** True for a sandbox: no web hook has a receiver of the site's own. Default false. */
  readonly isSandbox?: boolean;
  /** Default false. */
  readonly checksResults?: boolean;
  /** Tables of parts other than features, such as sessions. */
  readonly tables?: readonly SystemTable[];
  /** The project's own mails. Default none. */
  readonly renderMail?: RenderMail;
  readonly renderError?: RenderError;
  /** Default: English only. */
  readonly languages?: Languages | undefined;
  /** The project's own migration steps, in order. Default none. */
  readonly steps?: readonly OwnStep[];
}

/** The hooks of files and code. Those of a sandbox report to its own app only. */
function listHooks({ model, draft, isSandbox = false }: CompileOptions): readonly HookModel[] {
  const hooks = [...model.hooks.values(), ...draft.hooks];
  if (!isSandbox) return hooks;
  return hooks.map(({ definition: { url: _url, ...definition }, ...hook }) => ({ ...hook, definition }));
}

/**
 * Compiles a model and the project's registered code to a plan. Needs no database, and has no side effect but
 * closing the draft.
 */
export function compilePlan(options: CompileOptions): { plan: CompiledPlan; problems: Problem[] } {
  const { model, draft, isDevelopment } = options;
  draft.close();
  const facts: Facts = {
    model,
    calls: joinCalls(model, draft),
    hooks: listHooks(options),
    jobs: draft.jobs,
    isDevelopment,
  };
  const contributions = options.features.map((feature) => feature.contribute(facts));
  const own = contributions.flatMap(({ events = [] }) => events);
  const routes = contributions.flatMap(({ routes = [] }) => routes);
  describeRoutes(draft.bus, routes, findLimits(model));
  const plan: CompiledPlan = {
    ...facts,
    bus: draft.bus,
    events: [...own, ...draft.events],
    checksResults: options.checksResults ?? false,
    routes,
    tables: listTables([...(options.tables ?? []), ...contributions.flatMap(({ tables = [] }) => tables)]),
    ownTables: new Map(contributions.flatMap(({ ownTables = [] }) => ownTables.map((each) => [each.name, each]))),
    renderMail: options.renderMail ?? (() => undefined),
    renderError: options.renderError ?? (() => undefined),
    languages: options.languages,
    contributions,
    draft,
    steps: options.steps ?? [],
  };
  const problems = [
    ...draft.problems,
    ...findDeclaredTwice(draft, own),
    ...contributions.flatMap((contribution) => contribution.problems ?? []),
  ];
  return { plan, problems };
}

/** Events that the project's code declares under a name of Treadle's own. */
const findDeclaredTwice = ({ events }: Draft, own: readonly EventFacts[]): Problem[] =>
  events
    .filter(({ name }) => own.some((other) => other.name === name))
    .map(({ name, place }) => ({
      code: 'EVENT_DECLARED_TWICE',
      ...toPlace(place),
      message: `app.event('${name}') has the name of an event of Treadle.`,
      hint: 'Listen to that with app.on or app.after, or choose another name.',
    }));

/** Each table once: features may share one, such as that of the queue. */
const listTables = (tables: readonly SystemTable[]): SystemTable[] => [
  ...new Map(tables.map((table) => [table.name, table])).values(),
];

/**
 * Slugs of the scopes that open a hand-written call: the one that it names, and those that list its name in
 * their file.
 */
function listScopes({ name, scopes }: CallModel, model: Model): readonly string[] {
  const listing = [...model.scopes.values()].filter(({ calls }) => calls.includes(name)).map(({ slug }) => slug);
  return [...new Set([...scopes, ...listing])];
}

/** The plan with other definitions below the same code: what the API would be with them. Nothing serves it. */
export const withModel = (plan: CompiledPlan, model: Model): CompiledPlan => ({
  ...plan,
  model,
  calls: joinCalls(model, plan.draft),
  hooks: [...model.hooks.values(), ...plan.draft.hooks],
});

function joinCalls(model: Model, draft: Draft): CallPlan[] {
  const defined = [...model.calls.values()].map((call) => ({ ...call, handler: undefined }));
  return [...defined, ...draft.calls.map((call) => ({ ...call, scopes: listScopes(call, model) }))];
}

/** Gives the bus the kind of every route and its limits. */
function describeRoutes(bus: Bus, routes: readonly RouteContribution[], limits: BodyLimits): void {
  bus.setUsualTerms({ kind: 'page', ...limits });
  for (const route of routes) {
    const { method, path, kind = 'page', isOAuth, isTextJson, isStreamed } = route;
    const flags = { ...(isOAuth && { isOAuth }), ...(isTextJson && { isTextJson }), ...(isStreamed && { isStreamed }) };
    const terms = { kind, ...findOwnLimits(route, limits), ...flags };
    bus.describe(method, compilePattern(path), terms);
  }
}

type BodyLimits = Pick<RouteTerms, 'bodyBytes' | 'uploadBytes'>;

/**
 * Limits of a route that accepts files. Forms may be larger than other bodies only if some schema has file
 * fields.
 */
function findLimits({ schemas, settings }: Model): BodyLimits {
  const { bodyBytes, uploadBytes } = settings.server;
  const hasFiles = [...schemas.values()].some((schema) => schema.columns.some(holdsFiles));
  return { bodyBytes, uploadBytes: hasFiles ? Math.max(bodyBytes, uploadBytes) : bodyBytes };
}

/** The project's own pages accept files; a feature's route only if it says so. */
function findOwnLimits({ bodyBytes, takesFiles }: RouteContribution, limits: BodyLimits): BodyLimits {
  if (bodyBytes !== undefined) return { bodyBytes, uploadBytes: bodyBytes };
  return takesFiles ? limits : { ...limits, uploadBytes: limits.bodyBytes };
}
