import { Response } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import { lockRows } from '../../../database/lock-rows.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toFingerprint } from '../../../form/fingerprint.ts';
import { findJsonError, readTyped } from '../../../form/typed.ts';
import { fieldKinds, holdsFiles } from '../../../model/field/field-kind.ts';
import { cleanAhead } from '../../../model/field/html-ahead.ts';
import { hashAhead } from '../../../model/field/password-hashes.ts';
import { compileValidator } from '../../../model/field/validate.ts';
import { isBlank, isRecord } from '../../../model/json/json-value.ts';
import type { ColumnModel } from '../../../model/model.ts';
import { toRowVersion } from '../../../store/read/row-version.ts';
import { type Conflict, findConflict } from './conflict.ts';
import { chosenOf, type FormState, type SaveError } from './form-state.ts';
import { emitModel, readRow } from './open.ts';
import { type Link, toKeyFingerprint } from './picker.ts';

type SaveResult =
  | { readonly id: number; readonly isChanged: boolean }
  | { readonly fault: SaveError }
  | { readonly conflict: Conflict };

/** Thrown to roll back a save whose event was refused. */
class RefusalError extends Error {
  readonly fault: SaveError;
  constructor(fault: SaveError) {
    super(fault.message);
    this.fault = fault;
  }
}

const hasFile = ({ exchange: { request } }: FormState, { name }: ColumnModel): boolean =>
  request.hasFiles() && request.getFiles(name) !== undefined;

/** The columns whose inputs hold something else than what the form started with. */
function listChanged(state: FormState, skipped: ReadonlySet<string>): ColumnModel[] {
  const { posted = {}, bases, columns } = state;
  return columns.filter((column) => {
    const { name } = column;
    if (skipped.has(name)) return false;
    if (holdsFiles(column) && hasFile(state, column)) return true;
    return Object.hasOwn(posted, name) && toFingerprint(column, posted[name]) !== bases[name];
  });
}

const listMoved = (state: FormState, skipped: ReadonlySet<string>): Link[] =>
  state.links.filter(
    ({ key: { column } }) =>
      !skipped.has(column) &&
      state.posted !== undefined &&
      Object.hasOwn(state.posted, column) &&
      toKeyFingerprint(chosenOf(state, column)) !== state.bases[column],
  );

/** A value for the stage. A blank is an empty text: a null would not count as sent. */
const toStageValue = ({ posted = {}, start }: FormState, column: ColumnModel): unknown => {
  const value = readTyped(column, posted[column.name], start[column.name]);
  return isBlank(value) ? '' : value;
};

/** The places of the errors in JSON texts, which an event could only call invalid. */
function findJsonErrors({ posted = {}, columns }: FormState): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(({ name, field }) => {
      const text = posted[name];
      const isJson = field.type === 'rawjson' || (fieldKinds[field.type].isJson && field.type !== 'tag');
      const fault = isJson && typeof text === 'string' ? findJsonError(text) : undefined;
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
}

function toSaveError(response: Response): SaveError {
  const validation = response.getValidation();
  return {
    status: response.getStatus() >= 400 ? response.getStatus() : 422,
    message: response.getMessage() ?? translate('The row could not be saved.'),
    errors: isRecord(validation) ? (validation as SaveError['errors']) : {},
  };
}

/** Emits a write of the viewer: the request brought the values, code names schema and row. */
async function emitWrite(
  { context, exchange: { request }, schema, id, action }: FormState,
  values: Row,
): Promise<Response> {
  const response = new Response(request);
  request.removeStage().bringStage(values);
  request.setStage({ schema: schema.name, ...(id === undefined ? {} : { [schema.primary]: id }) });
  await context.emit(`system-model-${action}`, request, response);
  return response;
}

/** Hashes passwords and cleans long HTML before the transaction, which must stay short. */
async function prepare({ context, exchange: { request }, schema }: FormState, values: Row): Promise<void> {
  const { random, html } = context.services;
  await hashAhead(request, schema.columns, [values], random);
  await cleanAhead(request, schema.columns, [values], html);
}

/** The errors of a form with broken JSON, the errors of its other values among them; undefined if all JSON is well. */
function findBroken(state: FormState, values: Row): SaveError | undefined {
  const broken = findJsonErrors(state);
  if (Object.keys(broken).length === 0) return undefined;
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(broken, name)));
  const others = compileValidator(state.schema, state.context.services.clock)(rest, state.action, state.start);
  return { status: 422, message: translate('Some fields need another look.'), errors: { ...others, ...broken } };
}

