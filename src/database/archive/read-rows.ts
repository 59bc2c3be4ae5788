import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';
import { quote } from '../table-sql.ts';
import type { ArchiveColumn, ArchiveTable, EncodedRow } from './shape.ts';
import { decode, encode, WIDE } from './value.ts';

/** Maximum rows per batch; fewer if they are long. */
const MAX_ROWS = 512;
const FIRST_ROWS = 64;
/** Target size of a batch in characters. */
const BATCH_CHARACTERS = 1_000_000;
const SAFE = Number.MAX_SAFE_INTEGER;
/** Name of the column with the physical row position, for tables without a key. */
const PLACE = 'treadle_place';

/** Expression that reads a column: whole numbers that JavaScript would round are read as marked text. */
function buildExpression({ name, kind }: ArchiveColumn, { dialect }: Database): string {
  const column = quote(name);
  if (dialect === 'postgres')
    return kind === 'other' || kind === 'decimal' ? `cast(${column} as text) as ${column}` : column;
  if (kind === 'text' || kind === 'json' || kind === 'real' || kind === 'blob') return column;
  const isWide = `typeof(${column}) = 'integer' and (${column} > ${SAFE} or ${column} < -${SAFE})`;
  return `case when ${isWide} then '${WIDE}' || ${column} else ${column} end as ${column}`;
}

/** How to page through a table: by its primary key, else by physical position. */
interface Way {
  /** Sort keys, and the SQL of a bound value for each. */
  readonly keys: readonly { readonly sql: string; bound(mark: string): string }[];
  /** Columns to read in addition to the table's own. */
  readonly extra: readonly string[];
  toKey(row: Row, encoded: EncodedRow): unknown[];
}

const asIs = (mark: string): string => mark;

function findWay(table: ArchiveTable, { dialect }: Database, hasRowid: boolean): Way {
  const toKey = (row: Row): unknown[] => [row[PLACE]];
  // SQLite allows null in a composite or text key; the rowid is never null.
  if (dialect === 'sqlite' && hasRowid) {
    const extra = [`cast(rowid as text) as ${quote(PLACE)}`];
    return { keys: [{ sql: 'rowid', bound: (mark) => `cast(${mark} as integer)` }], extra, toKey };
  }
  if (table.primaryKey.length === 0) {
    const extra = [`cast(ctid as text) as ${quote(PLACE)}`];
    return { keys: [{ sql: 'ctid', bound: (mark) => `cast(${mark} as tid)` }], extra, toKey };
  }
  const places = table.primaryKey.map((key) => table.columns.findIndex(({ name }) => name === key));
  return {
    keys: table.primaryKey.map((key) => ({ sql: quote(key), bound: asIs })),
    extra: [],
    toKey: (_, encoded) => places.map((place) => decode(encoded[place] ?? null)),
  };
}

interface Statements {
  readonly first: CompiledQuery;
  readonly next: CompiledQuery;
}

function compile(table: ArchiveTable, database: Database, { keys, extra }: Way): Statements {
  const mark = (index: number): string => (database.dialect === 'sqlite' ? '?' : `$${index + 1}`);
  const columns = [...table.columns.map((column) => buildExpression(column, database)), ...extra];
  const list = keys.map(({ sql }) => sql).join(', ');
  const bound = keys.map((key, index) => key.bound(mark(index))).join(', ');
  const from = `select ${columns.join(', ')} from ${quote(table.name)}`;
  const toEnd = (index: number): string => `order by ${list} limit ${mark(index)}`;
  return {
    first: CompiledQuery.raw(`${from} ${toEnd(0)}`),
    next: CompiledQuery.raw(`${from} where (${list}) > (${bound}) ${toEnd(keys.length)}`),
  };
}

async function hasRowid({ name }: ArchiveTable, database: Database): Promise<boolean> {
  if (database.dialect !== 'sqlite') return false;
  const query = CompiledQuery.raw('select wr from pragma_table_list(?) where schema = ?');
  const [found] = await database.run(query, [name, 'main']);
  return found?.wr !== 1;
}

/** Rows for about one batch of characters, estimated from the batch before. */
function toLimit(limit: number, characters: number): number {
  if (characters < BATCH_CHARACTERS / 2) return Math.min(MAX_ROWS, limit * 2);
  const fitting = Math.floor((limit * BATCH_CHARACTERS) / characters);
  return Math.max(1, Math.min(limit, fitting));
}

const countCharacters = (row: EncodedRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);

/** All rows of a table in batches. Call it within one snapshot or transaction. */
export async function* readRows(database: Database, table: ArchiveTable): AsyncGenerator<EncodedRow[]> {
  const way = findWay(table, database, await hasRowid(table, database));
  const { first, next } = compile(table, database, way);
  let key: unknown[] | undefined;
  for (let limit = FIRST_ROWS; ; ) {
    const rows = await database.run(key === undefined ? first : next, [...(key ?? []), limit]);
    const batch = rows.map((row) => table.columns.map((column) => encode(row[column.name], column)));
    if (batch.length > 0) yield batch;
    const [last, encoded] = [rows.at(-1), batch.at(-1)];
    if (rows.length < limit || last === undefined || encoded === undefined) return;
    key = way.toKey(last, encoded);
    limit = toLimit(
      limit,
      batch.reduce((sum, row) => sum + countCharacters(row), 0),
    );
  }
}

/** The highest id that an auto-increment table ever gave; undefined for other tables. */
export async function readCounter(database: Database, table: ArchiveTable): Promise<number | undefined> {
  const [primary] = table.primaryKey;
  if (!table.isCounting || primary === undefined) return undefined;
  const text =
    database.dialect === 'sqlite'
      ? 'select seq as value from sqlite_sequence where name = ?'
      : 'select pg_sequence_last_value(cast(pg_get_serial_sequence(quote_ident($1), $2) as regclass)) as value';
  const parameters = database.dialect === 'sqlite' ? [table.name] : [table.name, primary];
  const [found] = await database.run(CompiledQuery.raw(text), parameters);
  const value = Number(found?.value ?? 0);
  return Number.isSafeInteger(value) ? value : undefined;
}
