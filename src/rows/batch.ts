import { readMessage } from '../core/errors.ts';
import type { FedRow } from '../plan/emit/row-feed.ts';
import { renameKeys, toJsonCell } from './column.ts';
import type { RowStream } from './row.ts';

/** Number of rows that are validated and written together. */
const BATCH_ROWS = 1000;
/** Maximum characters of text in a batch: long rows make smaller batches. */
const BATCH_CHARACTERS = 4_000_000;

export interface BatchOptions {
  readonly map: ReadonlyMap<string, string>;
  /** Keys of raw JSON, if the file is CSV and has them as text; called when the first rows are read. */
  readonly listJson: () => readonly string[];
}

function countCharacters(values: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const value of Object.values(values)) if (typeof value === 'string') count += value.length;
  return count;
}

/** A row with its cells of raw JSON parsed; one that would lose digits is an error of the row. */
function toFed(line: number, values: Record<string, unknown>, jsonKeys: readonly string[]): FedRow {
  for (const name of jsonKeys) {
    if (!Object.hasOwn(values, name)) continue;
    try {
      values[name] = toJsonCell(values[name]);
    } catch (error) {
      return { line, values: undefined, error: `${name}: ${readMessage(error)}.` };
    }
  }
  return { line, values };
}

/** Converts the rows of a file to batches for the import. */
export async function* splitRows(rows: RowStream, options: BatchOptions): AsyncGenerator<FedRow[]> {
  const { map, listJson } = options;
  let jsonKeys: readonly string[] | undefined;
  let batch: FedRow[] = [];
  let characters = 0;
  for await (const part of rows) {
    jsonKeys ??= listJson();
    for (const row of part) {
      if ('message' in row) batch.push({ line: row.line, values: undefined, error: row.message });
      else {
        const fed = toFed(row.line, { ...renameKeys(row.values, map) }, jsonKeys);
        batch.push(fed);
        characters += countCharacters(row.values);
      }
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
