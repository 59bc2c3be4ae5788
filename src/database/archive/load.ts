import { CompiledQuery } from 'kysely';
import { readMessage, TreadleError } from '../../core/errors.ts';
import { findDigitsError, toPlainDecimal } from '../../model/decimal/decimal.ts';
import { advanceCounter } from '../counter.ts';
import type { Database, Dialect } from '../database.ts';
import { createIndexSql } from '../index/index-sql.ts';
import { runText } from '../run-text.ts';
import type { TableColumn, TableReference } from '../table.ts';
import { addKeySql, createTableSql, quote } from '../table-sql.ts';
import { readRows } from './read-rows.ts';
import type { ArchiveColumn, ArchiveTable, EncodedRow, EncodedValue, RowSource, TableSum } from './shape.ts';
import { toTable } from './tables.ts';
import { Digest, decode, decodeDecimal } from './value.ts';

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

/** JSON escapes that PostgreSQL text cannot store: NUL, and half of a surrogate pair. */
const UNFIT = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

function findJsonError(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  return UNFIT.test(JSON.stringify(value)) ? 'has a character that no text may have' : undefined;
}

function findColumnError({ kind, precision = 0, scale = 0 }: ArchiveColumn, value: EncodedValue): string | undefined {
  if (value === null || kind === 'other') return undefined;
  const isText = typeof value === 'string';
  if (isText && value.includes('\0')) return 'has the character U+0000, which no text may have';
  switch (kind) {
    case 'integer': {
      if (typeof value === 'number') return Number.isInteger(value) ? undefined : 'is not a whole number';
      if (isText || !('i' in value)) return 'is not a whole number';
      return BigInt(value.i) < LEAST || BigInt(value.i) > MOST ? 'is too large' : undefined;
    }
    case 'real':
      return isText || (typeof value === 'object' && !('f' in value)) ? 'is not a number' : undefined;
    case 'decimal': {
      const isFit = isText && toPlainDecimal(value) !== undefined && !findDigitsError(value, { precision, scale });
      return isFit ? undefined : `is no decimal of ${precision} digits, ${scale} of them after the point`;
    }
    case 'text':
      return isText ? undefined : 'is not text';
    case 'json':
      return isText ? findJsonError(value) : 'is not JSON';
    case 'blob':
      return typeof value === 'object' && 'b' in value ? undefined : 'is not binary';
  }
}

/** Why PostgreSQL, which enforces column types, cannot store a row; SQLite stores anything. */
function findValueError(table: ArchiveTable, row: EncodedRow, dialect: Dialect): string | undefined {
  for (const [index, column] of table.columns.entries()) {
    const value = row[index] ?? null;
    if (value === null && column.isRequired) return `${column.name} is empty and must not be.`;
    const error = dialect === 'postgres' ? findColumnError(column, value) : undefined;
    if (error !== undefined) return `${column.name} ${error}.`;
  }
  return undefined;
}

/** Describes a row with a dangling foreign key; undefined if every key has its row. */
async function findOrphan(
  database: Database,
  table: ArchiveTable,
  { name, references }: TableColumn & { readonly references: TableReference },
): Promise<string | undefined> {
  const keys = table.primaryKey.map((key) => `child.${quote(key)}`);
  const column = `child.${quote(name)}`;
  const text = `select ${[...keys, column].join(', ')} from ${quote(table.name)} as child where ${column} is not null
    and not exists (select 1 from ${quote(references.table)} as parent where parent.${quote(references.column)} = ${column}) limit 1`;
  const [row] = await database.run(CompiledQuery.raw(text));
  if (row === undefined) return undefined;
  const key = table.primaryKey.map((primary) => `${primary} ${String(row[primary])}`).join(', ');
  return `The row of ${table.name} with ${key} has ${name} ${String(row[name])}, a row of ${references.table}`;
}

/** Maximum values per statement, below the limit of each database. */
const MAX_VALUES: Readonly<Record<Dialect, number>> = { sqlite: 8000, postgres: 30_000 };

function refusedError(message: string, cause?: unknown): TreadleError {
  return new TreadleError('ARCHIVE_ROW_REFUSED', message, {
    hint: 'Nothing was changed. Correct the row at its source, and try again.',
    cause,
  });
}

