import type { Names } from '../../model/rename/renames.ts';

/** The JSON tokens needed to find keys: strings and brackets. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g;

export interface FixtureNames {
  readonly columns: Names;
  /** Field names without the schema's prefix; renamed only as a row's own keys. */
  readonly fields: Names;
}

/** Renames the keys of JSON or NDJSON rows; keeps every other byte. */
export function renameKeys(text: string, { columns, fields }: FixtureNames): string {
  let depth = 0;
  // In a JSON file rows are inside a list, in NDJSON at the top level.
  const rowDepth = /^\s*\[/.test(text) ? 2 : 1;
  return text.replace(TOKEN, (token, at: number) => {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (/^\s*:/.test(text.slice(at + token.length, at + token.length + 16))) {
      const key = token.slice(1, -1);
      const present = columns.get(key) ?? (depth === rowDepth ? fields.get(key) : undefined);
      return present === undefined ? token : `"${present}"`;
    }
    return token;
  });
}

/** Renames the columns in the header line of CSV rows. */
export function renameHeader(text: string, { columns, fields }: FixtureNames): string {
  const end = text.search(/\r?\n|$/);
  const header = text
    .slice(0, end)
    .replace(/(^|[,;\t])("?)([A-Za-z][\w-]*)\2(?=[,;\t]|$)/g, (cell, start, quote, key) => {
      const present = columns.get(key) ?? fields.get(key);
      return present === undefined ? cell : `${start}${quote}${present}${quote}`;
    });
  return header + text.slice(end);
}
