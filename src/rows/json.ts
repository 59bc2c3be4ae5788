import { readMessage } from '../core/errors.ts';
import { describeRounded, findRoundedNumber } from '../model/field/exact-number.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { ReadRow, RowRules, RowStream } from './row.ts';
import { createFileError } from './row-error.ts';
import { findSizeError } from './row-size.ts';

/** Allowed text before the list: nothing, or the beginning of a search's answer. */
const START = /^\s*(?:\{\s*(?:"error"\s*:\s*false\s*,\s*)?(?:"results"\s*:\s*\{\s*)?"rows"\s*:\s*)?\[/;
/** Whether a text begins with a list of rows, or with the beginning of a search's answer. */
export const isListStart = (text: string): boolean => START.test(text);
/** Maximum characters before the list. */
export const START_CHARACTERS = 1000;

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Splits a JSON list into the texts of its entries, as a stream. */
class Splitter {
  /** Text of the incomplete entry. */
  #rest = '';
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  line = 1;
  isEnded = false;
  /** Text after the end of the list. */
  tail = '';
  /** True after a comma, which requires another entry. */
  #isOwed = false;

  /** The entries that this piece completes. */
  *take(piece: string): Generator<string> {
    let start = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (code === NEWLINE) this.line += 1;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#isInText = false;
        continue;
      }
      const isClosing = code === CLOSE_OBJECT || code === CLOSE_LIST;
      if (code === QUOTE) this.#isInText = true;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#depth += 1;
      else if (isClosing && this.#depth > 0) this.#depth -= 1;
      else if (this.#depth === 0 && (code === COMMA || isClosing)) {
        yield* this.#end(piece.slice(start, index), code === COMMA);
        start = index + 1;
        if (code === COMMA) continue;
        this.isEnded = true;
        this.tail = piece.slice(start);
        return;
      }
    }
    this.#rest += piece.slice(start);
  }

  *#end(text: string, hasMore: boolean): Generator<string> {
    const entry = (this.#rest + text).trim();
    this.#rest = '';
    if (entry !== '') yield entry;
    else if (hasMore || this.#isOwed) {
      throw createFileError(`Line ${this.line}: the list has a comma without an entry.`);
    }
    this.#isOwed = hasMore;
  }
}

function toRow(text: string, number: number, line: number, exact: ReadonlySet<string> | undefined): ReadRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createFileError(`Entry ${number}, which ends in line ${line}, is not JSON: ${readMessage(error)}.`);
  }
  if (!isRecord(value)) return { line: number, message: 'This entry is not an object.' };
  const rounded = findRoundedNumber(text, exact);
  return rounded === undefined
    ? { line: number, values: value }
    : { line: number, message: `${describeRounded(rounded)}.` };
}

/** Reads a JSON list of objects, or the `rows` of a search's answer, with only a few entries in memory. */
export async function* readList(pieces: AsyncIterable<string>, { isBounded, exact }: RowRules): RowStream {
  const splitter = new Splitter();
  let head: string | undefined = '';
  let number = 0;
  let isBare = true;
  for await (const piece of pieces) {
    if (splitter.isEnded) {
      if (isBare) assertBlank(piece);
      continue;
    }
    let text = piece;
    if (head !== undefined) {
      head += piece;
      const start = START.exec(head);
      if (!start && head.length < START_CHARACTERS) continue;
      if (!start) throw createNoList();
      splitter.line += start[0].split('\n').length - 1;
      isBare = start[0].trim() === '[';
      text = head.slice(start[0].length);
      head = undefined;
    }
    const rows: ReadRow[] = [];
    for (const entry of splitter.take(text)) {
      number += 1;
      const fault = isBounded ? findSizeError(entry) : undefined;
      rows.push(fault === undefined ? toRow(entry, number, splitter.line, exact) : { line: number, message: fault });
    }
    if (rows.length > 0) yield rows;
    if (isBare) assertBlank(splitter.tail);
  }
  if (head !== undefined) throw createNoList();
  if (!splitter.isEnded) throw createFileError(`The list is incomplete: line ${splitter.line} is the last one.`);
}

function assertBlank(text: string): void {
  if (text.trim() !== '') throw createFileError('There is text after the end of the list.');
}

const createNoList = () => createFileError('The file is not a JSON list of objects.');
