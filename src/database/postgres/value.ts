/** Type ids of PostgreSQL's built-in types. @see pg_type.dat */
const [BOOL, INT8, INT2, INT4, FLOAT4, FLOAT8, NUMERIC, OID] = [16, 20, 21, 23, 700, 701, 1700, 26];
const [JSON_TEXT, JSONB, DATE, TIMESTAMP, TIMESTAMPTZ] = [114, 3802, 1082, 1114, 1184];

export type Parse = (text: string) => unknown;

/** An integer; as text if a JavaScript number would lose digits. */
function toWhole(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const asIs: Parse = (text) => text;

/**
 * How each type is returned: numbers as numbers, booleans as 1 and 0, times and JSON as text, as on SQLite.
 * `pg` parses all other types.
 */
const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT2, Number],
  [INT4, Number],
  [OID, Number],
  [INT8, toWhole],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [NUMERIC, Number],
  [JSON_TEXT, asIs],
  [JSONB, asIs],
  [DATE, asIs],
  [TIMESTAMP, asIs],
  [TIMESTAMPTZ, asIs],
]);

export const findParser = (type: number): Parse | undefined => PARSERS.get(type);
