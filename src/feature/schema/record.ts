import { memoize } from '../../core/memoize.ts';
import type { Collected, Joined, Row } from '../../database/database.ts';
import { fieldKinds } from '../../model/field-kind.ts';
import { decodeJson } from '../../model/json-value.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Change, type ChangeRecorder, findRecorder, recordChange } from '../../plan/recorder.ts';
import type { HeldRows } from '../../store/read/parse/predicate.ts';
import type { Pair } from './link.ts';
import type { LiveKeys } from './live-key.ts';
import { readColumns, updateRow } from './sql.ts';

/** Records the row of a single statement. A class, because every write makes one: closures cost more. */
export class Recording {
  readonly #recorder: ChangeRecorder;
  readonly #change: Omit<Change, 'id' | 'after'>;

  constructor(recorder: ChangeRecorder, change: Omit<Change, 'id' | 'after'>) {
    this.#recorder = recorder;
    this.#change = change;
  }

  /** After the statement. @param after What it gave. */
  collect(after: Row): Collected | undefined {
    // Named one by one: a spread took a third of what a record of a small row costs.
    const { action, schema, before, columns } = this.#change;
    return this.#recorder.record({ action, schema, before, columns, id: Number(after[schema.primary]), after });
  }

  /** As a part of it. @param stored What it stores. */
  join(stored: Row): Joined | undefined {
    const { action, schema, before, columns } = this.#change;
    return this.#recorder.join({ action, schema, before, columns, after: decodeRow(schema, stored) });
  }
}

/** Undefined if the schema's changes are not recorded. */
export function findRecording(context: Context, change: Omit<Change, 'id' | 'after'>): Recording | undefined {
  const recorder = findRecorder(context, change.schema);
  return recorder && new Recording(recorder, change);
}

/**
 * True if the history must compare the stored row with the one before: PostgreSQL gives the keys of a JSON value in an order of
 * its own.
 */
export const comparesStored = (context: Context, schema: SchemaModel, row: Row): boolean =>
  context.services.database.dialect === 'postgres' &&
  findRecorder(context, schema) !== undefined &&
  findJson(schema).some((name) => Object.hasOwn(row, name));

/** The columns that a record of a removed row keeps; none if the schema's changes are not recorded. */
export const listRecorded = (context: Context, schema: SchemaModel): readonly string[] =>
  findRecorder(context, schema) ? schema.row.stored.filter((name) => !isSecret(schema, name)) : [];

const isSecret = ({ row }: SchemaModel, name: string): boolean => row.secrets.some((column) => column.name === name);

const findJson = memoize(({ columns }: SchemaModel) =>
  columns.filter(({ field }) => fieldKinds[field.type].isJson).map(({ name }) => name),
);

/** Stored values as a search gives them. */
export function decodeRow(schema: SchemaModel, stored: Row): Row {
  const names = findJson(schema).filter((name) => Object.hasOwn(stored, name));
  if (names.length === 0) return stored;
  return { ...stored, ...Object.fromEntries(names.map((name) => [name, decodeJson(stored[name])])) };
}

/**
 * The values that a row must still have when it is changed, so that a record of the change has the values before it without
 * another statement. Undefined if the schema's changes are not recorded.
 */
export function toGuard(context: Context, schema: SchemaModel, row: Row, known: Row): Row | undefined {
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
    held,
    known,
  }: { readonly row: Row; readonly live: LiveKeys; readonly held: HeldRows | undefined; readonly known: Row },
): Promise<Row | undefined> {
  const { database } = context.services;
  const guard = toGuard(context, schema, row, known);
  if (await updateRow(database, schema, id, { row, live, held, ...(guard && { guard }) })) return known;
  if (guard === undefined) return undefined;
  const by = { column: schema.primary, value: id, isLocking: true };
  const stored = await readColumns(database, schema, by, [schema.primary, ...Object.keys(guard)]);
  if (stored === undefined || !(await updateRow(database, schema, id, { row, live, held }))) return undefined;
  return { ...known, ...decodeRow(schema, stored) };
}

/** Records a link of two rows in the history of each. Call it in the transaction that makes or removes it. */
export function recordLink(
  context: Context,
  action: 'link' | 'unlink',
  { relation, source, target }: Pair,
  ids: { readonly source: number; readonly target: number },
): void {
  const { name } = relation;
  const other = { relation: name, schema: target.schema.name, id: ids.target };
  recordChange(context, { action, schema: source.schema, id: ids.source, details: other });
  const back = { relation: name, schema: source.schema.name, id: ids.source };
  recordChange(context, { action, schema: target.schema, id: ids.target, details: back });
}
