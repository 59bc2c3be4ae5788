import type { Dialect } from '../database.ts';
import type { ArchiveColumn, ArchiveTable, Encoded, EncodedRow } from './shape.ts';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** JSON escapes that PostgreSQL text cannot store: NUL, and half of a surrogate pair. */
const UNFIT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

function findJsonFault(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is no JSON';
  }
  return UNFIT.test(JSON.stringify(value)) ? 'has a character that no text may have' : undefined;
}

function findFault({ kind }: ArchiveColumn, value: Encoded): string | undefined {
  if (value === null || kind === 'other') return undefined;
  const isText = typeof value === 'string';
  if (isText && value.includes('\0')) return 'has the character U+0000, which no text may have';
  switch (kind) {
    case 'integer': {
      if (typeof value === 'number') return Number.isInteger(value) ? undefined : 'is no whole number';
      if (isText || !('i' in value)) return 'is no whole number';
      return BigInt(value.i) < LEAST || BigInt(value.i) > MOST ? 'is too large' : undefined;
    }
    case 'real':
      return isText || (typeof value === 'object' && !('f' in value)) ? 'is no number' : undefined;
    case 'text':
      return isText ? undefined : 'is no text';
    case 'json':
      return isText ? findJsonFault(value) : 'is no JSON';
    case 'blob':
      return typeof value === 'object' && 'b' in value ? undefined : 'is not binary';
  }
}

/** Why PostgreSQL, which enforces column types, cannot store a row; SQLite stores anything. */
export function findValueFault(table: ArchiveTable, row: EncodedRow, dialect: Dialect): string | undefined {
  for (const [index, column] of table.columns.entries()) {
    const value = row[index] ?? null;
    if (value === null && column.isRequired) return `${column.name} is empty and must not be.`;
    const fault = dialect === 'postgres' ? findFault(column, value) : undefined;
    if (fault !== undefined) return `${column.name} ${fault}.`;
  }
  return undefined;
}
