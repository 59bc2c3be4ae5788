import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { findRecorder, recordChange } from '../../plan/recorder.ts';
import { decodeRow } from '../../store/write/stored-row.ts';

/** Rows of one import that are recorded singly. Beyond that the counts tell, so that a long import takes no longer. */
const MOST_ROWS = 1000;

/** Records an import: its first rows, and at its end one entry with the counts. */
export interface ImportRecord {
  readonly hasRoom: boolean;
  /** Records a written row. Call it in the import's transaction. */
  add(action: 'create' | 'update', id: number, before: Row | undefined, after: Row): void;
  conclude(counts: { readonly created: number; readonly updated: number }): void;
}

/** Undefined if the schema's changes are not recorded. */
export function createImportRecord(context: Context, schema: SchemaModel): ImportRecord | undefined {
  if (!findRecorder(context, schema)) return undefined;
  const state = { rows: 0 };
  return {
    get hasRoom() {
      return state.rows < MOST_ROWS;
    },
    add(action, id, before, after) {
      // A changed row without its values before came when there was no room.
      if (state.rows >= MOST_ROWS || (action === 'update' && before === undefined)) return;
      state.rows += 1;
      const values = { after: decodeRow(schema, after), columns: Object.keys(after) };
      recordChange(context, { action, schema, id, ...values, ...(before && { before: decodeRow(schema, before) }) });
    },
    conclude({ created, updated }) {
      const details = { created, updated, rows: state.rows };
      recordChange(context, { action: 'import', schema, id: undefined, details });
    },
  };
}
