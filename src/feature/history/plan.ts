import type { Contribution } from '../../plan/feature.ts';
import { createFileRecorder, definitionFileTable } from './definition-file.ts';
import { entries } from './entries.ts';
import { historyDefinition, historyDefinitionExpect } from './events/history-definition.ts';
import { historyDetail } from './events/history-detail.ts';
import { historyModelVersions } from './events/history-model-versions.ts';
import { historyRevert } from './events/history-revert.ts';
import { listHistoryFigures } from './figures.ts';
import { createRecorder } from './recorder.ts';
import { historyTable } from './sql.ts';
import { createTidier } from './tidier.ts';

/** Contributes the history: its tables, what records changes of rows and files, its events, and the job that deletes old entries. */
export function contributeHistory(): Contribution {
  return {
    tables: [historyTable, definitionFileTable],
    ownTables: [entries],
    events: [
      ...entries.events,
      historyDetail,
      historyModelVersions,
      historyRevert,
      historyDefinition,
      historyDefinitionExpect,
    ],
    recorder: createRecorder,
    workers: [createTidier, createFileRecorder],
    figures: [listHistoryFigures],
  };
}
