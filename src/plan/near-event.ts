import { isNamePattern } from '../core/bus/pattern.ts';
import { suggest } from '../core/text/suggest.ts';
import type { Plan } from './feature.ts';

/** Maximum edits between two events: a project's own `tag-create` is no mistyped `app-create`. */
export const NEAR = 2;
/** A shorter name is near to too many. */
export const LEAST_LETTERS = 6;

/** Events that listeners or hooks know by name, without routes. */
export const listKnownEvents = ({ events, hooks, bus }: Plan): string[] => [
  ...new Set([
    ...events.map(({ name }) => name),
    ...hooks.map(({ definition }) => definition.event),
    ...bus.list().map(({ event }) => event),
  ]),
];

/** A whole name: no pattern, no route. */
export const isEventName = (event: string): boolean => !isNamePattern(event) && !/[ /]/.test(event);

/** The event that a name near it most likely meant, among those with listeners or emitters. */
export function findNearEvent(event: string, plan: Plan): string | undefined {
  if (event.length < LEAST_LETTERS) return undefined;
  return suggest(
    event,
    listKnownEvents(plan).filter((name) => name !== event && isEventName(name)),
    NEAR,
  );
}
