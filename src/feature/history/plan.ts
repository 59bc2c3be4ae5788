import type { Contribution } from '../../plan/feature.ts';
import { createRecorder } from './recorder.ts';
import { historyTable } from './sql.ts';
import { createTidier } from './tidier.ts';

/** Contributes the history: its table, what records changes, its events, and the job that deletes old entries. */
export function contributeHistory(): Contribution {
  return {
    tables: [historyTable],
    recorder: createRecorder,
    workers: [createTidier],
  };
}
