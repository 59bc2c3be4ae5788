import { describeRounded, findRoundedNumber } from '../model/field/exact-number.ts';
import { isRecord } from '../model/json/json-value.ts';
import { readCsv } from './csv.ts';
import { isListStart, readList, START_CHARACTERS } from './json.ts';
import type { ReadRow, RowRules, RowStream } from './row.ts';
import { createFileError } from './row-error.ts';
import { findSizeError } from './row-size.ts';

function toRow(text: string, line: number, { isBounded, exact }: RowRules): ReadRow {
  const error = isBounded ? findSizeError(text) : undefined;
  if (error !== undefined) return { line, message: error };
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { line, message: 'This is not a JSON object.' };
    const rounded = findRoundedNumber(text, exact);
    return rounded === undefined ? { line, values: value } : { line, message: `${describeRounded(rounded)}.` };
  } catch {
    return { line, message: 'This is not a JSON object.' };
  }
}

const isBlank = (text: string): boolean => text.trim() === '';

/**
 * Reads NDJSON: one object per line. Other lines are reported, and the rest is read.
 *
 */
async function* readLines(pieces: AsyncIterable<string>, rules: RowRules): RowStream {
  // The beginning of a line, in pieces: joining them with each piece would copy a long line repeatedly.
  let begun: string[] = [];
  let line = 0;
  for await (const piece of pieces) {
    const lines = piece.split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = begun.join('') + lines[0];
      begun = [];
    }
    begun.push(last);
    const rows: ReadRow[] = [];
    for (const text of lines) {
      line += 1;
      if (!isBlank(text)) rows.push(toRow(text, line, rules));
    }
    if (rows.length > 0) yield rows;
  }
  const rest = begun.join('');
  if (!isBlank(rest)) yield [toRow(rest, line + 1, rules)];
}

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Guesses the format from the beginning of the text; undefined if more of it must be read. An object may be the first of many
 * lines, or hold all rows within it.
 *
 * @throws IMPORT_FILE_BROKEN for an object that holds its rows somewhere within it.
 */
function guessFormat(text: string, isAll: boolean): Format | undefined {
  const start = text.trimStart();
  if (isListStart(start)) return 'json';
  if (!start.startsWith('{')) return 'csv';
  if (/^\{\s*"type"\s*:\s*"FeatureCollection"/.test(start)) {
    const hint = "Write one object per feature, such as with: jq -c '.features[].properties' file.geojson";
    throw createFileError('The file is GeoJSON. The columns of a row are the properties of a feature.', hint);
  }
  if (/^\{[^\n]*\}\s*\n/.test(start)) return 'ndjson';
  if (!isAll && start.length < START_CHARACTERS) return undefined;
  if (/^\{[^\S\n]*\r?\n/.test(start)) {
    const hint = "Write the list of rows alone, such as with: jq -c '.data[]' file.json";
    throw createFileError('The file is one JSON object of several lines, not a list of objects.', hint);
  }
  return 'ndjson';
}

export interface ReadOptions {
  /** If undefined, the format is guessed from the text. */
  readonly format: Format | undefined;
  /** Called with the names of a CSV header, before any row. */
  readonly checkHeading?: (names: readonly string[]) => void;
  /**
   * For files that strangers send to a server: refuses a CSV header by the number of its cells, before it is parsed. With
   * it, a JSON row larger than a body is reported in place of being parsed.
   */
  readonly guard?: ((cells: number) => void) | undefined;
  /** Keys of decimals: a JSON number under them may lose no digits. */
  readonly exact?: ReadonlySet<string> | undefined;
}

/** Reads the rows of a text as a stream. @throws IMPORT_FILE_BROKEN at a fatal error. */
export async function* readRows(
  pieces: AsyncIterable<string>,
  { format, checkHeading, guard, exact }: ReadOptions,
): RowStream {
  const source = pieces[Symbol.asyncIterator]();
  const held: string[] = [];
  let known = format;
  let isBegun = false;
  while (known === undefined) {
    const next = await source.next();
    if (next.done) break;
    held.push(next.value);
    isBegun ||= next.value.trim() !== '';
    if (isBegun) known = guessFormat(held.join(''), false);
  }
  if (known === undefined && isBegun) known = guessFormat(held.join(''), true);
  const text = join(held, source);
  if (known === 'csv') yield* readCsv(text, checkHeading, guard);
  else if (known === 'json') yield* readList(text, { isBounded: guard !== undefined, exact });
  else yield* readLines(text, { isBounded: guard !== undefined, exact });
}

async function* join(held: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
