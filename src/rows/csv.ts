import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import type { ReadRow, RowStream } from './row.ts';
import { createFileError } from './row-error.ts';

/** Number of rows per chunk. */
const PART = 500;
/** Characters that are parsed in one turn. */
const PIECE = 64 * 1024;
/** Of delimiters that occur equally often in a header, the first wins. */
const DELIMITERS = ['\t', ',', ';'] as const;
const CODES = DELIMITERS.map((sign) => sign.charCodeAt(0));
const QUOTE = 0x22;

/** The delimiter of the cells: the one that the file says, or of comma, semicolon and tab the one that is most often in the header outside quotes. */
function findDelimiter(
  heading: string,
  told: string | undefined,
): { readonly delimiter: string; readonly cells: number } {
  if (told !== undefined) return { delimiter: told, cells: heading.split(told).length };
  const counts = DELIMITERS.map(() => 1);
  let isQuoted = false;
  for (let at = 0; at < heading.length; at += 1) {
    const code = heading.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted) {
      const index = CODES.indexOf(code);
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  const cells = Math.max(...counts);
  return { delimiter: DELIMITERS[counts.indexOf(cells)] ?? ',', cells };
}

/** The line with which Excel says how cells are separated. */
const SEPARATOR = /^\s*sep=([^\r\n"\w])(?=[\r\n])/i;
/** Characters that may be the whole of that line. */
const SEPARATOR_CHARACTERS = 100;

/** Reads past a first line `sep=;`, and tells its sign. Its line break stays, so that lines keep their numbers. */
async function* dropSeparator(
  pieces: AsyncIterable<string>,
  tell: (delimiter: string) => void,
): AsyncGenerator<string> {
  let head: string | undefined = '';
  for await (const piece of pieces) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    head += piece;
    if (head.length < SEPARATOR_CHARACTERS && !/\S[^\n]*\n/.test(head)) continue;
    const [line, sign] = SEPARATOR.exec(head) ?? [];
    if (sign !== undefined) tell(sign);
    yield head.slice(line?.length ?? 0);
    head = undefined;
  }
  if (head !== undefined) yield head;
}

/** Reads until the first line is complete. */
async function* peekHeading(pieces: AsyncIterable<string>, seen: (heading: string) => void): AsyncGenerator<string> {
  let head: string[] | undefined = [];
  let isBlank = true;
  for await (const piece of pieces) {
    if (head === undefined) yield piece;
    else {
      head.push(piece);
      // Searches each piece alone: a long line would otherwise be searched again with each piece.
      const hasEnd = (isBlank ? piece.trimStart() : piece).includes('\n');
      isBlank &&= piece.trim() === '';
      if (!hasEnd) continue;
      const text = head.join('');
      seen(text.trimStart().split('\n', 1)[0] ?? '');
      yield text;
      head = undefined;
    }
  }
  if (head !== undefined) {
    const text = head.join('');
    seen(text.trimStart());
    yield text;
  }
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: Info;
}

function toHeading(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw createFileError(`The header has "${twice}" twice.`, 'Give each column its own name.');
  const blank = names.indexOf('');
  if (blank >= 0) throw createFileError(`Cell ${blank + 1} of the header is empty.`, 'Give each column a name.');
  return names;
}

/**
 * The beginning of a cell that a spreadsheet would run as a formula: a sign, also in its full width, or a tab or line break,
 * before which some programs look for one.
 *
 * @see OWASP CSV Injection
 */
const FORMULA = '[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]';
/** A cell that begins so is written with an apostrophe before it: see `toCell`. */
const GUARDED = new RegExp(`^'+${FORMULA}`);
const NEEDS_GUARD = new RegExp(`^'*${FORMULA}`);

function toRow(cells: readonly string[], names: readonly string[], line: number): ReadRow {
  if (cells.length !== names.length) {
    return { line, message: `The line has ${cells.length} cells, but the header has ${names.length}.` };
  }
  const values: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const cell = cells[index] ?? '';
    // An empty cell counts as missing, so that the default or the stored value stays.
    if (cell !== '') values[name] = GUARDED.test(cell) ? cell.slice(1) : cell;
  }
  return { line, values };
}

/**
 * Reads CSV as a stream. The first line is the header; cells are separated by comma, semicolon or tab, or by the sign of a line
 * `sep=;` before it.
 *
 * @param checkHeading Called with the names of the header, before any row.
 * @param checkCells Called with the number of cells in the first line, before it is parsed.
 * @see RFC 4180
 * @throws IMPORT_FILE_BROKEN
 */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  checkHeading: (names: readonly string[]) => void = () => {},
  checkCells: (count: number) => void = () => {},
): RowStream {
  let delimiter = ',';
  let told: string | undefined;
  const rest = dropSeparator(pieces, (sign) => {
    told = sign;
  });
  const source = peekHeading(rest, (heading) => {
    const found = findDelimiter(heading, told);
    checkCells(found.cells);
    delimiter = found.delimiter;
  });
  const first = await source.next();
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
  });
  const bad: ReadRow[] = [];
  parser.on('skip', (error: CsvError) => {
    if (isFatal(error)) parser.destroy(error);
    else bad.push({ line: Number(error.lines), message: `In this line ${toReason(error)}.` });
  });
  const feeding = feed(parser, first.value ?? '', source);
  feeding.catch((error: Error) => parser.destroy(error));
  const toLine = countLines();
  let names: readonly string[] | undefined;
  let rows: ReadRow[] = [];
  try {
    const records: AsyncIterable<CsvRecord> = parser;
    for await (const { record, info } of records) {
      const line = toLine(record, info.lines);
      if (names === undefined) {
        names = toHeading(record);
        checkHeading(names);
      } else rows.push(toRow(record, names, line));
      if (rows.length < PART) continue;
      yield [...bad.splice(0), ...rows];
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createFileError(`Line ${String(error.lines)}: ${toReason(error)}.`);
  }
  if (names === undefined) throw createFileError('The file has no header line.');
  if (bad.length + rows.length > 0) yield [...bad, ...rows];
}

