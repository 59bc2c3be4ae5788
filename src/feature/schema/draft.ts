import type { Request } from '../../core/request.ts';
import type { Database, Row } from '../../database/database.ts';
import { fieldKinds, type PrepareTools } from '../../model/field-kind.ts';
import { findCleaned } from '../../model/html-ahead.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findHashes } from '../../model/password-hashes.ts';
import { type Messages, toTakenMessage, type ValidateMode, type Values } from '../../model/validate.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher, type Reach } from '../../query/searcher.ts';
import { findOwnerColumn } from '../../query/source.ts';
import { type Failure, findConstraint, notOwned, outOfReach, toInvalid } from './errors.ts';
import { type ForeignKey, type Prepared, prepareRow, type RowPlan, toForeignValues, toRowValues } from './row-plan.ts';
import { readColumns } from './sql.ts';
import type { Stage } from './stage.ts';
import { Uploads } from './uploads.ts';

/** A failure met inside a write: thrown so that the write is rolled back, then set on the response. */
export class RowFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** What a row is prepared with; the files that it takes are its own. */
export interface RowTools extends PrepareTools {
  readonly files: Uploads;
}

export const toTools = ({ services, plan }: Context, request: Request): RowTools => {
  const address = request.getServer('REMOTE_ADDR');
  return {
    files: new Uploads(services, plan.model.settings.server.uploadBytes),
    now: services.clock.now(),
    random: services.random,
    address: typeof address === 'string' ? address : undefined,
    hashes: findHashes(request),
    html: findCleaned(request) ?? services.html,
  };
};

/**
 * The stage with the profile that owns the rows within reach, whatever was sent. A failure where rows of the schema
 * have no owner; a profile itself is not created by its user.
 */
export function holdToOwner(
  schema: SchemaModel,
  stage: Stage,
  { rows }: Reach,
  mode: ValidateMode,
): { readonly stage: Stage } | { readonly failure: Failure } {
  if (rows?.owner === undefined) return { stage };
  const owner = findOwnerColumn(schema);
  if (owner === undefined || (owner === schema.primary && mode === 'create'))
    return { failure: notOwned(schema.plural) };
  return { stage: owner === schema.primary ? stage : { ...stage, [owner]: rows.owner } };
}

/**
 * Makes sure that a row which was written is still within reach: nobody moves a row out of sight, or creates one there.
 *
 * @throws RowFailure (403)
 */
export async function holdWritten(context: Context, schema: SchemaModel, id: number, { rows }: Reach): Promise<void> {
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
  /** The row before, on update. */
  readonly stored?: Row;
  /** Whether null clears whatever may be empty, the key of a parent too. Default false. @see RFC 7396 */
  readonly isPatch?: boolean;
}

