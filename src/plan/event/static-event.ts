import * as z from 'zod';
import { once } from '../../core/memoize.ts';
import type { EventContribution, EventRecord } from '../feature.ts';

/** An event whose stage is described in sentences, as a record. */
export function toEventRecord(event: EventContribution | EventRecord): EventRecord {
  if (typeof event.stage === 'function') return event as EventRecord;
  const { stage, results, ...facts } = event as EventContribution;
  const shape = once(() =>
    z.object(Object.fromEntries(Object.entries(stage).map(([key, text]) => [key, z.unknown().describe(text)]))),
  );
  return { ...facts, stage: shape, results: () => z.unknown().describe(results) };
}
