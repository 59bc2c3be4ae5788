import { TreadleError } from '../../core/errors.ts';
import { createUsageError } from '../failure.ts';
import { CsvFault, readCsv } from './csv.ts';

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** A row as the file has it, with the place that a message names. */
export interface FileRow {
  /** Line in the file, from 1; in a JSON list the number of the entry. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A row that could not be read, or not be taken. */
export interface BadRow {
  readonly line: number;
  readonly message: string;
}

export interface ReadRows {
  readonly rows: readonly FileRow[];
  readonly bad: readonly BadRow[];
}

/** The format of a file, by its ending, else by how its text begins. @throws CLI_USAGE for an ending of another format. */
export function findFormat(file: string, text: string): Format {
  const ending = /\.(ndjson|jsonl|json|csv)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === 'jsonl') return 'ndjson';
  const found = FORMATS.find((format) => format === ending);
  if (found) return found;
  const [other] = /\.[A-Za-z0-9]+$/.exec(file) ?? [];
  if (other !== undefined && !/^\.txt$/i.test(other)) {
    throw createUsageError(
      `"${other}" is the ending of no format that is known.`,
      `Name it: --format ${FORMATS.join('|')}`,
    );
  }
  const first = text.trimStart()[0];
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}

/** Reads the rows of a text. @throws IMPORT_FILE_BROKEN where nothing of it can be read. */
export function readRows(text: string, format: Format): ReadRows {
  if (format === 'csv') return readCsvRows(text);
  return format === 'json' ? readJsonRows(text) : readLines(text);
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readLines(text: string): ReadRows {
  const rows: FileRow[] = [];
  const bad: BadRow[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const value = parse(line);
    if (isRow(value)) rows.push({ line: index + 1, values: value });
    else bad.push({ line: index + 1, message: 'This is no JSON object.' });
  }
  return { rows, bad };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readJsonRows(text: string): ReadRows {
  const value = parse(text.replace(/^\uFEFF/, ''));
  const list = isRow(value) && Array.isArray(value.rows) ? value.rows : value;
  if (!Array.isArray(list)) throw createFileError('The file is no JSON list of objects.');
  const rows: FileRow[] = [];
  const bad: BadRow[] = [];
  for (const [index, each] of list.entries()) {
    if (isRow(each)) rows.push({ line: index + 1, values: each });
    else bad.push({ line: index + 1, message: 'This entry is no object.' });
  }
  return { rows, bad };
}

function readCsvRows(text: string): ReadRows {
  const rows: FileRow[] = [];
  const bad: BadRow[] = [];
  let names: readonly string[] | undefined;
  try {
    for (const { line, cells } of readCsv(text)) {
      if (names === undefined) names = cells.map((cell) => cell.trim());
      else if (cells.length !== names.length) {
        bad.push({ line, message: `The line has ${cells.length} cells, the heading ${names.length}.` });
      } else rows.push({ line, values: Object.fromEntries(names.map((name, index) => [name, cells[index]])) });
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw createFileError(`Line ${error.line}: ${error.message}.`);
  }
  return { rows, bad };
}

function createFileError(message: string): TreadleError {
  return new TreadleError('IMPORT_FILE_BROKEN', message, {
    status: 422,
    hint: 'NDJSON has an object a line, JSON a list of objects, CSV a heading line.',
  });
}
