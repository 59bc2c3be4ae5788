import { asSystem } from '../core/access.ts';
import { EMITTED, type Emitted, type Listener } from '../core/bus.ts';
import { isNamePattern } from '../core/pattern.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import { compileHookEvent } from '../model/hook-event.ts';
import { findNearEvent } from './code-mistakes.ts';
import type { CompiledPlan } from './compile.ts';
import type { AnswerListener, CommitListener, Context, Services } from './feature.ts';
import { createGateFinder } from './gates.ts';

/** Maximum unheard events that are remembered: code may emit names that a client chose. */
const MOST_TOLD = 100;

/**
 * Binds a compiled plan to the running services: adds the built-in listeners (always last), then freezes the
 * bus. Once per plan.
 */
export function activatePlan(plan: CompiledPlan, services: Services): Context {
  const commits: CommitListener[] = [];
  const answers: AnswerListener[] = [];
  const finder = { find: createGateFinder([]) };
  const hooked = compileHooked(plan);
  const selfCommitting = new Set(plan.events.filter((event) => event.commits === 'self').map(({ event }) => event));
  const context: Context = {
    plan,
    services,
    async committing(event, request, response) {
      for (const listener of commits)
        if (listener.hears(event, request)) await listener.commit(event, request, response);
    },
    isHeard: (event, request) => commits.some((listener) => listener.hears(event, request)),
    findGate: (path) => finder.find(path),
    answered(request, status) {
      for (const answer of answers) answer(request, status);
    },
    emit(event, request, response) {
      const unit = currentScope.getStore()?.unit;
      const emitted =
        unit === undefined && !hooked(event)
          ? plan.bus.emit(event, request, response)
          : emitWatched(event, request, response);
      return plan.bus.hears(event) ? emitted : tellUnheard(event, emitted);
    },
  };
  const told = new Set<string>();
  /** Logs an event that nothing hears once, if it is most likely a mistyped one. */
  const tellUnheard = (event: string, emitted: Promise<Emitted>): Promise<Emitted> => {
    if (told.size >= MOST_TOLD || told.has(event) || event.includes(' ')) return emitted;
    told.add(event);
    const near = findNearEvent(event, plan);
    const message = `Nothing listens to "${event}". Did you mean "${near}"?`;
    if (near !== undefined) services.log.warn('an event is not heard', { name: event.slice(0, 64), message });
    return emitted;
  };
  const emitWatched: Context['emit'] = async (event, request, response) => {
    const faults = response.faults;
    const wraps = hooked(event) && !selfCommitting.has(event);
    const emitted = wraps
      ? await emitInTransaction(context, event, request, response)
      : await plan.bus.emit(event, request, response);
    const unit = currentScope.getStore()?.unit;
    if (unit && response.faults !== faults) unit.isFailed = true;
    return emitted;
  };
  plan.draft.activate(context);
  for (const contribution of plan.contributions) {
    for (const make of contribution.commits ?? []) commits.push(make(context));
    for (const make of contribution.answers ?? []) answers.push(make(context));
    for (const { event, listen, priority } of contribution.events ?? [])
      plan.bus.on(event, named(listen(context), event), priority, true);
    for (const { method, path, listen, isFirst = false } of contribution.routes ?? []) {
      const listener = named(listen(context), `${method} ${path}`);
      plan.bus.on(`${method} ${path}`, listener, isFirst ? Number.POSITIVE_INFINITY : 0, !isFirst);
    }
  }
  finder.find = createGateFinder(plan.contributions.flatMap(({ gates = [] }) => gates.map((make) => make(context))));
  plan.bus.freeze();
  return context;
}

/**
 * Tells whether a web hook listens to an event, by name or by pattern. Patterns never match events that only
 * read, so these need no transaction.
 */
function compileHooked({ hooks, events: known }: CompiledPlan): (event: string) => boolean {
  const events = hooks.map(({ definition }) => definition.event);
  const silent = new Set(known.filter(({ commits }) => commits === 'nothing').map(({ event }) => event));
  const names = new Set(events.filter((event) => !silent.has(event)));
  const patterns = events.filter(isNamePattern).map(compileHookEvent);
  return (event) =>
    names.has(event) || (patterns.length > 0 && !silent.has(event) && patterns.some((isFit) => isFit(event)));
}

/** Names a built-in listener after its event, for readable stack traces. */
function named(listener: Listener, name: string): Listener {
  if (listener.name === '' || listener.name === 'listen') Object.defineProperty(listener, 'name', { value: name });
  return listener;
}

/**
 * Emits an event that a hook listens to and that does not commit by itself, in one transaction with the
 * hook's row.
 */
async function emitInTransaction(
  context: Context,
  event: string,
  request: Request,
  response: Response,
): ReturnType<Context['emit']> {
  const faults = response.faults;
  return context.services.database.transaction(async () => {
    const emitted = await context.plan.bus.emit(event, request, response);
    if (emitted === EMITTED.complete && response.faults === faults) await context.committing(event, request, response);
    return emitted;
  });
}

/** Each seed writes only what differs, so a start without changes does not wait for the disk. */
export async function runSeeds(plan: CompiledPlan, context: Context): Promise<void> {
  const seeds = plan.contributions.flatMap(({ seeds: own = [] }) => own);
  await asSystem(() => Promise.all(seeds.map((seed) => seed(context))));
}
