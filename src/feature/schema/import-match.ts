import type { Database } from '../../database/database.ts';
import { fieldKinds } from '../../model/field-kind.ts';
import type { SchemaModel } from '../../model/model.ts';
import { toTakenMessage, type Values } from '../../model/validate.ts';
import { toMissingMessage } from './errors.ts';
import type { IdSet } from './id-set.ts';
import type { Sees } from './import-pending.ts';
import type { ImportPlan, KeyColumn } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';
import { findIds, findRows } from './import-sql.ts';
import { toRowValues } from './row-plan.ts';
import { type Stage, toId } from './stage.ts';

export interface MatchInput {
  readonly plan: ImportPlan;
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Ids of the rows that this import has already written. */
  readonly written: IdSet;
  /** See {@link RowFeedOptions.isNew}. */
  readonly isNew: boolean;
  /** Default: the caller sees every row. */
  readonly sees?: Sees;
}

function readKey({ model, name }: KeyColumn, stage: Stage, now: number): string | number | undefined {
  if (!model) return toId(stage[name]);
  if (!Object.hasOwn(stage, name)) return undefined;
  const value = fieldKinds[model.field.type].coerce(stage[name], now);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

const TAKEN = 'An earlier row has the same value';
const isSound = ({ messages, faults }: ImportRow): boolean =>
  Object.keys(messages).length === 0 && Object.keys(faults.update).length === 0;

/** The key's value in each row that has one. A row that repeats an earlier row's value gets a message. */
function readKeys(rows: readonly ImportRow[], key: KeyColumn, now: number): Map<ImportRow, string | number> {
  const values = new Map<ImportRow, string | number>();
  const first = new Map<string | number, ImportRow>();
  for (const row of rows) {
    const value = readKey(key, row.stage, now);
    if (value === undefined) continue;
    values.set(row, value);
    // A row that is bad anyway does not claim its value from a good row.
    if (!isSound(row)) continue;
    const other = first.get(value);
    if (other === undefined) first.set(value, row);
    else row.messages[key.name] = `Row ${other.given.line} has the same value`;
  }
  return values;
}

/** A stored row has this key: the sent row updates it, or the key is already taken. */
function noteFound(row: ImportRow, id: number, key: KeyColumn, { plan, written, isNew }: MatchInput): void {
  if (row.id === id) return;
  const { primary } = plan.rows.schema;
  const isFree = row.id === undefined && (!key.model || toId(row.stage[primary]) === undefined);
  if (written.has(id)) row.messages[key.name] ??= TAKEN;
  else if (isFree && !isNew) row.id = id;
  else row.messages[key.name] ??= key.model ? toTakenMessage(key.model) : 'Another row has this value';
}

/**
 * Finds the stored row that each sent row updates, with one statement per key. If two sent rows share a value or
 * a stored row, the later one is at fault.
 */
async function matchKeys(rows: readonly ImportRow[], input: MatchInput): Promise<void> {
  const { plan, database, now } = input;
  for (const key of plan.matches) {
    const values = readKeys(rows, key, now);
    const found = await findIds(database, plan.rows.schema, key, [...new Set(values.values())]);
    for (const [row, value] of values) {
      const id = found.get(value);
      if (id !== undefined) noteFound(row, id, key, input);
    }
  }
  const changed = new Set<number>();
  for (const { id, messages } of rows) {
    if (id === undefined) continue;
    if (changed.has(id)) messages[plan.rows.schema.primary] ??= TAKEN;
    changed.add(id);
  }
}

/** Ids of rows that exist and that the caller may see through a relation. */
async function findSeen(
  { database, sees }: MatchInput,
  schema: SchemaModel,
  ids: ReadonlySet<number>,
): Promise<ReadonlySet<unknown>> {
  const found = await findIds(database, schema, { name: schema.primary, type: 'bigint' }, [...ids]);
  return sees ? sees(schema.name, [...found.values()]) : new Set(found.values());
}

/**
 * Messages for ids of rows that do not exist: one statement per relation. Ids of the same table are skipped,
 * since their rows may follow in the file.
 */
async function checkForeign(rows: readonly ImportRow[], input: MatchInput): Promise<void> {
  const { plan } = input;
  const { schema, foreign } = plan.rows;
  for (const { column, target, label } of foreign) {
    if (target === schema) continue;
    const ids = new Set(rows.flatMap(({ stage }) => toId(stage[column]) ?? []));
    const found = await findSeen(input, target, ids);
    for (const { stage, messages } of rows) {
      const id = toId(stage[column]);
      if (id !== undefined && !found.has(id)) messages[column] ??= toMissingMessage(label, id);
    }
  }
  for (const link of plan.links) {
    if (link.target === schema) continue;
    const ids = new Set(rows.flatMap(({ links }) => links.get(link) ?? []));
    const found = await findSeen(input, link.target, ids);
    for (const { links, messages } of rows) {
      const missing = links.get(link)?.find((id) => !found.has(id));
      if (missing !== undefined) messages[link.key] ??= toMissingMessage(link.target.singular, missing);
    }
  }
}

/** Rules that compare columns also need the stored values of the row. */
async function compareStored(rows: readonly ImportRow[], { plan, database, now }: MatchInput): Promise<void> {
  const changed = rows.filter(({ id }) => id !== undefined);
  if (plan.compared.length === 0 || changed.length === 0) return;
  const { schema, validate } = plan.rows;
  const ids = changed.map(({ id }) => id as number);
  const columns = schema.columns.map(({ name }) => name).filter((name) => plan.compared.includes(name));
  const found = await findRows(database, schema, ids, columns);
  for (const row of changed) {
    const sent: Values = toRowValues(plan.rows, row.stage, 'update', now);
    // A password was validated before, and may already be a hash.
    for (const { name, field } of schema.columns) if (fieldKinds[field.type].isSecret) delete sent[name];
    Object.assign(row.faults.update, validate(sent, 'update', found.get(row.id as number)));
  }
}

/** Separates new rows from changes, and adds the faults of each row to its messages. */
export async function matchRows(rows: readonly ImportRow[], input: MatchInput): Promise<readonly ImportRow[]> {
  const readable = rows.filter(({ messages }) => !Object.hasOwn(messages, 'row'));
  await matchKeys(readable, input);
  await checkForeign(readable, input);
  await compareStored(readable.filter(isSound), input);
  for (const { id, messages, faults } of readable) {
    const found = id === undefined ? faults.create : faults.update;
    for (const [column, message] of Object.entries(found)) messages[column] ??= message;
  }
  return readable.filter(({ messages }) => Object.keys(messages).length === 0);
}
