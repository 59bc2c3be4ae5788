import type { Problem } from '../core/errors.ts';
import { isNamePattern } from '../core/pattern.ts';
import { toDidYouMean } from '../core/suggest.ts';
import { isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from './compile.ts';

interface Named {
  readonly file: string;
  readonly event: string;
  /** Such as `call "user-profile-detail"`. */
  readonly what: string;
}

function listNamed({ calls, hooks }: CompiledPlan): Named[] {
  return [
    ...calls
      .filter(({ handler }) => handler === undefined)
      .map(({ file, name, definition }) => ({ file, event: definition.event, what: `call "${name}"` })),
    ...hooks
      .filter(({ definition }) => !isNamePattern(definition.event))
      .map(({ file, name, definition }) => ({ file, event: definition.event, what: `web hook "${name}"` })),
  ];
}

/** Advice on hooks whose pattern can only fit what reads, which patterns leave out: its end says so. */
const findIdle = ({ hooks }: CompiledPlan): Problem[] =>
  hooks
    .filter(({ definition: { event } }) => isNamePattern(event) && isRead(event))
    .map(({ file, name, definition: { event } }) => ({
      code: 'PLAN_EVENT_UNHEARD',
      file,
      path: 'event',
      message: `Nothing fires the web hook "${name}": a pattern leaves out events that only read, and "${event}" fits no other.`,
      hint: 'Write the name of the event in full, such as "system-model-search".',
      severity: 'advice',
    }));

/**
 * Advice on calls and hooks whose event nobody hears: such a call can only fail, such a hook never fires. No more than
 * advice, so that a definition may be saved before the listener is written.
 */
export function findUnheard(plan: CompiledPlan): Problem[] {
  const own = new Set([
    ...plan.events.map(({ event }) => event),
    ...plan.routes.map(({ method, path }) => `${method} ${path}`),
  ]);
  const unheard = listNamed(plan)
    .filter(({ event }) => !own.has(event) && !plan.bus.hears(event))
    .map(({ file, event, what }) => ({
      code: 'PLAN_EVENT_UNHEARD',
      file,
      path: 'event',
      message: `Nothing listens to "${event}", the event of the ${what}.`,
      hint: toDidYouMean(event, [...own].filter((name) => !name.includes(' ')).sort()),
      severity: 'advice' as const,
    }));
  return [...unheard, ...findIdle(plan)];
}