/** Creates a row of what was typed. */
export async function saveNew(state: FormState): Promise<SaveResult> {
  const { posted = {}, schema } = state;
  const values = Object.fromEntries([
    ...state.columns
      .filter((column) => Object.hasOwn(posted, column.name) || hasFile(state, column))
      .map((column) => [column.name, toStageValue(state, column)] as const)
      .filter(([name, value]) => value !== '' || !isBlank(state.start[name])),
    ...state.links.map(({ key }) => [key.column, chosenOf(state, key.column)] as const).filter(([, id]) => id !== ''),
  ]);
  const broken = findBroken(state, values);
  if (broken) return { fault: broken };
  const response = await emitWrite(state, values);
  if (response.isError()) return { fault: toSaveError(response) };
  return { id: Number(response.getResults(schema.primary)), isChanged: true };
}

/** The row as it is stored now. Nobody else can change it until the transaction ends. */
async function lockRow({ context, schema }: FormState, id: number): Promise<Row | undefined> {
  const { database } = context.services;
  if (database.writesInParallel) {
    const query = database.kysely.selectFrom(schema.table).select(schema.primary);
    await lockRows(query.where(schema.primary, '=', id), database).execute();
  }
  return readRow(context, schema, id);
}

/** Takes a row from its parent before another one gets it, or nobody. @throws Refused */
async function leaveParent({ context, schema, start }: FormState, { key, target }: Link, id: number): Promise<void> {
  const before = start[key.column];
  if (key.origin !== 'parent' || before === null || before === undefined) return;
  const isSelf = target.name === schema.name;
  const ids = isSelf
    ? { [`${schema.primary}_1`]: before, [`${schema.primary}_2`]: id }
    : { [target.primary]: before, [schema.primary]: id };
  const link = { schema1: target.name, schema2: schema.name, relation: key.relation.name, ...ids };
  const response = await emitModel(context, 'system-relation-unlink', link);
  if (response.isError()) throw new RefusalError(toSaveError(response));
}

/** Saves what was changed, if nobody else changed the row since the form was opened. */
export async function saveChange(state: FormState, id: number, skipped: ReadonlySet<string>): Promise<SaveResult> {
  const { database } = state.context.services;
  const draft = Object.fromEntries(
    listChanged(state, skipped).map((column) => [column.name, toStageValue(state, column)]),
  );
  const broken = findBroken(state, draft);
  if (broken) return { fault: broken };
  await prepare(state, draft);
  try {
    return await database.transaction(async (): Promise<SaveResult> => {
      const row = await lockRow(state, id);
      const version = row && toRowVersion(state.schema, row);
      if (row === undefined || version === undefined) throw new RefusalError(toGone());
      const conflict = findConflict(state, row, version);
      if (conflict) return { conflict };
      const moved = listMoved(state, skipped);
      const keys = Object.fromEntries(moved.map(({ key }) => [key.column, chosenOf(state, key.column)]));
      const values = { ...draft, ...keys };
      if (Object.keys(values).length === 0) return { id, isChanged: false };
      for (const link of moved) await leaveParent(state, link, id);
      const response = await emitWrite(state, values);
      if (response.isError()) throw new RefusalError(toSaveError(response));
      return { id, isChanged: true };
    });
  } catch (error) {
    if (error instanceof RefusalError) return { fault: error.fault };
    throw error;
  }
}

const toGone = (): SaveError => ({
  status: 404,
  message: translate('Somebody removed this row in the meantime. Nothing was saved.'),
  errors: {},
});
