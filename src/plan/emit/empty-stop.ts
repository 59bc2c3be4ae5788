import { EMITTED, type Emitted } from '../../core/bus/bus.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Response } from '../../core/request/response.ts';
import type { CompiledPlan } from '../compile.ts';
import type { Context } from '../feature.ts';

const isCompiled = (plan: Context['plan']): plan is CompiledPlan => 'draft' in plan;

/** `file:line` of the project's listeners of an event. */
function listPlaces({ plan }: Context, event: string): string {
  const events = new Set(plan.bus.find(event).map((entry) => entry.event));
  const registered = isCompiled(plan) ? plan.draft.registered : [];
  const places = registered.flatMap(({ event: name, place }) => (events.has(name) && place ? [place] : []));
  return places.length === 0 ? 'a listener' : `one of: ${places.join(', ')}`;
}

/**
 * Refuses an event that a listener stopped with `false` without saying what came of it: the caller would take nothing for
 * success.
 *
 * @throws EVENT_STOPPED_EMPTY
 */
export function assertAnswered(context: Context, event: string, emitted: Emitted, response: Response): void {
  if (emitted !== EMITTED.incomplete || response.isError() || response.hasResults() || response.isAnswered()) return;
  if (response.getStatus() !== 200) return;
  const message = `"${event}" was stopped with neither results nor an error, by ${listPlaces(context, event)}.`;
  throw new TreadleError('EVENT_STOPPED_EMPTY', message, {
    hint: "A listener that returns false also calls response.setError(true, '…') or response.setResults(…).",
  });
}
