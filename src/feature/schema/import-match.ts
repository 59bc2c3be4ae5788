import { noteRule } from '../../core/text/rule-note.ts';
import type { Database } from '../../database/database.ts';
import { fromUnits, toUnits } from '../../model/decimal/decimal.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { toTakenMessage, type Values } from '../../model/field/validate.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findMatches, findRows, type Match } from '../../store/write/bulk.ts';
import type { IdSet } from '../../store/write/id-set.ts';
import { checkLinks } from './import-links.ts';
import type { VisibilityFilter } from './import-pending.ts';
import type { ImportPlan, KeyColumn } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';
import { readRowValues } from './row-plan.ts';
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
  readonly sees?: VisibilityFilter;
}

function readKey({ model, name, scale }: KeyColumn, stage: Stage, now: number): string | number | undefined {
  if (!model) return toId(stage[name]);
  if (!Object.hasOwn(stage, name)) return undefined;
  const value = fieldKinds[model.field.type].coerce(stage[name], now);
  if (scale !== undefined) return typeof value === 'string' ? readDecimal(value, scale) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** A decimal as rows show it, so that 12.5 and 12.50 are one key. */
function readDecimal(value: string, scale: number): string | undefined {
  const units = toUnits(value, scale);
  return units === undefined ? undefined : fromUnits(units, scale);
}

const TAKEN = 'An earlier row has the same value';
const isSound = ({ messages, errors }: ImportRow): boolean =>
  Object.keys(messages).length === 0 && Object.keys(errors.update).length === 0;

/** The rows of a batch that a key may match, and their known matches. */
interface MatchBatch extends MatchInput {
  readonly key: KeyColumn;
  /** Sent rows that are removed when they are written: they hold no unique value. */
  readonly removed: ReadonlySet<ImportRow>;
  /** The removed row that a sent row stands for if no active one has its values. */
  readonly former: Map<ImportRow, number>;
}

/** The key's value in each row that has one. A row that repeats an earlier row's value gets a message. */
function readKeys(rows: readonly ImportRow[], { key, now, removed }: MatchBatch): Map<ImportRow, string | number> {
  const values = new Map<ImportRow, string | number>();
  const first = new Map<string | number, ImportRow>();
  for (const row of rows) {
    if (key.model && removed.has(row)) continue;
    const value = readKey(key, row.stage, now);
    if (value === undefined) continue;
    values.set(row, value);
    // A row that is bad anyway does not claim its value from a good row.
    if (!isSound(row)) continue;
    const other = first.get(value);
    if (other === undefined) first.set(value, row);
    else row.messages[key.name] = noteRule(`Row ${other.given.line} has the same value`, { rule: 'taken' });
  }
  return values;
}

/** A stored row has this key: the sent row updates it, or the key is already taken. */
function noteFound(row: ImportRow, { id, isActive }: Match, matching: MatchBatch): void {
  if (row.id === id) return;
  const { plan, key, written, isNew, former } = matching;
  const { primary } = plan.rows.schema;
  const isFree = row.id === undefined && (!key.model || toId(row.stage[primary]) === undefined);
  if (key.model && !isActive) {
    // A removed row has let its value go; it is meant only if nothing else is.
    if (isFree && !isNew && !written.has(id)) former.set(row, Math.max(former.get(row) ?? 0, id));
  } else if (written.has(id)) row.messages[key.name] ??= noteRule(TAKEN, { rule: 'taken' });
  else if (isFree && !isNew) row.id = id;
  else
    row.messages[key.name] ??= key.model
      ? toTakenMessage(key.model)
      : noteRule('Another row has this value', { rule: 'taken' });
}

/** Sent rows that name their id and are removed, or stay so. */
function listRemoved(
  rows: readonly ImportRow[],
  { primary, active }: SchemaModel,
  byId: ReadonlyMap<unknown, Match>,
): Set<ImportRow> {
  if (active === undefined) return new Set();
  return new Set(
    rows.filter(({ stage, stored }) => {
      const id = toId(stage[primary]);
      if (id === undefined) return false;
      return stored[active] === undefined ? byId.get(id)?.isActive === false : stored[active] === 0;
    }),
  );
}

/**
 * Finds the stored row that each sent row updates, with one statement per key, or two. If two sent rows share a value or a stored
 * row, the later one is at fault.
 */
async function matchKeys(rows: readonly ImportRow[], input: MatchInput): Promise<void> {
  const { plan, database } = input;
  const { schema } = plan.rows;
  const former = new Map<ImportRow, number>();
  let removed: ReadonlySet<ImportRow> = new Set();
  for (const key of plan.matches) {
    const matching = { ...input, key, removed, former };
    const values = readKeys(rows, matching);
    const found = await findMatches(database, schema, key, [...new Set(values.values())]);
    for (const [row, value] of values) {
      const match = found.get(value);
      if (match !== undefined) noteFound(row, match, matching);
    }
    if (!key.model) removed = listRemoved(rows, schema, found);
  }
  for (const [row, id] of former) row.id ??= id;
  const changed = new Set<number>();
  for (const { id, messages } of rows) {
    if (id === undefined) continue;
    if (changed.has(id)) messages[schema.primary] ??= noteRule(TAKEN, { rule: 'taken' });
    changed.add(id);
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
    const sent: Values = readRowValues(plan.rows, row.stage, 'update', now);
    // A password was validated before, and may already be a hash.
    for (const { name, field } of schema.columns) if (fieldKinds[field.type].isSecret) delete sent[name];
    const compared = validate(sent, 'update', found.get(row.id as number));
    row.errors = { ...row.errors, update: { ...row.errors.update, ...compared } };
  }
}

/** Separates new rows from changes, and adds the errors of each row to its messages. */
export async function matchRows(rows: readonly ImportRow[], input: MatchInput): Promise<readonly ImportRow[]> {
  const readable = rows.filter(({ messages }) => !Object.hasOwn(messages, 'row'));
  await matchKeys(readable, input);
  await checkLinks(readable, input);
  await compareStored(readable.filter(isSound), input);
  for (const { id, messages, errors } of readable) {
    const found = id === undefined ? errors.create : errors.update;
    for (const [column, message] of Object.entries(found)) messages[column] ??= message;
  }
  return readable.filter(({ messages }) => Object.keys(messages).length === 0);
}
