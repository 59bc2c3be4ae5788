import { EMITTED } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import { isPlain } from '../core/record.ts';
import type { App } from './app.ts';
import { compileCallShape } from './call/call-shape.ts';
import type { Draft, RegisteredListener } from './draft.ts';
import { answering } from './handler/answer.ts';
import { compileHandler, compileListener, isHandler, toSchemas } from './handler/handler.ts';
import type { OnOptions, RouteOptions } from './handler/type.ts';
import {
  createWarning,
  findEventMistake,
  findListenerMistake,
  findRouteMistakes,
  type Mistake,
} from './registration.ts';

/** Adds the routes and listeners of a project's code, and warns of mistakes in the arguments. */
export interface Registrar {
  /** @param given Listeners and names of events, or options and a handler that gets the stage. @throws REST_SHAPE_INVALID */
  addRoutes(method: string, path: string, given: readonly unknown[], priority?: number): void;
  readonly on: App['on'];
  /** Records a listener with its place; returns a function that removes the record. */
  register(
    event: string,
    listener: Listener | string,
    priority: number,
    more?: Pick<RegisteredListener, 'phase' | 'schemas'>,
  ): () => void;
  /** Notes a mistake with the place of the code that is running. */
  warn(mistake: Mistake): void;
}

function createNamed(draft: Draft, listener: string): Listener {
  return async function namedEvent(request, response) {
    return (await draft.context().emit(listener, request, response)) === EMITTED.incomplete ? false : undefined;
  };
}

type EventChoice = string | RegExp | readonly (string | RegExp)[];

/** Whether the code gave options and not a listener. */
const isOptions = (given: unknown): given is RouteOptions & OnOptions => isPlain(given) && !Array.isArray(given);

/** @param place `file:line` of the calling project code. */
export function createRegistrar(draft: Draft, place: () => string | undefined): Registrar {
  const register: Registrar['register'] = (event, listener, priority, more = {}) => {
    const isNamed = typeof listener === 'string';
    const named = { name: isNamed ? listener : listener.name, isNamed };
    const entry = { event, priority, ...named, place: place(), ...more };
    draft.registered.push(entry);
    return () => void draft.registered.splice(draft.registered.indexOf(entry), 1);
  };
  const warn = (mistake: Mistake): void => void draft.problems.push(createWarning(mistake, place()));
  const addRoute = (event: string, listener: unknown, priority: number): void => {
    const isNamed = typeof listener === 'string';
    const mistake = isNamed ? undefined : findListenerMistake(event, listener);
    if (mistake) warn(mistake);
    if (!isNamed && !isHandler(listener)) return;
    draft.bus.on(event, isNamed ? createNamed(draft, listener) : answering(listener), priority);
    register(event, listener, priority);
  };
  const addRoutes: Registrar['addRoutes'] = (method, path, given, usual = 0) => {
    draft.checkOpen(`The route ${String(method).toUpperCase()} ${path}`);
    const [first, handler] = given;
    const options: RouteOptions | undefined = isOptions(first) ? first : undefined;
    const { stage, priority = usual } = options ?? {};
    const { mistakes, isLost } = findRouteMistakes({ method, path, priority });
    for (const mistake of mistakes) warn(mistake);
    if (isLost) return;
    const event = `${method.toUpperCase()} ${path}`;
    const shape = stage && compileCallShape(stage, `The stage of ${event}`);
    const compiled = options && isHandler(handler) ? compileHandler(handler, shape, true) : handler;
    for (const listener of options ? [compiled] : given) addRoute(event, listener, Number(priority) || 0);
    const missing = given.length === 0 && findListenerMistake(event, undefined);
    if (missing) warn(missing);
  };
  const listen = (event: EventChoice, given: unknown, priority = 0, schema?: OnOptions['schema']): (() => void) => {
    draft.checkOpen(`A listener for "${String(event)}"`);
    const mistakes = [findEventMistake(event), findListenerMistake(`"${String(event)}"`, given)];
    for (const mistake of mistakes) if (mistake) warn(mistake);
    if (!isHandler(given) || mistakes.some((mistake) => mistake?.code === 'PLAN_LISTENER_INVALID')) return () => {};
    const remove = draft.bus.on(event, given, priority);
    const names: readonly unknown[] = Array.isArray(event) ? event : [event];
    const notes = names.map((name) =>
      register(String(name), given, priority, schema === undefined ? {} : { schemas: [schema].flat() }),
    );
    return () => {
      remove();
      for (const forget of notes.splice(0)) forget();
    };
  };
  return {
    register,
    warn,
    addRoutes,
    on(event: EventChoice, first: Listener | OnOptions, second?: unknown): () => void {
      if (!isOptions(first)) return listen(event, first, Number(second ?? 0));
      const { schema, priority } = first;
      return listen(event, isHandler(second) ? compileListener(second, toSchemas(schema)) : second, priority, schema);
    },
  };
}