/**
 * Says in which line each record begins. The parser tells the line in which it ends, and counts a line break of two signs within
 * quotes twice.
 */
function countLines(): (record: readonly string[], end: number) => number {
  let last = 0;
  let twice = 0;
  const count = (record: readonly string[], breaks: RegExp): number =>
    record.reduce((sum, cell) => sum + (cell.match(breaks)?.length ?? 0), 0);
  return (record, end) => {
    const isOneLine = end === last + 1;
    last = end;
    if (isOneLine) return end - twice;
    twice += count(record, /\r\n/g);
    return end - twice - count(record, /\r\n|\n|\r/g);
  };
}

/** Whether nothing after an error can be read: what a quote holds that is not closed may be many rows. */
const isFatal = ({ code, records }: CsvError): boolean => code !== 'INVALID_OPENING_QUOTE' || Number(records) === 0;

async function feed(parser: NodeJS.WritableStream, first: string, rest: AsyncIterable<string>): Promise<void> {
  const write = (piece: string): Promise<void> | undefined =>
    parser.write(piece) ? undefined : new Promise((resolve) => parser.once('drain', () => resolve()));
  // A long header arrives whole.
  for (let at = 0; at < first.length; at += PIECE) {
    if (at > 0) await turn();
    await write(first.slice(at, at + PIECE));
  }
  for await (const piece of rest) await write(piece);
  parser.end();
}

/** Error codes of csv-parse, in words. */
const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  INVALID_OPENING_QUOTE: 'a quote is in a cell that does not start with one',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by other text',
};

const toReason = ({ code }: CsvError): string => REASONS[code] ?? 'it cannot be read';

/** The text of a decimal: a number to spreadsheets, not a formula, whatever its sign. */
export class DecimalCell {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A value as a CSV cell. Text that a spreadsheet would run as a formula ({@link FORMULA} at its start) gets an apostrophe
 * before it, unless `isRaw`; reading removes it.
 */
function toCell(value: unknown, isRaw = false): string {
  if (value === null || value === undefined) return '';
  if (value instanceof DecimalCell) return value.text;
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = !isRaw && typeof value === 'string' && NEEDS_GUARD.test(plain) ? `'${plain}` : plain;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of CSV, without its line break. */
export const toCsvLine = (cells: readonly unknown[], isRaw = false): string =>
  cells.map((cell) => toCell(cell, isRaw)).join(',');
