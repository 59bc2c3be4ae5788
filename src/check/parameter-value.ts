import * as z from 'zod';
import type { Problem } from '../core/errors.ts';
import { findOwn } from '../core/record.ts';
import { toShapeWords } from '../plan/call/shape-words.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { EventFacts } from '../plan/event/facts.ts';

/** What is wrong with the value of a stage key; undefined if it fits, or if the event checks its stage itself. */
function findValueError({ stage, checksStage }: EventFacts, key: string, value: unknown): string | undefined {
  const shape = checksStage ? undefined : findOwn(stage().shape, key);
  if (shape === undefined) return undefined;
  const { error } = z.object({ [key]: shape }).safeParse({ [key]: value }, { error: toShapeWords });
  return error?.issues[0]?.message;
}

/** Warns of fixed parameters of calls that the stage of their event refuses, by its shape: each request would be 422. */
export function findParameterValueProblems({ calls, events, bus }: CompiledPlan): Problem[] {
  return calls.flatMap(({ name, file, handler, definition: { event, parameters = {} } }) => {
    // The project's own code may listen to the event and change its stage. Before activation the bus has no other listeners.
    const isOwn = handler !== undefined || bus.hasListener(event);
    const record = isOwn ? undefined : events.find((each) => each.name === event);
    if (record === undefined) return [];
    return Object.entries(parameters).flatMap(([key, value]): Problem[] => {
      const error = findValueError(record, key, value);
      if (error === undefined) return [];
      const message = `"${event}" refuses the fixed parameter "${key}" of the call "${name}": ${error}.`;
      return [{ code: 'PLAN_PARAMETER_INVALID', file, path: `parameters.${key}`, message, severity: 'warning' }];
    });
  });
}
