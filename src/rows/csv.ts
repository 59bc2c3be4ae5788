import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { createFileError } from './fault.ts';
import type { ReadRow, RowStream } from './row.ts';

/** Number of rows per chunk. */
const PART = 500;
/** Characters that are parsed in one turn. */
const PIECE = 64 * 1024;
/** Of delimiters that occur equally often in a header, the first wins. */
const DELIMITERS = ['\t', ',', ';'] as const;
const CODES = DELIMITERS.map((sign) => sign.charCodeAt(0));
const QUOTE = 0x22;

/** The delimiter of the cells: comma, semicolon or tab, whichever occurs most often in the header outside quotes. */
function findDelimiter(heading: string): { readonly delimiter: string; readonly cells: number } {
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

interface Parsed {
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
    const cell = cells[index] as string;
    // An empty cell counts as missing, so that the default or the stored value stays.
    if (cell !== '') values[name] = GUARDED.test(cell) ? cell.slice(1) : cell;
  }
  return { line, values };
}

/**
 * Reads CSV as a stream. The first line is the header; cells are separated by comma, semicolon or tab.
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
  const source = peekHeading(pieces, (heading) => {
    const found = findDelimiter(heading);
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
  });
  const feeding = feed(parser, first.value ?? '', source);
  feeding.catch((error: Error) => parser.destroy(error));
  let names: readonly string[] | undefined;
  let last = 0;
  let rows: ReadRow[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (names === undefined) {
        names = toHeading(record);
        checkHeading(names);
      } else rows.push(toRow(record, names, toLine(record, info.lines, last)));
      last = info.lines;
      if (rows.length < PART) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createFileError(`Line ${String(error.lines)}: ${toReason(error)}.`);
  }
  if (names === undefined) throw createFileError('The file has no header line.');
  if (rows.length > 0) yield rows;
}

/** The first line of a record, from its last line and the last line of the record before. */
function toLine(record: readonly string[], end: number, last: number): number {
  if (end === last + 1) return end;
  return end - record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}

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

/**
 * A value as a CSV cell. Text that a spreadsheet would run as a formula ({@link FORMULA} at its start) gets an apostrophe
 * before it, unless `isRaw`; reading removes it.
 */
function toCell(value: unknown, isRaw = false): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = !isRaw && typeof value === 'string' && NEEDS_GUARD.test(plain) ? `'${plain}` : plain;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of CSV, without its line break. */
export const toCsvLine = (cells: readonly unknown[], isRaw = false): string =>
  cells.map((cell) => toCell(cell, isRaw)).join(',');
