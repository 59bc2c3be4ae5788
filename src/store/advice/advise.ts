import type { Database } from '../../database/database.ts';
import type { SearchNote } from '../read/search-note.ts';
import type { ReadPlan } from './plan.ts';
import { findCandidate, isServed } from './propose.ts';
import { type ExplainedRead, explainRead } from './read-plan.ts';
import { tryIndex } from './trial.ts';

/** What was found out about a slow search. */
export interface SearchAdvice {
  readonly plan: ReadPlan | null;
  /** Whether the database would use the proposed index; null if it was not tried, or none is proposed. */
  readonly isTaken: boolean | null;
}

/** Explains a search, and tries the index that it needs on a copy of the statistics. Nothing of it is run. */
export async function adviseSearch(database: Database, read: ExplainedRead, note: SearchNote): Promise<SearchAdvice> {
  const plan = (await explainRead(database, read)) ?? null;
  const candidate = findCandidate(read.schema, note);
  if (candidate === undefined || isServed(read.schema, note, candidate)) return { plan, isTaken: null };
  return { plan, isTaken: (await tryIndex(database, read, candidate)) ?? null };
}
