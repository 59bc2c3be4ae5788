import { isNamePattern } from '../core/bus/pattern.ts';
import type { Problem } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import { findNearEvent } from '../plan/near-event.ts';

interface EventReference {
  readonly file: string;
  readonly event: string;
  /** For messages, such as `call "user-profile-detail"`. */
  readonly what: string;
  readonly isCall: boolean;
  /** True for a hand-written hook: it fires on what the project's code emits, so the event needs no listener. */
  readonly isOwn?: boolean;
}

function listNamed({ calls, hooks, draft }: CompiledPlan): EventReference[] {
  return [
    ...calls
      .filter(({ handler }) => handler === undefined)
      .map(({ file, name, definition }) => ({ file, event: definition.event, what: `call "${name}"`, isCall: true })),
    ...hooks
      .filter(({ definition }) => !isNamePattern(definition.event))
      .map((hook) => {
        const { file, name, definition } = hook;
        const isOwn = draft.hooks.includes(hook);
        return { file, event: definition.event, what: `web hook "${name}"`, isCall: false, isOwn };
      }),
  ];
}

/** Advice on hooks with a pattern that fits only events that read, which patterns never match. */
const findIdlePatterns = ({ hooks }: CompiledPlan): Problem[] =>
  hooks
    .filter(({ definition: { event } }) => isNamePattern(event) && isRead(event))
    .map(({ file, name, definition: { event } }) => ({
      code: 'PLAN_EVENT_UNHEARD',
      file,
      path: 'event',
      message: `Nothing fires the web hook "${name}": a pattern matches no events that only read, and "${event}" matches no other.`,
      hint: 'Write the full name of the event, such as "system-model-search".',
      severity: 'advice',
    }));

/** Events of Treadle, and its routes as `METHOD /path`. */
const listOwn = (plan: CompiledPlan): Set<string> =>
  new Set([...plan.events.map(({ name }) => name), ...plan.routes.map(({ method, path }) => `${method} ${path}`)]);

const suggestEvent = (event: string, own: ReadonlySet<string>): string =>
  toDidYouMean(event, [...own].filter((name) => !name.includes(' ')).sort());

/** Why a call or a hook with the event would never do anything; undefined if it may. The rule of {@link findMissingListeners}. */
export function findEventError(event: string, kind: 'rest' | 'webhook', plan: CompiledPlan): string | undefined {
  const own = listOwn(plan);
  const isOpen = kind === 'webhook' && (isNamePattern(event) || findNearEvent(event, plan) === undefined);
  if (isOpen || own.has(event) || plan.bus.hasListener(event)) return undefined;
  return `Nothing listens to "${event}". ${suggestEvent(event, own)}`;
}

/**
 * Calls and hooks with an event that has no listener: the call can only fail, the hook never fires. No error, so that a
 * definition can be saved before its listener is written; advice on a hook, because code may emit what it reports.
 */
export function findMissingListeners(plan: CompiledPlan): Problem[] {
  const own = listOwn(plan);
  const unhandled = listNamed(plan)
    .filter(({ event }) => !own.has(event) && !plan.bus.hasListener(event))
    .filter(({ event, isOwn }) => !isOwn || findNearEvent(event, plan) !== undefined)
    .map(({ file, event, what, isCall }) => ({
      code: 'PLAN_EVENT_UNHEARD',
      file,
      path: 'event',
      message: `Nothing listens to "${event}", the event of the ${what}.`,
      hint: suggestEvent(event, own),
      severity: isCall || findNearEvent(event, plan) !== undefined ? ('warning' as const) : ('advice' as const),
    }));
  return [...unhandled, ...findIdlePatterns(plan)];
}
