import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { fromStoredDecimal } from '../stored-decimal.ts';
import { findScale } from '../table-default.ts';
import { createConverter, isSameStored, type Meaning } from './convert-value.ts';
import { type BlockingRows, NAMED_ROWS, type RowId } from './count.ts';

/** Rows per batch. */
const BATCH_ROWS = 1000;

/** Conversion of one column. */
export interface Conversion {
  /** Present names. */
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly from: Meaning;
  readonly to: Meaning;
  /** Whether the field types differ; if not, only {@link reverts} apply. */
  readonly isRead: boolean;
  /** Replaces a value that does not fit or is empty: null if the field is optional. */
  readonly fallback: string | number | null;
  /** Whether values that do not fit may be replaced. */
  readonly isLosing: boolean;
  /**
   * Copies that earlier migrations made of this column. Values that they changed, and nobody since, are
   * restored exactly.
   */
  readonly reverts: readonly string[];
}

export interface Scan {
  /** Number of values that are not null. */
  readonly total: number;
  /** Number of values that do not fit. */
  readonly failed: number;
  readonly ids: readonly RowId[];
  /** Why the first of them does not fit. */
  readonly why: string;
  /** Number of values that differ from a plain cast, including those that do not fit. */
  readonly changed: number;
  /** Number of values that fit but become null. */
  readonly emptied: number;
  /** Number of rows read. */
  readonly read: number;
  /** Rows without a value after the conversion. */
  readonly empty: BlockingRows;
}

interface Verdict {
  readonly id: RowId;
  readonly former: unknown;
  readonly later: string | number | null;
  /** Why the value does not fit. */
  readonly why?: string;
  readonly isChanged: boolean;
  readonly isEmptied: boolean;
}

type CellValue = string | number | null;

/** A row's key and value, and `k`, `f` and `l` of each copy: its key, the former and the later value. */
interface SourceRow {
  readonly id: RowId;
  readonly value: CellValue;
  readonly [column: `${'k' | 'f' | 'l'}${number}`]: CellValue;
}

/** Reads the column in batches by primary key, so that memory use does not depend on the table's size. */
async function* readRows(database: Database, conversion: Conversion): AsyncGenerator<readonly SourceRow[]> {
  const { table, key, column, reverts } = conversion;
  const id = sql.ref(`t.${key}`);
  const value = sql.ref(`t.${column}`);
  const kept = reverts.map((_, index) => {
    const alias = sql.ref(`c${index}`);
    return sql`, ${alias}.key_1 as ${sql.ref(`k${index}`)}, ${alias}.former as ${sql.ref(`f${index}`)}, ${alias}.later as ${sql.ref(`l${index}`)}`;
  });
  const joins = reverts.map(
    (copy, index) =>
      sql` left join ${sql.table(copy)} as ${sql.ref(`c${index}`)} on ${sql.ref(`c${index}.key_1`)} = ${id}`,
  );
  const isKept = sql.join(
    [sql`${value} is not null`, ...reverts.map((_, index) => sql`${sql.ref(`c${index}.key_1`)} is not null`)],
    sql` or `,
  );
  let last: unknown;
  for (;;) {
    const after = last === undefined ? sql`true` : sql`${id} > ${last}`;
    const { rows } = await sql<SourceRow>`select ${id} as id, ${value} as value${sql.join(kept, sql``)}
      from ${sql.table(table)} as t${sql.join(joins, sql``)}
      where (${isKept}) and ${after} order by ${id} limit ${BATCH_ROWS}`.execute(database.kysely);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_ROWS) return;
    last = rows.at(-1)?.id;
  }
}

/** The same for `numeric` on PostgreSQL, whose driver gives a number. */
function isPlainNumeric(former: unknown, later: unknown, { from, to }: Conversion): boolean {
  if (from.storage === 'text' || former === null) return former === later;
  if (to.storage === 'text') return later === fromStoredDecimal(former, findScale(from.field) ?? 0, 'postgres');
  const isNumber = (storage: string): boolean => /^(?:integer|real|numeric)$/.test(storage);
  return isNumber(from.storage) && isNumber(to.storage) && Number(later) === former;
}

