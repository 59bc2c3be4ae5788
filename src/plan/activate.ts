import { createGateFinder } from '../access/guard.ts';
import { asSystem } from '../core/access.ts';
import type { Emitted } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import { once } from '../core/memoize.ts';
import { Memory } from '../core/memory.ts';
import { isObject, toObject } from '../core/record.ts';
import type { AnswerListener } from '../core/request/answered-request.ts';
import type { Request } from '../core/request/request.ts';
import { noteOthers } from '../core/text/rule-note.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { isBlank } from '../model/json/json-value.ts';
import type { CompiledPlan } from './compile.ts';
import { createCommitted } from './emit/committed.ts';
import { findWaitingWork } from './emit/deferred-work.ts';
import { compileHooked, createEmit, createWrite } from './emit/emit.ts';
import { follow } from './emit/follow.ts';
import { createWorkWatch } from './emit/work-watch.ts';
import { listStageKeys } from './event/describe.ts';
import type { CommitListener, Context, EventRecord, Services } from './feature.ts';
import { findNearEvent } from './near-event.ts';
import type { ChangeRecorder } from './recorder.ts';

/** Most unknown parameters that an answer names. */
const MOST_NAMED = 20;

/**
 * Whether a stage key is up to the check: the query of a page may have any, such as `utm_source`, but that of a call may not.
 * What the call's path or Treadle itself adds is known.
 */
const isChecked = (request: Request, key: string): boolean => {
  const { callFacts } = request;
  if (callFacts === undefined) return !request.isBrought(key);
  if (callFacts.isUser && key === 'profile_id') return false;
  return request.getParameters(key) === undefined;
};

/** The names of what a stage gives: `q`, or `filter[auth_active]` where the event declares names within `filter`. */
function listGiven(request: Request, declared: readonly string[]): string[] {
  return Object.entries(toObject(request.getStage())).flatMap(([key, value]) => {
    if (isBlank(value) || !isChecked(request, key)) return [];
    const isNested = isObject(value) && declared.some((name) => name.startsWith(`${key}[`));
    return isNested ? Object.keys(value).map((within) => `${key}[${within}]`) : [key];
  });
}

/**
 * Refuses a search with a parameter that its event does not declare: to leave it out would answer more rows than were requested.
 */
function refuseUndeclared(event: EventRecord, listener: Listener): Listener {
  const list = once(() => listStageKeys(event));
  return (request, response, meta) => {
    const declared = list();
    const unknown = listGiven(request, declared).filter((name) => !declared.includes(name));
    const [first] = unknown;
    if (first === undefined) return listener(request, response, meta);
    const describe = (name: string): string => {
      const remedy = declared.length === 0 ? 'It takes none.' : toDidYouMean(name, declared);
      return `"${name.slice(0, 64)}" is not a parameter of ${event.name}. ${remedy}`;
    };
    const validation = Object.fromEntries(unknown.slice(0, MOST_NAMED).map((name) => [name, describe(name)]));
    noteOthers(validation, () => ({ rule: 'unknown' }));
    return response.refuse({ status: 400, code: 'PARAMETER_UNKNOWN', message: describe(first), validation });
  };
}

/** Maximum cached events without listeners: code may emit names that a client chose. */
const MOST_TOLD = 100;

/**
 * Binds a compiled plan to the running services: adds the built-in listeners (always last), then freezes the
 * bus. Once per plan.
 */
export function activatePlan(plan: CompiledPlan, services: Services): Context {
  const commits: CommitListener[] = [];
  const answers: AnswerListener[] = [];
  const finder = { find: createGateFinder([]) };
  const recording: { by: ChangeRecorder | undefined } = { by: undefined };
  const hooked = compileHooked(plan);
  const { followers } = plan.bus;
  const watching = createWorkWatch(plan, services);
  const context: Context = {
    plan,
    services,
    memory: new Memory(),
    watching,
    async committing(event, request, response) {
      const changes = await follow(followers.find(event, request), { event, request, response }, watching);
      for (const listener of commits)
        if (listener.handles(event, request)) await listener.commit(event, request, response);
      await findWaitingWork(request)?.store(services.database);
      return changes;
    },
    write: createWrite(plan, services),
    get recorder() {
      return recording.by;
    },
    hasListener: (event, request) =>
      followers.find(event, request).length > 0 ||
      commits.some((listener) => listener.handles(event, request)) ||
      findWaitingWork(request) !== undefined,
    findGate: (path) => finder.find(path),
    answered(request, answered) {
      for (const answer of answers) answer(request, answered);
    },
    emit(event, request, response) {
      const emitted = emit(event, request, response);
      return plan.bus.hasListener(event) || hooked.names(event) ? emitted : warnUnhandled(event, emitted);
    },
  };
  const told = new Set<string>();
  /** Logs an event without listeners once, if it is most likely a mistyped one. */
  const warnUnhandled = (event: string, emitted: Promise<Emitted>): Promise<Emitted> => {
    if (told.size >= MOST_TOLD || told.has(event) || event.includes(' ')) return emitted;
    told.add(event);
    const near = findNearEvent(event, plan);
    const message = `Nothing listens to "${event}". Did you mean "${near}"?`;
    if (near !== undefined) services.log.warn('an event is not heard', { name: event.slice(0, 64), message });
    return emitted;
  };
  const emit = createEmit(context, hooked);
  plan.draft.activate(context);
  for (const event of plan.contributions.flatMap(({ events = [] }) => events))
    plan.bus.on(event.name, named(createListener(event, context), event.name), event.priority, true);
  for (const contribution of plan.contributions) {
    recording.by ??= contribution.recorder?.(context);
    for (const make of contribution.commits ?? []) commits.push(make(context));
    for (const make of contribution.answers ?? []) answers.push(make(context));
    for (const { method, path, listen, isFirst = false } of contribution.routes ?? []) {
      const listener = named(listen(context), `${method} ${path}`);
      plan.bus.on(`${method} ${path}`, listener, isFirst ? Number.POSITIVE_INFINITY : 0, !isFirst);
    }
  }
  commits.push(createCommitted(context, plan.draft));
  finder.find = createGateFinder(plan.contributions.flatMap(({ gates = [] }) => gates.map((make) => make(context))));
  plan.bus.freeze();
  return context;
}

function createListener(event: EventRecord, context: Context): Listener {
  const listener = event.listen(context);
  const isOpen = event.checksStage === true || !event.name.endsWith('-search');
  return isOpen ? listener : refuseUndeclared(event, listener);
}

/** Names a built-in listener after its event, for readable stack traces. */
function named(listener: Listener, name: string): Listener {
  if (listener.name === '' || listener.name === 'listen') Object.defineProperty(listener, 'name', { value: name });
  return listener;
}

/** Each seed writes only what differs, so a start without changes does not wait for the disk. */
export async function runSeeds(plan: CompiledPlan, context: Context): Promise<void> {
  const seeds = plan.contributions.flatMap(({ seeds: own = [] }) => own);
  await asSystem(async () => {
    // One after the other: together, each would open a connection of its own for one short query.
    for (const seed of seeds) await seed(context);
  });
}
