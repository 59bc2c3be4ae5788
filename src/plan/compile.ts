import type { Problem } from '../core/errors.ts';
import { compilePattern, type Pattern, toFixedPath } from '../core/pattern.ts';
import { RouteIndex } from '../core/route-index.ts';
import type { SystemTable } from '../database/database.ts';
import type { OwnStep } from '../database/own-step.ts';
import { holdsFiles } from '../model/field-kind.ts';
import type { Model } from '../model/model.ts';
import { findBasePathProblems } from './base-path-problems.ts';
import type { Draft } from './draft.ts';
import type {
  CallPlan,
  Contribution,
  Doorway,
  Facts,
  Feature,
  Plan,
  RenderError,
  RenderMail,
  RouteContribution,
} from './feature.ts';
import { findFollowerProblems } from './follower-problems.ts';
import { findOwnCallProblems, listScopes } from './handwritten-call.ts';
import { findIdleHooks } from './idle-hooks.ts';
import type { Languages } from './languages.ts';
import { findMissingListeners } from './missing-listeners.ts';
import { findParameterProblems } from './parameter-problems.ts';

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
    hooks: [...model.hooks.values(), ...draft.hooks],
    jobs: draft.jobs,
    isDevelopment,
  };
  const contributions = options.features.map((feature) => feature.contribute(facts));
  const routes = contributions.flatMap(({ routes = [] }) => routes);
  const plan: CompiledPlan = {
    ...facts,
    bus: draft.bus,
    events: contributions.flatMap(({ events = [] }) => events),
    routes,
    tables: listTables([...(options.tables ?? []), ...contributions.flatMap(({ tables = [] }) => tables)]),
    renderMail: options.renderMail ?? (() => undefined),
    renderError: options.renderError ?? (() => undefined),
    languages: options.languages,
    findDoor: compileDoors(routes, toLimits(model)),
    contributions,
    draft,
    steps: options.steps ?? [],
  };
  const problems = [
    ...draft.problems,
    ...contributions.flatMap((contribution) => contribution.problems ?? []),
    ...findCallConflicts(facts),
    ...findOwnCallProblems(facts),
    ...findMissingListeners(plan),
    ...findIdleHooks(plan),
    ...findParameterProblems(plan),
    ...findFollowerProblems(plan),
    ...findBasePathProblems(plan),
  ];
  return { plan, problems };
}

/** Each table once: features may share one, such as that of the queue. */
const listTables = (tables: readonly SystemTable[]): SystemTable[] => [
  ...new Map(tables.map((table) => [table.name, table])).values(),
];

function joinCalls(model: Model, draft: Draft): CallPlan[] {
  const defined = [...model.calls.values()].map((call) => ({ ...call, handler: undefined }));
  return [...defined, ...draft.calls.map((call) => ({ ...call, scopes: listScopes(call, model) }))];
}

function findCallConflicts(facts: Facts): Problem[] {
  const seen = new Map<string, CallPlan>();
  const problems: Problem[] = [];
  for (const call of facts.calls) {
    const shape = call.path.replace(/:[A-Za-z_][A-Za-z0-9_]*/g, ':').toLowerCase();
    for (const method of call.definition.method === 'all'
      ? ['get', 'post', 'put', 'patch', 'delete']
      : [call.definition.method]) {
      const other = seen.get(`${method} ${shape}`);
      if (other && other !== call && call.handler) {
        problems.push({
          code: 'REST_CALL_TWICE',
          file: call.file,
          path: '',
          message: `The hand-written call ${method.toUpperCase()} ${call.path} has the same method and path as "${other.name}".`,
          hint: 'Change one of the two paths.',
        });
        break;
      }
      seen.set(`${method} ${shape}`, call);
    }
  }
  return problems;
}

interface DoorEntry {
  readonly method: string;
  readonly pattern: Pattern;
  readonly found: Doorway;
  readonly order: number;
}

type BodyLimits = Pick<Doorway, 'bodyBytes' | 'uploadBytes'>;

/**
 * Limits of a route that accepts files. Forms may be larger than other bodies only if some schema has file
 * fields.
 */
function toLimits({ schemas, settings }: Model): BodyLimits {
  const { bodyBytes, uploadBytes } = settings.server;
  const hasFiles = [...schemas.values()].some((schema) => schema.columns.some(holdsFiles));
  return { bodyBytes, uploadBytes: hasFiles ? Math.max(bodyBytes, uploadBytes) : bodyBytes };
}

/** The project's own pages accept files; a feature's route only if it says so. */
function toOwnLimits({ bodyBytes, takesFiles }: RouteContribution, limits: BodyLimits): BodyLimits {
  if (bodyBytes !== undefined) return { bodyBytes, uploadBytes: bodyBytes };
  return takesFiles ? limits : { ...limits, uploadBytes: limits.bodyBytes };
}

/** Finds a route's door: of the routes that match a path, that of the most specific one. */
function compileDoors(routes: readonly RouteContribution[], limits: BodyLimits): Plan['findDoor'] {
  const index = new RouteIndex<DoorEntry>();
  for (const [order, route] of routes.entries()) {
    const pattern = compilePattern(route.path);
    const { door = 'page', isOAuth } = route;
    const found = { door, ...toOwnLimits(route, limits), ...(isOAuth ? { isOAuth } : {}) };
    index.add(pattern, { method: route.method, pattern, found, order });
  }
  const usual: Doorway = { door: 'page', ...limits };
  const find: Plan['findDoor'] = (method, path) => {
    const fixed = toFixedPath(path);
    const asked = method === 'HEAD' ? 'GET' : method;
    let any: DoorEntry | undefined;
    let exact: DoorEntry | undefined;
    for (const entry of index.find(path)) {
      const { pattern } = entry;
      if (!(pattern.fixed === undefined ? pattern.matches(path) : pattern.fixed === fixed)) continue;
      if (any === undefined || compareDoors(entry, any) < 0) any = entry;
      if (entry.method !== asked && entry.method !== 'ALL') continue;
      if (exact === undefined || compareDoors(entry, exact) < 0) exact = entry;
    }
    if (exact) return exact.found;
    // If no feature route has this method and path, the route is the project's own.
    return any ? { ...any.found, ...limits } : usual;
  };
  return find;
}

/** The more specific route first; of equal ones the first. */
function compareDoors(a: DoorEntry, b: DoorEntry): number {
  if (a.pattern.weight !== b.pattern.weight) return a.pattern.weight < b.pattern.weight ? 1 : -1;
  return a.order - b.order;
}
