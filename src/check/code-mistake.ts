import type { Problem } from '../core/errors.ts';
import { suggest, toDidYouMean } from '../core/text/suggest.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Plan } from '../plan/feature.ts';
import { findNearEvent, isEventName, LEAST_LETTERS, listKnownEvents, NEAR } from '../plan/near-event.ts';
import { toPlace } from '../plan/place.ts';

/** A name in the project's code, as `project/` finds it. */
export interface CodeName {
  readonly use: 'emit' | 'reroute' | 'schema' | 'text' | 'job';
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const isKnown = (event: string, plan: Plan): boolean =>
  plan.bus.hasListener(event) ||
  plan.events.some(({ name }) => name === event) ||
  plan.hooks.some(({ definition }) => definition.event === event);

function findEmitMistake({ name, file, line, column }: CodeName, plan: Plan): Problem[] {
  if (name.includes(' ') || isKnown(name, plan)) return [];
  const near = findNearEvent(name, plan);
  // All events with this prefix are Treadle's.
  const isOwn = name.startsWith('system-');
  if (near === undefined && !isOwn) return [];
  const own = plan.events.map(({ name }) => name).filter((event) => event.startsWith('system-'));
  const hint = near === undefined ? toDidYouMean(name, own.sort()) : `Did you mean "${near}"?`;
  const message = `Nothing listens to "${name}", which the code emits.`;
  return [{ code: 'PLAN_EVENT_UNHEARD', file, line, column, path: '', message, hint, severity: 'warning' }];
}

function listPaths(plan: CompiledPlan): string[] {
  const own = plan.draft.registered.flatMap(({ event }) => /^[A-Z]+ (\/.*)$/.exec(event)?.[1] ?? []);
  return [...new Set([...own, ...plan.routes.map(({ path }) => path)])];
}

function findRerouteMistake({ name, file, line, column }: CodeName, plan: CompiledPlan): Problem[] {
  if (plan.bus.hasListener(name)) return [];
  const [method = '', path = ''] = name.split(' ');
  const isThere = plan.routes.some(
    (route) => (route.method === method || route.method === 'ALL') && route.path === path,
  );
  if (isThere || path.includes('?')) return [];
  const near = suggest(path, listPaths(plan));
  const hint = near === undefined ? 'See: treadle routes' : `Did you mean "${near}"?`;
  const message = `The code reroutes to ${name}, which no route answers.`;
  return [{ code: 'PLAN_ROUTE_UNKNOWN', file, line, column, path: '', message, hint, severity: 'warning' }];
}

function findSchemaMistake({ name, file, line, column }: CodeName, { model }: Plan): Problem[] {
  if (model.schemas.has(name) || name === '') return [];
  const message = `The code names the schema "${name}", which does not exist.`;
  const hint = toDidYouMean(name, model.schemas.keys());
  return [{ code: 'PLAN_SCHEMA_UNKNOWN', file, line, column, path: '', message, hint, severity: 'warning' }];
}

function findJobMistake({ name, file, line, column }: CodeName, { jobs }: Plan): Problem[] {
  const names = jobs.map((job) => job.name);
  if (names.includes(name)) return [];
  const message = `The code queues the job "${name}", which has no handler: it waits until one is added.`;
  const near = suggest(name, names);
  const hint = near === undefined ? `Add app.job('${name}', …).` : `Did you mean "${near}"?`;
  // Another release, or another process, may have the handler.
  const severity = near === undefined ? ('advice' as const) : ('warning' as const);
  return [{ code: 'PLAN_JOB_UNKNOWN', file, line, column, path: '', message, hint, severity }];
}

const FINDERS = {
  emit: findEmitMistake,
  reroute: findRerouteMistake,
  schema: findSchemaMistake,
  text: () => [],
  job: findJobMistake,
} as const;

/** Routes with the name of an event instead of a listener, if the event has no listeners: they answer 404. */
function findUnhandledRoutes(plan: CompiledPlan): Problem[] {
  return plan.draft.registered.flatMap((entry): Problem[] => {
    if (!entry.isNamed || isKnown(entry.name, plan)) return [];
    const message = `${entry.event} emits "${entry.name}", which nothing listens to.`;
    const hint = toDidYouMean(entry.name, listKnownEvents(plan).filter(isEventName).sort());
    return [{ code: 'PLAN_EVENT_UNHEARD', ...toPlace(entry.place), message, hint, severity: 'warning' }];
  });
}

/** Listeners to a name that differs by a letter or two from an event of Treadle: nothing emits it. */
function findIdleListeners(plan: CompiledPlan, names: readonly CodeName[]): Problem[] {
  const emitted = new Set([
    ...names.map(({ name }) => name),
    ...plan.events.map(({ name }) => name),
    ...plan.calls.map(({ definition }) => definition.event),
    ...plan.draft.registered.flatMap(({ isNamed, name }) => (isNamed ? [name] : [])),
  ]);
  const own = plan.events.map(({ name }) => name);
  return plan.draft.registered.flatMap((entry): Problem[] => {
    const { event } = entry;
    if (!isEventName(event) || emitted.has(event) || event.length < LEAST_LETTERS) return [];
    const near = suggest(event, own, NEAR);
    if (near === undefined) return [];
    const message = `Nothing emits "${event}", which the code listens to.`;
    const hint = `Did you mean "${near}"?`;
    return [{ code: 'PLAN_LISTENER_IDLE', ...toPlace(entry.place), message, hint, severity: 'warning' }];
  });
}

/** Warnings on names in the project's code without a listener, route or definition. */
export function findCodeMistakes(plan: CompiledPlan, names: readonly CodeName[]): Problem[] {
  return [
    ...names.flatMap((name) => FINDERS[name.use](name, plan)),
    ...findUnhandledRoutes(plan),
    ...findIdleListeners(plan, names),
  ];
}
