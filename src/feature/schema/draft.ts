import { continueWith } from '../../core/continue-with.ts';
import type { Request } from '../../core/request/request.ts';
import type { Messages, Refusal } from '../../core/request/response.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { fieldKinds, type PrepareTools } from '../../model/field/field-kind.ts';
import { findCleaned } from '../../model/field/html-ahead.ts';
import { findHashes } from '../../model/field/password-hashes.ts';
import { toTakenMessage, type ValidateMode, type Values } from '../../model/field/validate.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import { isTreeKey } from '../../model/tree.ts';
import { RowFailure } from '../../plan/emit/row-feed.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Reach } from '../../store/read/source/view.ts';
import { listLiveKeys } from '../../store/write/live-key.ts';
import { readColumns } from '../../store/write/row-sql.ts';
import {
  explainTogether,
  findConstraint,
  notOwned,
  outOfReach,
  toCycleMessage,
  toInvalid,
  toMissingMessage,
  toTaken,
} from './errors.ts';
import { describeFormer } from './holder.ts';
import {
  type ForeignKey,
  type PreparedRow,
  prepareRow,
  type RowPlan,
  readForeignValues,
  readRowValues,
} from './row-plan.ts';
import type { Stage } from './stage.ts';
import { Uploads } from './uploads.ts';

/** Tools that prepare one row. Its uploaded files belong to this row only. */
export interface RowTools extends PrepareTools {
  readonly files: Uploads;
}

export const createTools = ({ services, plan }: Context, request: Request): RowTools => {
  const address = request.getServer('REMOTE_ADDR');
  return {
    files: new Uploads(services, plan.model.settings.server.uploadBytes),
    now: services.clock.now(),
    random: services.random,
    passwords: services.passwords,
    address: typeof address === 'string' ? address : undefined,
    hashes: findHashes(request),
    html: findCleaned(request) ?? services.html,
  };
};

/**
 * Sets the stage's owner column to the owner from the access, whatever was sent. Fails if the schema has no owner
 * column, or if a user would create a profile.
 */
export function restrictToOwner(
  schema: SchemaModel,
  stage: Stage,
  { rows }: Reach,
  mode: ValidateMode,
): { readonly stage: Stage } | { readonly failure: Refusal } {
  if (rows?.owner === undefined) return { stage };
  const owner = findOwnerColumn(schema);
  if (owner === undefined || (owner === schema.primary && mode === 'create'))
    return { failure: notOwned(schema.plural) };
  return { stage: owner === schema.primary ? stage : { ...stage, [owner]: rows.owner } };
}

/**
 * Checks that a written row is still within reach, so that nobody moves a row out of their own reach or creates
 * one there.
 *
 * @throws RowFailure (403)
 */
