import * as z from 'zod';
import { isRead } from '../../src/model/hook-event.ts';
import type { EventRecord } from '../../src/plan/feature.ts';

/** An event of a test's own feature, without texts. */
export function toEvent(name: string, listen: EventRecord['listen'], facts: Partial<EventRecord> = {}): EventRecord {
  const kind = isRead(name) ? 'reads' : 'writes';
  return { name, description: '', kind, stage: () => z.object({}), results: () => z.unknown(), listen, ...facts };
}
