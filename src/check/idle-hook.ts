import type { Problem } from '../core/errors.ts';
import { isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { EventFacts } from '../plan/event/facts.ts';
import { changesData } from '../plan/event/facts.ts';

/** Similar events that a hook could use instead: those that share the most leading words. */
function listInstead(event: string, events: readonly EventFacts[]): string[] {
  const names = events.filter(changesData).map(({ name }) => name);
  const words = event.split('-');
  for (let kept = words.length - 1; kept > 0; kept -= 1) {
    const start = `${words.slice(0, kept).join('-')}-`;
    const near = names.filter((name) => name.startsWith(start)).sort();
    if (near.length > 0) return near;
  }
  return [];
}

/** Advice on hooks on an event that only reads: they fire for every reader, with what was read. */
function findReadHooks({ hooks, events }: CompiledPlan, silent: ReadonlySet<string>): Problem[] {
  const known = new Set(events.map(({ name }) => name));
  return hooks
    .filter(({ definition: { event } }) => known.has(event) && isRead(event) && !silent.has(event))
    .map(({ file, name, definition: { event } }) => {
      const instead = listInstead(event, events);
      return {
        code: 'PLAN_EVENT_READ',
        file,
        path: 'event',
        message: `The web hook "${name}" fires each time that somebody reads: its event "${event}" changes nothing.`,
        hint: `Name an event that changes something${instead.length === 0 ? '' : `: ${instead.join(', ')}`}.`,
        severity: 'advice',
      };
    });
}

/**
 * Advice on hooks that name an event which reports nothing: they never fire. It is no error, because the
 * project works without them.
 */
export function findIdleHooks(plan: CompiledPlan): Problem[] {
  const { hooks, events } = plan;
  const silent = new Set(events.filter(({ kind }) => kind === 'silent' || kind === 'queues').map(({ name }) => name));
  const idle = hooks
    .filter(({ definition }) => silent.has(definition.event))
    .map(({ file, name, definition: { event } }) => {
      const instead = listInstead(event, events);
      const hint = instead.length === 0 ? 'Remove the hook, or name an event' : 'Name an event';
      return {
        code: 'PLAN_EVENT_SILENT',
        file,
        path: 'event',
        message: `The web hook "${name}" never fires: its event "${event}" reports no change.`,
        hint: `${hint} that changes something${instead.length === 0 ? '' : `: ${instead.join(', ')}`}.`,
        severity: 'advice' as const,
      };
    });
  return [...idle, ...findReadHooks(plan, silent)];
}
