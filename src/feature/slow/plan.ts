import type { Contribution } from '../../plan/feature.ts';
import { slowRemove } from './events/slow-remove.ts';
import { slowSearch } from './events/slow-search.ts';
import { slowTable } from './sql.ts';
import { createSlowWatch } from './watch.ts';

/** Contributes the table of slow searches, their events, and what watches for them. */
export const contributeSlow = (): Contribution => ({
  tables: [slowTable],
  events: [slowSearch, slowRemove],
  workers: [createSlowWatch],
});
