import { compileNamePattern, compilePattern, isNamePattern, type PatternMatch } from '../../core/bus/pattern.ts';
import { suggest } from '../../core/text/suggest.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { RegisteredListener } from '../../plan/draft.ts';
import type { CallPlan } from '../../plan/feature.ts';

/** A listener, in calling order: the project's own by priority, then Treadle's. */
export interface ListenerFacts {
  readonly event: string;
  readonly by: 'project' | 'treadle';
  readonly name: string;
  readonly place: string | undefined;
  readonly priority: number;
}

export interface RequestMatch {
  /** As requested; HEAD is answered as GET. */
  readonly method: string;
  readonly path: string;
  readonly call: CallPlan | undefined;
  readonly match: PatternMatch;
  /** Matching routes, in calling order. */
  readonly routes: readonly (ListenerFacts & { readonly description: string })[];
  /** Methods that the path supports. */
  readonly methods: readonly string[];
  /** A similar path, if no route matches. */
  readonly near: string | undefined;
}

const ROUTE = /^([A-Z]+) (\/.*)$/;
const NOTHING: PatternMatch = { parameters: {}, variables: [] };
/** Answers any other API path, so it does not count as a route here. */
const CATCH_ALL = '/rest/**';

interface RouteFacts extends ListenerFacts {
  readonly method: string;
  readonly path: string;
  readonly description: string;
}

/** Every route of a project and of Treadle, in no order. */
export function listRoutes(plan: CompiledPlan): RouteFacts[] {
  const project = plan.draft.registered.flatMap(({ event, name, place, priority }): RouteFacts[] => {
    const [, method = '', path = ''] = ROUTE.exec(event) ?? [];
    if (path === '') return [];
    return [{ event, method, path, by: 'project', name, place, priority, description: '' }];
  });
  const own = plan.routes.map(({ method, path, description }): RouteFacts => {
    const call = plan.calls.find((other) => other.path === path && other.definition.method.toUpperCase() === method);
    const place = call?.file;
    return { event: `${method} ${path}`, method, path, by: 'treadle', name: '', place, priority: 0, description };
  });
  return [...project, ...own];
}

/** The order of the bus: the project's before Treadle's, higher priority first, then the more specific path. */
function compare(a: RouteFacts, b: RouteFacts): number {
  if (a.by !== b.by) return a.by === 'project' ? -1 : 1;
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [left, right] = [compilePattern(a.path).weight, compilePattern(b.path).weight];
  return left === right ? 0 : left < right ? 1 : -1;
}

/** The routes of a method and path. */
export function findRoute(plan: CompiledPlan, input: string, path: string): RequestMatch {
  const method = input === 'HEAD' ? 'GET' : input;
  const candidates = listRoutes(plan).filter((entry) => entry.path !== CATCH_ALL);
  const there = candidates.filter((entry) => compilePattern(entry.path).match(path) !== undefined);
  const routes = there.filter((entry) => entry.method === method || entry.method === 'ALL').sort(compare);
  const winner = routes.find(({ by }) => by === 'treadle');
  const call = plan.calls.find(
    (other) => winner?.path === other.path && winner.method === other.definition.method.toUpperCase(),
  );
  const source = (winner ?? routes[0])?.path;
  const methods = [...new Set(there.map((entry) => entry.method))].sort();
  return {
    method,
    path,
    call,
    match: (source === undefined ? undefined : compilePattern(source).match(path)) ?? NOTHING,
    routes,
    methods,
    near: there.length > 0 ? undefined : suggest(path, new Set(candidates.map((entry) => entry.path))),
  };
}

function isHearing({ event }: RegisteredListener, name: string): boolean {
  if (event === name) return true;
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/.exec(event) ?? [];
  if (source !== undefined) return new RegExp(source, (flags ?? '').replace(/[gy]/g, '')).test(name);
  return isNamePattern(event) && compileNamePattern(event).test(name);
}

/** The listeners of an event. */
export function listListeners(plan: CompiledPlan, event: string): ListenerFacts[] {
  const project = plan.draft.registered
    .filter((entry) => isHearing(entry, event))
    .map(({ event: heard, name, place, priority }) => ({ event: heard, by: 'project' as const, name, place, priority }))
    .sort((a, b) => b.priority - a.priority);
  const own = plan.events
    .filter(({ name, declared }) => name === event && declared === undefined)
    .map(({ description }) => ({
      event,
      by: 'treadle' as const,
      name: description,
      place: undefined,
      priority: 0,
    }));
  return [...project, ...own];
}
