import { EMITTED } from '../core/bus/bus.ts';
import type { Listener } from '../core/bus/followers.ts';
import type { App } from './app.ts';
import type { Draft, Phase } from './draft.ts';
import {
  createWarning,
  findEventMistake,
  findListenerMistake,
  findRouteMistakes,
  type Mistake,
} from './registration.ts';

/** Adds the routes and listeners of a project's code, and warns of mistakes in the arguments. */
export interface Registrar {
  addRoutes(method: string, path: string, listeners: readonly (Listener | string)[], priority?: number): void;
  readonly on: App['on'];
  /** Records a listener with its place; returns a function that removes the record. */
  register(event: string, listener: Listener | string, priority: number, phase?: Phase): () => void;
  /** Notes a mistake with the place of the code that is running. */
  warn(mistake: Mistake): void;
}

function createListener(draft: Draft, listener: Listener | string): Listener {
  if (typeof listener !== 'string') return listener;
  return async function namedEvent(request, response) {
    return (await draft.context().emit(listener, request, response)) === EMITTED.incomplete ? false : undefined;
  };
}

/** @param place `file:line` of the calling project code. */
export function createRegistrar(draft: Draft, place: () => string | undefined): Registrar {
  const register: Registrar['register'] = (event, listener, priority, phase) => {
    const isNamed = typeof listener === 'string';
    const named = { name: isNamed ? listener : listener.name, isNamed };
    const entry = { event, priority, ...named, place: place(), ...(phase === undefined ? {} : { phase }) };
    draft.registered.push(entry);
    return () => void draft.registered.splice(draft.registered.indexOf(entry), 1);
  };
  const warn = (mistake: Mistake): void => void draft.problems.push(createWarning(mistake, place()));
  const addRoute = (event: string, listener: Listener | string, priority: number): void => {
    const mistake = typeof listener === 'string' ? undefined : findListenerMistake(event, listener);
    if (mistake) {
      warn(mistake);
      return;
    }
    draft.bus.on(event, createListener(draft, listener), priority);
    register(event, listener, priority);
  };
  return {
    register,
    warn,
    addRoutes(method, path, listeners, priority = 0) {
      draft.checkOpen(`The route ${String(method).toUpperCase()} ${path}`);
      const { mistakes, isLost } = findRouteMistakes({ method, path, priority });
      for (const mistake of mistakes) warn(mistake);
      if (isLost) return;
      const event = `${method.toUpperCase()} ${path}`;
      for (const listener of listeners) addRoute(event, listener, Number(priority) || 0);
      const missing = listeners.length === 0 && findListenerMistake(event, undefined);
      if (missing) warn(missing);
    },
    on(event, listener, priority = 0) {
      draft.checkOpen(`A listener for "${String(event)}"`);
      const mistakes = [findEventMistake(event), findListenerMistake(`"${String(event)}"`, listener)];
      for (const mistake of mistakes) if (mistake) warn(mistake);
      if (mistakes.some((mistake) => mistake?.code === 'PLAN_LISTENER_INVALID')) return () => {};
      const remove = draft.bus.on(event, listener, priority);
      const names: readonly unknown[] = Array.isArray(event) ? event : [event];
      const notes = names.map((name) => register(String(name), listener, priority));
      return () => {
        remove();
        for (const forget of notes.splice(0)) forget();
      };
    },
  };
}
