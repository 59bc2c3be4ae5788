import { describeRounded, findRoundedNumber } from '../model/exact-number.ts';
import { isRecord } from '../model/json-value.ts';
import type { ReadRow, RowStream } from './row.ts';
import { findSizeFault } from './row-size.ts';

function toRow(text: string, line: number, isBounded: boolean): ReadRow {
  const fault = isBounded ? findSizeFault(text) : undefined;
  if (fault !== undefined) return { line, message: fault };
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { line, message: 'This is not a JSON object.' };
    const rounded = findRoundedNumber(text);
    return rounded === undefined ? { line, values: value } : { line, message: `${describeRounded(rounded)}.` };
  } catch {
    return { line, message: 'This is not a JSON object.' };
  }
}

const isBlank = (text: string): boolean => text.trim() === '';

/**
 * Reads NDJSON: one object per line. Other lines are reported, and the rest is read.
 *
 * @param isBounded Whether a row larger than a body is reported, too, in place of being parsed.
 */
export async function* readLines(pieces: AsyncIterable<string>, isBounded = false): RowStream {
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
      if (!isBlank(text)) rows.push(toRow(text, line, isBounded));
    }
    if (rows.length > 0) yield rows;
  }
  const rest = begun.join('');
  if (!isBlank(rest)) yield [toRow(rest, line + 1, isBounded)];
}
