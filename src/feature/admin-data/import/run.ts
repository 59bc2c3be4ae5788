import { TreadleError } from '../../../core/errors.ts';
import { Request } from '../../../core/request/request.ts';
import { type Messages, Response } from '../../../core/request/response.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { type FedRow, RowFeed } from '../../../plan/emit/row-feed.ts';
import type { Context } from '../../../plan/feature.ts';
import { splitRows } from '../../../rows/batch.ts';
import { listExactKeys, listJsonKeys } from '../../../rows/column.ts';
import { readRows } from '../../../rows/read.ts';
import type { RowStream } from '../../../rows/row.ts';
import { readText } from '../../../rows/text.ts';
import { type MappedKey, refuseMany } from './mapping.ts';
import { readContent } from './sql.ts';

export interface ImportTask {
  readonly context: Context;
  readonly schema: SchemaModel;
  readonly fileId: number;
  readonly isCsv: boolean;
  readonly mapping: readonly MappedKey[];
  readonly isTrial: boolean;
  readonly skipsBad: boolean;
  /** Called for each row that is not valid. */
  readonly tellBad: (row: FedRow, messages: Readonly<Messages>) => void;
  /** Called after each batch with the numbers of read rows and bytes. */
  readonly tellProgress?: (rows: number, bytes: number) => void;
}

export interface ImportResult {
  readonly created: number;
  readonly changed: number;
  /** Number of formatted texts that lost tags or attributes. */
  readonly cleaned: number;
  /** Why the whole import failed, besides rows that are not valid. */
  readonly fault: string | undefined;
  /** Keys that were found after the mapping was made, and left out. */
  readonly late: readonly string[];
}

/** Late keys to report. */
const MOST_LATE = 20;

/** The rows with the mapped keys only, under their columns' names: what was not mapped must not be written. */
async function* pickMapped(rows: RowStream, mapping: readonly MappedKey[], late: Set<string>): RowStream {
  const columns = new Map(mapping.map(({ key, column }) => [key, column] as const));
  for await (const part of rows) {
    yield part.map((row) => {
      if ('message' in row) return row;
      const values: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(row.values)) {
        const column = columns.get(key);
        if (column !== undefined && column !== '') values[column] = value;
        else if (column === undefined && late.size < MOST_LATE) late.add(key);
      }
      return { line: row.line, values };
    });
  }
}

/** Imports a file, or checks it, with the rights of the viewer. */
export async function runImport(task: ImportTask): Promise<ImportResult> {
  const { context, schema, mapping, tellProgress } = task;
  const late = new Set<string>();
  const read = { rows: 0, bytes: 0 };
  const text = readText(readContent(context.services.database, task.fileId), (bytes) => {
    read.bytes += bytes;
  });
  const exact = listExactKeys(schema, new Map(mapping.map(({ key, column }) => [key, column] as const)));
  const rows = pickMapped(readRows(text, { format: undefined, guard: refuseMany, exact }), mapping, late);
  async function* batches(): AsyncGenerator<FedRow[]> {
    const listJson = (): readonly string[] => (task.isCsv ? listJsonKeys(schema) : []);
    for await (const batch of splitRows(rows, { map: new Map(), listJson })) {
      yield batch;
      read.rows += batch.length;
      tellProgress?.(read.rows, read.bytes);
    }
  }
  const keys = mapping.map(({ column }) => column).filter((column) => column !== '');
  const feed = new RowFeed({ batches: batches(), refuse: task.tellBad, skipsBad: task.skipsBad, keys });
  const request = new Request().setStage({ schema: schema.name, rows: feed, dry_run: task.isTrial });
  const response = new Response(request);
  const result = { created: 0, changed: 0, cleaned: 0, late: [...late] };
  try {
    await context.emit('system-model-import', request, response);
  } catch (error) {
    if (!(error instanceof TreadleError) || error.code !== 'IMPORT_FILE_BROKEN') throw error;
    return { ...result, fault: error.message };
  }
  const counts = response.getResults() as
    | { readonly new?: number; readonly old?: number; readonly cleaned?: Readonly<Record<string, number>> }
    | undefined;
  return {
    created: counts?.new ?? 0,
    changed: counts?.old ?? 0,
    cleaned: Object.values(counts?.cleaned ?? {}).reduce((sum, count) => sum + count, 0),
    fault: response.isError() ? response.getMessage() : undefined,
    late: [...late],
  };
}
