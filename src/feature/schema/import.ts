import { toDidYouMean } from '../../core/suggest.ts';
import type { Database, Row } from '../../database/database.ts';
import { fieldKinds, type PrepareTools } from '../../model/field-kind.ts';
import { toTakenMessage, type ValidateMode, type Values } from '../../model/validate.ts';
import type { Source } from '../../query/source.ts';
import { prepareRow, type RowPlan, toForeignValues, toRowValues } from './row-plan.ts';
import { readIds } from './sql.ts';
import { type Stage, toId } from './stage.ts';

/** A row of an import on its way: by its place in the list. */
export interface ImportRow {
  readonly index: number;
  /** The sent values under full column names. */
  readonly stage: Stage;
  readonly messages: Record<string, string>;
  /** The row that it changes; undefined for a new one. */
  id: number | undefined;
}

export interface ImportInput {
  readonly plan: RowPlan;
  readonly source: Source;
  readonly database: Database;
  readonly tools: PrepareTools;
  /** Keys that are neither a column nor a field are left out instead of being a fault. */
  readonly ignoresUnknown: boolean;
}

/** Gives a sent row its full column names; a key that is no column is a fault. */
export function readImportRow(raw: unknown, index: number, { plan, source, ignoresUnknown }: ImportInput): ImportRow {
  const { schema } = plan;
  const stage: Values = {};
  const messages: Record<string, string> = {};
  const row: ImportRow = { index, stage, messages, id: undefined };
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    messages.row = 'A row is an object of columns and values';
    return row;
  }
  for (const [key, value] of Object.entries(raw)) {
    const column = schema.byName.get(key)?.name ?? (source.columns.has(key) ? key : undefined);
    if (column !== undefined) stage[column] = value;
    else if (!ignoresUnknown) {
      const known = schema.columns.map(({ field }) => field.name);
      messages[key] = `"${key.slice(0, 64)}" is not a column of ${schema.name}. ${toDidYouMean(key, known)}`;
    }
  }
  return row;
}

/** Columns that tell whether a row is there already: the primary key, then the unique ones. */
function listKeys({ plan, tools }: ImportInput): { readonly column: string; read(stage: Stage): unknown }[] {
  const { primary } = plan.schema;
  const unique = plan.unique.map(({ name, field }) => ({
    column: name,
    read: (stage: Stage) => fieldKinds[field.type].coerce(stage[name], tools.now) ?? undefined,
  }));
  return [{ column: primary, read: (stage) => toId(stage[primary]) }, ...unique];
}

/** Finds the row that each sent one changes, and those that say the same unique value twice. */
export async function matchRows(rows: readonly ImportRow[], input: ImportInput): Promise<void> {
  const { plan, database } = input;
  for (const { column, read } of listKeys(input)) {
    const places = new Map<unknown, number>();
    for (const { stage, index, messages } of rows) {
      const value = read(stage);
      if (value === undefined) continue;
      const first = places.get(value);
      if (first !== undefined) messages[column] = `Row ${first + 1} has this value too`;
      else places.set(value, index);
    }
    const found = await readIds(database, plan.schema, column, [...places.keys()]);
    for (const row of rows) {
      const id = found.get(read(row.stage));
      if (id === undefined || id === row.id) continue;
      if (
        row.id === undefined &&
        (column === plan.schema.primary || toId(row.stage[plan.schema.primary]) === undefined)
      ) {
        row.id = id;
      } else {
        const taken = plan.unique.find(({ name }) => name === column);
        row.messages[column] = taken ? toTakenMessage(taken) : 'Another row has this value';
      }
    }
  }
}

/** Messages for ids that lead nowhere: one query a relation, whatever the number of rows. */
export async function checkForeign(rows: readonly ImportRow[], { plan, database }: ImportInput): Promise<void> {
  for (const { column, target, message } of plan.foreign) {
    const ids = new Set(rows.flatMap(({ stage }) => toId(stage[column]) ?? []));
    if (ids.size === 0) continue;
    const found = await readIds(database, target, target.primary, [...ids]);
    for (const { stage, messages } of rows) {
      const id = toId(stage[column]);
      if (id !== undefined && !found.has(id)) messages[column] ??= message;
    }
  }
}

/** Checks one row by the schema's rules and makes it ready to be written. */
export async function prepareImportRow(row: ImportRow, { plan, tools }: ImportInput): Promise<Row> {
  const mode: ValidateMode = row.id === undefined ? 'create' : 'update';
  const values = toRowValues(plan, row.stage, mode, tools.now);
  const foreign = toForeignValues(plan, row.stage, mode);
  for (const messages of [foreign.messages, plan.validate(values, mode)]) {
    for (const [column, message] of Object.entries(messages)) row.messages[column] ??= message;
  }
  if (Object.keys(row.messages).length > 0) return {};
  const prepared = await prepareRow(plan, values, mode, tools);
  Object.assign(row.messages, prepared.messages);
  return { ...prepared.values, ...foreign.values, ...keepOwn(row, plan, tools) };
}

/** What an import may set that create and update may not: a new row's id, and whether the row was removed. */
function keepOwn({ stage, id }: ImportRow, { schema }: RowPlan, { now }: PrepareTools): Row {
  const kept: Row = {};
  const given = toId(stage[schema.primary]);
  if (id === undefined && given !== undefined) kept[schema.primary] = given;
  const { active } = schema;
  const flag = active === undefined ? undefined : fieldKinds.active.coerce(stage[active] ?? 1, now);
  if (active !== undefined && Object.hasOwn(stage, active) && (flag === 0 || flag === 1)) kept[active] = flag;
  return kept;
}