/** Gives the value to bind for a place in a row. */
function createDecoder({ columns }: ArchiveTable, dialect: Dialect): (value: EncodedValue, place: number) => unknown {
  if (!columns.some(({ kind }) => kind === 'decimal')) return decode;
  const scales = columns.map(({ kind, scale = 0 }) => (kind === 'decimal' ? scale : undefined));
  return (value, place) => {
    const scale = scales[place];
    return scale === undefined ? decode(value) : decodeDecimal(value, scale, dialect);
  };
}

/** Inserts rows of one table with statements of few sizes, so that each is prepared once. */
class Inserter {
  readonly #table: ArchiveTable;
  readonly #database: Database;
  readonly #most: number;
  readonly #decode: (value: EncodedValue, place: number) => unknown;
  readonly #statements = new Map<number, CompiledQuery>();

  constructor(table: ArchiveTable, database: Database) {
    this.#table = table;
    this.#database = database;
    const fitting = Math.floor(MAX_VALUES[database.dialect] / table.columns.length);
    // A power of two; smaller powers insert the rest.
    this.#decode = createDecoder(table, database.dialect);
    this.#most = 2 ** Math.min(8, Math.floor(Math.log2(Math.max(1, fitting))));
  }

  async insert(rows: readonly EncodedRow[]): Promise<void> {
    let start = 0;
    for (let size = this.#most; size >= 1; size /= 2) {
      for (; rows.length - start >= size; start += size) {
        const values = rows.slice(start, start + size).flatMap((row) => row.map(this.#decode));
        await this.#database.run(this.#statement(size), values);
      }
    }
  }

  #statement(size: number): CompiledQuery {
    const known = this.#statements.get(size);
    if (known) return known;
    const { name, columns } = this.#table;
    const isSqlite = this.#database.dialect === 'sqlite';
    const rows = Array.from({ length: size }, (_, row) => {
      const marks = columns.map((_column, index) => (isSqlite ? '?' : `$${row * columns.length + index + 1}`));
      return `(${marks.join(', ')})`;
    });
    const list = columns.map((column) => quote(column.name)).join(', ');
    const made = CompiledQuery.raw(`insert into ${quote(name)} (${list}) values ${rows.join(', ')}`);
    this.#statements.set(size, made);
    return made;
  }
}

/** Identifies a row for a person. */
function nameRow({ name, primaryKey, columns }: ArchiveTable, row: EncodedRow): string {
  const parts = primaryKey.map((key) => {
    const value = decode(row[columns.findIndex((column) => column.name === key)] ?? null);
    return `${key} ${String(value).slice(0, 60)}`;
  });
  return parts.length === 0 ? `a row of ${name}` : `the row of ${name} with ${parts.join(', ')}`;
}

/** Why the database refuses a row of a batch. */
async function explain(
  table: ArchiveTable,
  batch: readonly EncodedRow[],
  database: Database,
  cause: unknown,
): Promise<unknown> {
  const inserter = new Inserter(table, database);
  for (const row of batch) {
    const wrong = findValueError(table, row, database.dialect);
    const error = wrong ?? (await database.write(() => inserter.insert([row])).then(() => undefined, readMessage));
    if (error === undefined) continue;
    return refusedError(`The database refuses ${nameRow(table, row)}: ${error}`, cause);
  }
  return cause;
}

async function insertBatch(
  inserter: Inserter,
  table: ArchiveTable,
  batch: readonly EncodedRow[],
  database: Database,
): Promise<void> {
  try {
    // In a savepoint, so that PostgreSQL can still find which row failed.
    await database.write(() => inserter.insert(batch));
  } catch (error) {
    throw await explain(table, batch, database, error);
  }
}

/**
 * Creates tables without keys and indexes, which follow after the rows: the order of tables then does not
 * matter, and it is faster.
 */
async function createTables(database: Database, source: RowSource): Promise<void> {
  const { dialect } = database;
  for (const table of source.tables) {
    const made = toTable(table, dialect, source.dialect);
    // SQLite accepts a foreign key only with its table, PostgreSQL only if the target exists.
    await runText(database, createTableSql(made, { dialect, hasKeys: dialect === 'sqlite' }));
  }
}

async function createIndexes(database: Database, table: ArchiveTable): Promise<void> {
  for (const index of table.indexes) {
    try {
      await runText(database, createIndexSql(table.name, index));
    } catch (cause) {
      if (!index.isUnique) throw cause;
      const columns = index.columns.join(', ');
      throw refusedError(`Two rows of ${table.name} have the same value of ${columns}.`, cause);
    }
  }
}

/** Checks that every foreign key has its row; PostgreSQL gets its keys only now. */
async function createKeys(database: Database, table: ArchiveTable, source: RowSource): Promise<void> {
  for (const column of toTable(table, database.dialect, source.dialect).columns) {
    const { references } = column;
    if (references === undefined) continue;
    const orphan = await findOrphan(database, table, { ...column, references });
    if (orphan !== undefined) throw refusedError(`${orphan}, which does not exist.`);
    if (database.dialect === 'postgres') await runText(database, addKeySql(table.name, { ...column, references }));
  }
}

/** New rows continue after the highest id ever given, not only after the highest present one. */
async function restoreCounter(database: Database, table: ArchiveTable, counter: number | undefined): Promise<void> {
  const [primary] = table.primaryKey;
  if (!table.isCounting || primary === undefined) return;
  await advanceCounter(database, table.name, primary);
  if (counter === undefined || counter < 1) return;
  if (database.dialect === 'sqlite') {
    await runText(
      database,
      'insert into sqlite_sequence (name, seq) select ?, 0 where not exists (select 1 from sqlite_sequence where name = ?)',
      [table.name, table.name],
    );
    await runText(database, 'update sqlite_sequence set seq = ? where name = ? and seq < ?', [
      counter,
      table.name,
      counter,
    ]);
    return;
  }
  const name = 'cast(pg_get_serial_sequence(quote_ident($1), $2) as regclass)';
  await runText(
    database,
    `select setval(counter.name, $3) from (select ${name} as name) as counter
      where counter.name is not null and coalesce(pg_sequence_last_value(counter.name), 0) < $3`,
    [table.name, primary, counter],
  );
}

/** Reads a table back and compares it. @throws ARCHIVE_DIFFERS */
async function verifyTable(database: Database, table: ArchiveTable, sum: TableSum): Promise<void> {
  const digest = new Digest(table);
  for await (const batch of readRows(database, table)) for (const row of batch) digest.add(row);
  if (digest.rows === sum.rows && String(digest) === sum.sha256) return;
  const what =
    digest.rows === sum.rows
      ? `other values in ${table.name}`
      : `${digest.rows} rows of ${table.name} instead of ${sum.rows}`;
  throw new TreadleError('ARCHIVE_DIFFERS', `Read back, the database has ${what}.`, {
    hint: 'Nothing was changed. Please report this error in Treadle.',
  });
}

export interface LoadOptions {
  readonly database: Database;
  readonly source: RowSource;
  readonly told?: (rows: number, table: string) => void;
}

/**
 * Creates the tables of a source in a database without them, fills them, reads them back, and compares
 * counts and checksums. Call it in one transaction.
 * @throws ARCHIVE_ROW_REFUSED naming the table and the row. @throws ARCHIVE_DIFFERS
 */
export async function loadTables({ database, source, told }: LoadOptions): Promise<TableSum[]> {
  await createTables(database, source);
  const byName = new Map(source.tables.map((table) => [table.name, table]));
  const sums: TableSum[] = [];
  let inserter: { readonly name: string; readonly into: Inserter } | undefined;
  for await (const entry of source.read()) {
    const table = byName.get(entry.table);
    if (table === undefined) continue;
    if ('batch' in entry) {
      if (inserter?.name !== table.name) inserter = { name: table.name, into: new Inserter(table, database) };
      await insertBatch(inserter.into, table, entry.batch, database);
      told?.(entry.batch.length, table.name);
    } else sums.push(entry);
  }
  for (const table of source.tables) await createIndexes(database, table);
  for (const table of source.tables) await createKeys(database, table, source);
  for (const sum of sums) {
    const table = byName.get(sum.table);
    if (table === undefined) continue;
    await restoreCounter(database, table, sum.counter);
    await verifyTable(database, table, sum);
  }
  return sums;
}
