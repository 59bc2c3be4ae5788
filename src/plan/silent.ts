import type { Problem } from '../core/errors.ts';
import { isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from './compile.ts';
import type { EventContribution } from './feature.ts';

/** The events nearest by name that a hook may take instead: those that begin with the most of its words. */
function listInstead(event: string, events: readonly EventContribution[]): string[] {
  const names = events
    .filter(({ commits, event }) => commits !== 'nothing' && !isRead(event))
    .map(({ event }) => event);
  const words = event.split('-');
  for (let kept = words.length - 1; kept > 0; kept -= 1) {
    const start = `${words.slice(0, kept).join('-')}-`;
    const near = names.filter((name) => name.startsWith(start)).sort();
    if (near.length > 0) return near;
  }
  return [];
}

/**
 * Advice on hooks whose event, named in full, reports nothing that happened: such a hook never fires. No error, since a
 * project that has one serves all the same.
 */
export function findSilent({ hooks, events }: CompiledPlan): Problem[] {
  const silent = new Set(events.filter(({ commits }) => commits === 'nothing').map(({ event }) => event));
  return hooks
    .filter(({ definition }) => silent.has(definition.event))
    .map(({ file, name, definition: { event } }) => {
      const instead = listInstead(event, events);
      const hint = instead.length === 0 ? 'Take it away, or name an event' : 'Name an event';
      return {
        code: 'PLAN_EVENT_SILENT',
        file,
        path: 'event',
        message: `The web hook "${name}" never fires: its event "${event}" reports nothing that happened.`,
        hint: `${hint} that changes something${instead.length === 0 ? '' : `: ${instead.join(', ')}`}.`,
        severity: 'advice',
      };
    });
}