/** Messages for values that another row has. The database has the last word: two may ask at the same moment. */
async function findTaken({ plan, database, tools, stored }: DraftInput, values: Values): Promise<Messages> {
  const { schema } = plan;
  const messages: Messages = {};
  for (const column of plan.unique) {
    const value = fieldKinds[column.field.type].coerce(values[column.name], tools.now);
    if (!Object.hasOwn(values, column.name) || value === null || value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const other = await readColumns(database, schema, { column: column.name, value }, [schema.primary]);
    if (other && other[schema.primary] !== stored?.[schema.primary]) messages[column.name] = toTakenMessage(column);
  }
  return messages;
}

/** A parent that the row has already is not changed for another: that is unlinking, then linking. */
function findParentConflict({ plan, stored = {} }: DraftInput, foreign: Values): Failure | undefined {
  for (const { kind, column, target } of plan.foreign) {
    const before = stored[column];
    if (kind !== 'parent' || before === null || before === undefined || typeof foreign[column] !== 'number') continue;
    if (Number(before) !== foreign[column]) return toParentConflict(plan.schema, target, Number(before), column);
  }
  return undefined;
}

export function toParentConflict(child: SchemaModel, parent: SchemaModel, parentId: number, column: string): Failure {
  const message = `${child.singular} belongs to ${parent.singular} ${parentId} already; unlink it first`;
  return { status: 409, message, validation: { [column]: message } };
}

/** Checks a stage by the schema's rules and makes its row ready to be written; or why not, all faults at once. */
export async function draftRow(input: DraftInput): Promise<{ readonly row: Row } | { readonly failure: Failure }> {
  const { plan, stage, mode, tools } = input;
  const values = toRowValues(plan, stage, mode, tools.now);
  const foreign = toForeignValues(plan, stage, mode, input.isPatch);
  const broken = { ...plan.validate(values, mode, input.stored), ...foreign.messages };
  const free = Object.fromEntries(Object.entries(values).filter(([name]) => broken[name] === undefined));
  const taken = plan.unique.length === 0 ? {} : await findTaken(input, free);
  if (Object.keys(broken).length > 0) return { failure: toInvalid({ ...broken, ...taken }) };
  if (Object.keys(taken).length > 0) return { failure: toInvalid(taken, 409) };
  const conflict = findParentConflict(input, foreign.values);
  if (conflict) return { failure: conflict };
  const prepared = await prepareWithFiles(input, values);
  if (Object.keys(prepared.messages).length > 0) return { failure: toInvalid(prepared.messages) };
  return { row: { ...prepared.values, ...foreign.values } };
}

/** Prepares a row; where that fails, the files that it took already go. */
async function prepareWithFiles({ plan, mode, tools }: DraftInput, values: Values): Promise<Prepared> {
  let isReady = false;
  try {
    const prepared = await prepareRow(plan, values, mode, tools);
    isReady = Object.keys(prepared.messages).length === 0;
    return prepared;
  } finally {
    if (!isReady) await tools.files.discard();
  }
}

/** Called at the beginning of the write: where it is rolled back, or a transaction around it, the row's files go too. */
export function tieFiles({ files }: RowTools, database: Database): void {
  database.afterRollback?.(() => files.discard());
}

/** Messages for ids in a row that lead nowhere. */
async function findMissing(foreign: readonly ForeignKey[], row: Row, database: Database): Promise<Messages> {
  const messages: Messages = {};
  for (const { column, target, message } of foreign) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    const found = await readColumns(database, target, { column: target.primary, value }, [target.primary]);
    if (!found) messages[column] = message;
  }
  return messages;
}

/** What a failed write means for whoever asked; undefined where it is the world's fault. */
export async function explainWrite(
  error: unknown,
  plan: RowPlan,
  row: Row,
  database: Database,
): Promise<Failure | undefined> {
  if (error instanceof RowFailure) return error.failure;
  const broken = findConstraint(error);
  if (!broken) return undefined;
  const { schema } = plan;
  if (broken.kind === 'unique') {
    const columns = broken.columns.flatMap((name) => schema.byName.get(name) ?? []);
    const messages = Object.fromEntries(columns.map((column) => [column.name, toTakenMessage(column)]));
    if (columns.length > 0) return toInvalid(messages, 409);
    return { status: 409, message: `${schema.singular} is there already` };
  }
  if (broken.kind === 'foreign') {
    const messages = await findMissing(plan.foreign, row, database);
    if (Object.keys(messages).length > 0) return toInvalid(messages);
    return { status: 409, message: `${schema.singular} leads to a row that is not there` };
  }
  const messages = Object.assign({}, ...broken.columns.map((name) => plan.validate({ [name]: null }, 'update')));
  return Object.keys(messages).length > 0 ? toInvalid(messages) : undefined;
}

/** The stored row as a search gives it. */
export async function readBack(context: Context, plan: RowPlan, id: number): Promise<Row> {
  const { schema } = plan;
  const by = { column: schema.primary, value: id };
  const options = { includesRemoved: true, relations: [] };
  const { database } = context.services;
  return (await getSearcher(context.plan.model).detail(database, schema.name, by, options)) ?? { [schema.primary]: id };
}
