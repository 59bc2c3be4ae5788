/** Quotes an identifier for SQL. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Formats a value for SQL that people read; values from requests are bound instead. */
export function toLiteral(value: string | number | null): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
