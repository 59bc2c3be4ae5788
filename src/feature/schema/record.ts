import type { Companion, Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Change, findRecorder } from '../../plan/recorder.ts';
import type { CompiledFilter } from '../../store/read/parse/predicate.ts';
import type { LiveKeys } from '../../store/write/live-key.ts';
import { toTextGuard } from '../../store/write/one-row.ts';
import { readColumns, updateRow } from '../../store/write/row-sql.ts';
import { decodeRow, findJson, readsOtherwise } from '../../store/write/stored-row.ts';

/** What records a change by the statement that makes it; undefined if the schema's changes are not recorded. */
export const findRecording = (context: Context, change: Omit<Change, 'id' | 'after'>): Companion | undefined =>
  findRecorder(context, change.schema)?.toCompanion(change);

/** True if the history must compare the stored row with the one before. */
export const comparesStored = (context: Context, schema: SchemaModel, row: Row): boolean =>
  findRecorder(context, schema) !== undefined && readsOtherwise(context.services.database, schema, row);

/**
 * The values that a row must still have when it is changed, so that a record of the change has the values before it without
 * another statement. Undefined if the schema's changes are not recorded.
 */
function toGuard(context: Context, schema: SchemaModel, row: Row, known: Row): Row | undefined {
  if (!findRecorder(context, schema)) return undefined;
  const names = Object.keys(row).filter(
    (name) => name !== schema.updated && row[name] !== undefined && Object.hasOwn(known, name),
  );
  const toStored = (name: string): unknown => {
    const value = known[name] ?? null;
    return value !== null && findJson(schema).includes(name) ? JSON.stringify(value) : value;
  };
  return Object.fromEntries(names.map((name) => [name, toStored(name)]));
}

/** The same for a change by one statement. Undefined if it must have none. */
export function findOneGuard(context: Context, schema: SchemaModel, row: Row, original: Row): Row | undefined {
  const guard = toGuard(context, schema, row, original);
  const texts = toTextGuard(context.services.database, schema, row, guard ?? {}, original);
  return Object.keys(texts).length === 0 ? guard : { ...guard, ...texts };
}

/**
 * Changes a row that was read before; gives the values that the change replaces. If another write came in between, it reads
 * them again. Undefined if the row no longer exists, or `held` no longer applies to it. Call it in a transaction.
 */
export async function updateKnown(
  context: Context,
  schema: SchemaModel,
  id: number,
  {
    row,
    live,
    rowFilter,
    known,
  }: {
    readonly row: Row;
    readonly live: LiveKeys;
    readonly rowFilter: CompiledFilter | undefined;
    readonly known: Row;
  },
): Promise<Row | undefined> {
  const { database } = context.services;
  const guard = toGuard(context, schema, row, known);
  if (await updateRow(database, schema, id, { row, live, rowFilter, ...(guard && { guard }) })) return known;
  if (guard === undefined) return undefined;
  const by = { column: schema.primary, value: id, isLocking: true };
  const stored = await readColumns(database, schema, by, [schema.primary, ...Object.keys(guard)]);
  if (stored === undefined || !(await updateRow(database, schema, id, { row, live, rowFilter }))) return undefined;
  return { ...known, ...decodeRow(schema, stored) };
}