export async function checkWritten(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<void> {
  const rows = reach.after ?? reach.rows;
  if (rows?.anyOf === undefined) return;
  const searcher = getSearcher(context.plan.model);
  const reached = await searcher.reached(context.services.database, schema.name, [id], rows);
  if (!reached.has(id)) throw new RowFailure(outOfReach(schema.singular));
}

export interface DraftInput {
  readonly plan: RowPlan;
  readonly stage: Stage;
  readonly mode: ValidateMode;
  readonly tools: RowTools;
  readonly database: Database;
  /** The stored row, on update. */
  readonly stored?: Row;
  /** True if null clears every optional column, a parent's key included. Default false. @see RFC 7396 */
  readonly isPatch?: boolean;
}

/**
 * Messages for values that another row already has. The unique index still decides: two requests may pass this
 * check at the same moment.
 */
async function findTaken({ plan, database, tools, stored }: DraftInput, values: Values): Promise<Messages> {
  const { schema } = plan;
  const messages: Messages = {};
  for (const column of plan.unique) {
    const value = fieldKinds[column.field.type].coerce(values[column.name], tools.now);
    if (!Object.hasOwn(values, column.name) || value === null || value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const by = { column: column.name, value, isActive: true };
    const other = await readColumns(database, schema, by, [schema.primary]);
    if (other && other[schema.primary] !== stored?.[schema.primary]) messages[column.name] = toTakenMessage(column);
  }
  return messages;
}

/** A row does not change its parent directly: it must be unlinked first, then linked. In a tree it moves. */
function findParentConflict({ plan, stored = {} }: DraftInput, foreign: Values): Refusal | undefined {
  for (const { kind, column, target } of plan.foreign) {
    const before = stored[column];
    if (isTreeKey(plan.schema, column)) continue;
    if (kind !== 'parent' || before === null || before === undefined || typeof foreign[column] !== 'number') continue;
    if (Number(before) !== foreign[column]) return toParentConflict(plan.schema, target, Number(before), column);
  }
  return undefined;
}

export function toParentConflict(child: SchemaModel, parent: SchemaModel, parentId: number, column: string): Refusal {
  const message = `${child.singular} already belongs to ${parent.singular} ${parentId}; unlink it first`;
  noteRule(message, { rule: 'linked', params: { id: parentId } });
  return { status: 409, message, validation: { [column]: message }, code: 'ROW_LINKED_ELSEWHERE' };
}

type DraftResult = { readonly row: Row } | { readonly failure: Refusal };

/**
 * Validates a stage and prepares its row for storage. A failure lists all errors at once. Gives a promise only if a column
 * needs one.
 */
export function draftRow(input: DraftInput): DraftResult | Promise<DraftResult> {
  const { plan, stage, mode, tools } = input;
  const values = readRowValues(plan, stage, mode, tools.now);
  const foreign = readForeignValues(plan, stage, mode, input.isPatch);
  const broken = { ...plan.validate(values, mode, input.stored), ...foreign.messages };
  const isBroken = Object.keys(broken).length > 0;
  const draft = (taken: Messages): DraftResult | Promise<DraftResult> => {
    if (isBroken) return { failure: toInvalid({ ...broken, ...taken }) };
    if (Object.keys(taken).length > 0) return { failure: toTaken(taken) };
    const conflict = findParentConflict(input, foreign.values);
    if (conflict) return { failure: conflict };
    return continueWith(prepareWithFiles(input, values), (prepared) => {
      if (Object.keys(prepared.messages).length > 0) return { failure: toInvalid(prepared.messages) };
      return { row: { ...prepared.values, ...foreign.values } };
    });
  };
  if (plan.unique.length === 0) return draft({});
  const isFree = ([name]: [string, unknown]): boolean => broken[name] === undefined;
  return findTaken(input, isBroken ? Object.fromEntries(Object.entries(values).filter(isFree)) : values).then(draft);
}

/** Prepares a row; on failure discards the files stored so far. */
function prepareWithFiles({ plan, mode, tools }: DraftInput, values: Values): PreparedRow | Promise<PreparedRow> {
  const { files } = tools;
  const settle = (prepared: PreparedRow): PreparedRow | Promise<PreparedRow> =>
    files.isEmpty || Object.keys(prepared.messages).length === 0 ? prepared : files.discard().then(() => prepared);
  const fail = async (error: unknown): Promise<never> => {
    await files.discard();
    throw error;
  };
  try {
    const prepared = prepareRow(plan, values, mode, tools);
    return prepared instanceof Promise ? prepared.then(settle, fail) : settle(prepared);
  } catch (error) {
    return fail(error);
  }
}

/**
 * Called at the beginning of the write. If it or an outer transaction rolls back, the row's files are discarded.
 */
export function tieFiles({ files }: RowTools, database: Database): void {
  database.afterRollback(() => files.discard());
}

/** Messages for foreign keys that refer to no row, or to a removed one. */
async function findMissing(
  foreign: readonly ForeignKey[],
  row: Row,
  { database, isActive }: { readonly database: Database; readonly isActive: boolean },
): Promise<Messages> {
  const messages: Messages = {};
  for (const { column, target, label } of foreign) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    const by = { column: target.primary, value, isActive };
    const found = await readColumns(database, target, by, [target.primary]);
    if (!found) messages[column] = toMissingMessage(label, value);
  }
  return messages;
}

/** A write of a row, and its values before it on update. */
interface WriteFacts {
  readonly plan: RowPlan;
  readonly row: Row;
  readonly before?: Row;
  /** Its id, if it is neither in the row nor in the values before. */
  readonly id?: number;
  readonly database: Database;
}

/** The client's failure for a write that failed; undefined if the client did not cause it. */
export async function explainWrite(
  error: unknown,
  { plan, row, before, id: own, database }: WriteFacts,
): Promise<Refusal | undefined> {
  if (error instanceof RowFailure) return error.failure;
  const broken = findConstraint(error);
  if (!broken) return undefined;
  const { schema } = plan;
  const together = explainTogether(schema, broken);
  if (together) return together;
  if (broken.kind === 'unique') {
    const columns = broken.columns.flatMap((name) => schema.byName.get(name) ?? []);
    const messages: Messages = {};
    for (const column of columns) {
      const former = await describeFormer(database, schema, { name: column.name, value: row[column.name] });
      messages[column.name] = noteRule(`${toTakenMessage(column)}${former}`, { rule: 'taken' }, column.name);
    }
    if (columns.length > 0) return toTaken(messages);
    const names = broken.columns.length === 0 ? 'unique values' : broken.columns.join(', ');
    return { status: 409, message: `Another ${schema.singular} has the same ${names}`, code: 'VALUE_TAKEN' };
  }
  if (broken.kind === 'foreign') {
    const live = listLiveKeys(plan.foreign, row, before);
    const named = plan.foreign.filter(({ column }) => live.has(column));
    const missing = await findMissing(plan.foreign, row, { database, isActive: false });
    const messages = { ...(await findMissing(named, row, { database, isActive: true })), ...missing };
    if (Object.keys(messages).length > 0) return toInvalid(messages);
    const message = `A row that the ${schema.singular} refers to was just removed. Send the request again to learn which.`;
    return { status: 409, message, code: 'ROW_CHANGED_MEANWHILE' };
  }
  if (broken.kind === 'tree') {
    const id = own ?? before?.[schema.primary] ?? row[schema.primary];
    const toMessage = (column: string): string =>
      toCycleMessage(schema.singular, typeof id === 'number' ? id : undefined, row[column]);
    return toInvalid(Object.fromEntries(broken.columns.map((column) => [column, toMessage(column)])));
  }
  const messages = Object.assign({}, ...broken.columns.map((name) => plan.validate({ [name]: null }, 'update')));
  return Object.keys(messages).length > 0 ? toInvalid(messages) : undefined;
}

/** The stored row, as a search returns it. */
export async function readBack(context: Context, schema: SchemaModel, id: number): Promise<Row> {
  const by = { column: schema.primary, value: id };
  const options = { includesRemoved: true, relations: [] };
  const { database } = context.services;
  return (await getSearcher(context.plan.model).detail(database, schema.name, by, options)) ?? { [schema.primary]: id };
}
