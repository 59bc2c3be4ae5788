import type { SchemaModel } from '../model/model.ts';
import { DecimalCell, toCsvLine } from './csv.ts';
import type { Format } from './read.ts';

type Row = Readonly<Record<string, unknown>>;

/** A value of raw JSON for a CSV cell: a scalar is written so that reading returns the same value. */
const toRawJson = (value: unknown): unknown =>
  value === null || value === undefined || typeof value === 'object' ? value : { toJSON: () => value };

export interface WriteOptions {
  readonly schema: SchemaModel;
  readonly columns: readonly string[];
  readonly format: Format;
  /** Writes CSV cells unchanged, including those that a spreadsheet would run as a formula. */
  readonly isRaw: boolean;
}

/** Rows as the lines of a file, without line breaks. */
export async function* printRows(pages: AsyncIterable<readonly Row[]>, options: WriteOptions): AsyncGenerator<string> {
  const { schema, columns, format, isRaw } = options;
  const raw = new Set(schema.columns.filter(({ field }) => field.type === 'rawjson').map(({ name }) => name));
  const decimals = new Set(schema.columns.filter(({ field }) => field.type === 'decimal').map(({ name }) => name));
  const toValue = (row: Row, column: string): unknown => {
    const value = row[column];
    if (format !== 'csv') return value;
    if (raw.has(column)) return toRawJson(value);
    return typeof value === 'string' && decimals.has(column) ? new DecimalCell(value) : value;
  };
  const printRow = (row: Row): string =>
    format === 'csv'
      ? toCsvLine(
          columns.map((column) => toValue(row, column)),
          isRaw,
        )
      : JSON.stringify(Object.fromEntries(columns.map((column) => [column, toValue(row, column)])));
  if (format === 'csv') yield toCsvLine(columns);
  if (format === 'json') yield '[';
  let held: string | undefined;
  for await (const page of pages) {
    for (const row of page) {
      const text = printRow(row);
      if (format !== 'json') yield text;
      else {
        if (held !== undefined) yield `${held},`;
        held = `  ${text}`;
      }
    }
  }
  if (held !== undefined) yield held;
  if (format === 'json') yield ']';
}

/** Number of characters per write. */
const PART = 64 * 1024;

/** Joins lines into chunks that are worth a write. */
export async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const line of lines) {
    part += `${line}\n`;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