/** Whether the database's own cast gives exactly this value, and back. */
function isPlainCast(former: unknown, later: unknown, conversion: Conversion): boolean {
  const { from, to } = conversion;
  const [scale, wantedScale] = [findScale(from.field), findScale(to.field)];
  const isDecimal = scale !== undefined || wantedScale !== undefined;
  if (isDecimal && from.dialect === 'postgres') return isPlainNumeric(former, later, conversion);
  const isText = from.storage === 'text' || to.storage === 'text';
  // Text keeps its form for an undo.
  if (isText && former !== null && ((scale ?? 0) > 0 || (wantedScale ?? 0) > 0)) return false;
  if (from.storage === to.storage) return isSameStored(former, later, to.storage === 'json');
  const whole = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);
  if (from.storage === 'integer' && to.storage === 'text') return whole(former) && later === String(former);
  if (from.storage === 'text' && to.storage === 'integer') return whole(later) && former === String(later);
  const isNumeric = (storage: string): boolean => storage === 'integer' || storage === 'real';
  return isNumeric(from.storage) && isNumeric(to.storage) && former === later;
}

type Judge = (row: SourceRow) => Promise<Verdict>;

function createJudge(conversion: Conversion): Judge {
  const convert = createConverter(conversion.from, conversion.to);
  const isJson = conversion.from.storage === 'json';
  return async (row) => {
    const { id, value: former } = row;
    for (const index of conversion.reverts.keys()) {
      const isUntouched = row[`k${index}`] != null && isSameStored(row[`l${index}`] ?? null, former ?? null, isJson);
      if (!isUntouched) continue;
      const back = row[`f${index}`] ?? null;
      return { id, former, later: back, isChanged: true, isEmptied: back === null };
    }
    const unchanged = { id, former, later: former, isChanged: false, isEmptied: false };
    if (!conversion.isRead) return unchanged;
    const converted = await convert(former);
    const value = converted.isFit ? converted.value : null;
    const later = value ?? conversion.fallback;
    const isChanged = !converted.isFit || !isPlainCast(former, later, conversion);
    const isEmptied = converted.isFit && value === null && former !== null && former !== undefined;
    return { id, former, later, isChanged, isEmptied, ...(converted.isFit ? {} : { why: converted.why }) };
  };
}

/** The value that a stored one becomes. */
export function createChange(conversion: Conversion): (value: CellValue) => Promise<CellValue> {
  const judge = createJudge({ ...conversion, reverts: [] });
  return async (value) => (value === null ? conversion.fallback : (await judge({ id: 0, value })).later);
}

/** Tests the conversion of every value; writes nothing. */
export async function scanValues(database: Database, conversion: Conversion): Promise<Scan> {
  const judge = createJudge(conversion);
  const ids: RowId[] = [];
  const emptyIds: RowId[] = [];
  const scan = { total: 0, failed: 0, why: '', changed: 0, emptied: 0, read: 0, empty: 0 };
  for await (const rows of readRows(database, conversion)) {
    for (const row of rows) {
      const { id, why, isChanged, isEmptied, former, later } = await judge(row);
      scan.read += 1;
      if (later === null) {
        scan.empty += 1;
        if (emptyIds.length < NAMED_ROWS) emptyIds.push(id);
      }
      if (former !== null && former !== undefined) scan.total += 1;
      if (isChanged) scan.changed += 1;
      if (isEmptied) scan.emptied += 1;
      if (why === undefined) continue;
      scan.failed += 1;
      scan.why ||= why;
      if (ids.length < NAMED_ROWS) ids.push(id);
    }
  }
  return { ...scan, ids, empty: { count: scan.empty, ids: emptyIds } };
}

/**
 * Tests every value again now that nobody else can write, and copies those that change: former and new
 * value.
 * @returns Whether the data still fits the plan.
 */
export async function keepValues(
  database: Database,
  conversion: Conversion,
  copy: string | undefined,
): Promise<boolean> {
  const judge = createJudge(conversion);
  for await (const rows of readRows(database, conversion)) {
    const kept: Record<string, unknown>[] = [];
    for (const row of rows) {
      const { id, former, later, isChanged, why } = await judge(row);
      if (why !== undefined && !conversion.isLosing) return false;
      if (isChanged) kept.push({ key_1: id, former: former ?? null, later });
    }
    if (kept.length === 0) continue;
    if (copy === undefined) return false;
    await database.kysely.insertInto(copy).values(kept).execute();
  }
  return true;
}
