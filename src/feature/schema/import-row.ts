import { toStamp } from '../../core/clock.ts';
import { isObject } from '../../core/record.ts';
import type { Messages } from '../../core/request/response.ts';
import { isPasswordHash } from '../../core/secret/password.ts';
import { noteRule } from '../../core/text/rule-note.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Row } from '../../database/row-statement.ts';
import { fieldKinds, type PrepareTools } from '../../model/field/field-kind.ts';
import { isHtmlType, losesMarkup } from '../../model/field/lost-markup.ts';
import type { Values } from '../../model/field/validate.ts';
import { isBlank, isRecord } from '../../model/json/json-value.ts';
import { ColumnRefused, prepareColumn } from '../../model/prepare.ts';
import type { FedRow } from '../../plan/emit/row-feed.ts';
import type { ImportPlan, LinkColumn } from './import-plan.ts';
import { addSystemValues, readForeignValues, readRowValues } from './row-plan.ts';
import { type Stage, toId } from './stage.ts';

/** A row on its way through an import. */
export interface ImportRow {
  readonly given: FedRow;
  /** The sent values by full column name. */
  readonly stage: Stage;
  /** True for a row of a full copy: a file of one's own with the row's id and all that Treadle sets. It may name removed rows. */
  readonly isCopy: boolean;
  /** Ids of the rows to link, if the file has the relation. */
  links: ReadonlyMap<LinkColumn, readonly number[]>;
  /** Errors that apply to both create and update. */
  readonly messages: Messages;
  /** Errors of the row as a new row, and as a change of a stored row. */
  errors: { readonly create: Messages; readonly update: Messages };
  /** For a new row, all values to store; for a change, the values to store of what was sent. */
  stored: Row;
  /** The stored row that it changes; undefined for a new one. */
  id: number | undefined;
  /** Columns with formatted text that lost tags or attributes. */
  cleaned: readonly string[];
}

export interface ReadOptions {
  /** True: a key that is neither a column nor a field is ignored. False: it is an error. */
  readonly ignoresUnknown: boolean;
  /** See {@link RowFeedOptions.isOwn}. */
  readonly isOwn: boolean;
  readonly tools: PrepareTools;
}

function toIds(value: unknown, { target }: LinkColumn): number[] | undefined {
  if (value === null || value === undefined || value === '') return [];
  const text = typeof value === 'string' ? value.trim().replace(/^\[|\]$/g, '') : undefined;
  const list = Array.isArray(value) ? value : text === undefined ? [value] : text.split(/[;,\s]+/).filter(Boolean);
  const ids = list.map((item: unknown) => toId(isObject(item) ? item[target.primary] : item));
  const known = ids.filter((id) => id !== undefined);
  return known.length < ids.length ? undefined : [...new Set(known)];
}

// Shared by all rows, since most of a million rows have none.
const NO_LINKS: ReadonlyMap<LinkColumn, readonly number[]> = new Map();
const NO_COLUMNS: readonly string[] = Object.freeze([]);
const NO_MESSAGES: Messages = Object.freeze({});
const NO_ERRORS = Object.freeze({ create: NO_MESSAGES, update: NO_MESSAGES });

/** Handles a key that is no column of the table: a list of ids, a column of a 1:1 (ignored), or an error. */
function readOther(row: ImportRow, key: string, value: unknown, plan: ImportPlan, ignoresUnknown: boolean): void {
  const meaning = plan.keys.get(key);
  if (meaning?.kind === 'links') {
    const ids = toIds(value, meaning.links);
    if (ids) row.links = new Map([...row.links, [meaning.links, ids]]);
    else row.messages[key] = noteRule(`"${key}" is a list of ids`, { rule: 'type', params: { type: 'ids' } });
  } else if (!meaning && !ignoresUnknown) {
    const { schema } = plan.rows;
    const known = schema.columns.map(({ field }) => field.name);
    const message = `"${key.slice(0, 64)}" is not a column of ${schema.name}. ${toDidYouMean(key, known)}`.trim();
    row.messages[key] = noteRule(message, { rule: 'unknown' });
  }
}

function isCopied(stage: Stage, { rows: { schema } }: ImportPlan): boolean {
  const { primary, active, created, updated } = schema;
  return [primary, active, created, updated].every((name) => name === undefined || !isBlank(stage[name]));
}

/** Maps a sent row to full column names; an unknown key is an error. */
function readRow(given: FedRow, plan: ImportPlan, { ignoresUnknown, isOwn }: ReadOptions): ImportRow {
  const { primary } = plan.rows.schema;
  const stage: Values = {};
  const messages: Messages = {};
  const row: ImportRow = {
    given,
    stage,
    // The stage is filled below.
    get isCopy() {
      return isOwn && isCopied(stage, plan);
    },
    links: NO_LINKS,
    messages,
    errors: NO_ERRORS,
    stored: {},
    id: undefined,
    cleaned: NO_COLUMNS,
  };
  const { values, error: fault } = given;
  if (fault !== undefined || !isRecord(values)) {
    messages.row = noteRule(fault ?? 'A row is an object of columns and values', {
      rule: 'type',
      params: { type: 'object' },
    });
    return row;
  }
  for (const key of Object.keys(values)) {
    const value = values[key];
    const meaning = plan.keys.get(key);
    if (meaning?.kind === 'column') stage[meaning.column] = value;
    else readOther(row, key, value, plan, ignoresUnknown);
  }
  const id = stage[primary];
  if (!isBlank(id) && toId(id) === undefined) {
    messages[primary] = noteRule('The id should be a whole number from 1', { rule: 'type', params: { type: 'id' } });
  }
  return row;
}

/** Adds values that only Treadle sets, if this import may bring them. */
function readSystemValues(
  { stage, stored, messages }: ImportRow,
  { system }: ImportPlan,
  { isOwn, tools }: ReadOptions,
): void {
  for (const { model, shape } of system) {
    const { name, field, label } = model;
    const sent = stage[name];
    if (isBlank(sent) || (!isOwn && field.type !== 'active')) continue;
    const kind = fieldKinds[field.type];
    const value = kind.coerce(sent, tools.now);
    if (shape.safeParse(value).success) stored[name] = value;
    else messages[name] = noteRule(`${label} ${kind.expects(field)}`, { rule: 'type', params: { type: field.type } });
  }
}

/**
 * Takes passwords that are already hashes, as in a copy of another database. The rules for chosen passwords do
 * not apply to them.
 */
function takeHashes({ stage }: ImportRow, { secret }: ImportPlan, { isOwn }: ReadOptions): Row | undefined {
  const taken: Row = {};
  if (!isOwn) return undefined;
  for (const { name } of secret) {
    const value = stage[name];
    if (typeof value === 'string' && isPasswordHash(value)) taken[name] = value;
  }
  return Object.keys(taken).length > 0 ? taken : undefined;
}

function without<V>(values: Readonly<Record<string, V>>, names: Row | undefined): Readonly<Record<string, V>> {
  if (names === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(names, name)));
}

function isEmpty(values: object): boolean {
  for (const _ in values) return false;
  return true;
}

/**
 * Validates a row both as a new row and as a change; the database decides later which it is. Gives its values
 * before they are prepared.
 */
function judgeRow(row: ImportRow, plan: ImportPlan, options: ReadOptions): Values {
  const { rows } = plan;
  const hashes = takeHashes(row, plan, options);
  readSystemValues(row, plan, options);
  const stage = without(row.stage, hashes);
  const values = readRowValues(rows, stage, 'create', options.tools.now);
  const foreign = readForeignValues(rows, stage, 'create');
  const create = without(rows.validate(values, 'create'), hashes);
  if (!isEmpty(create) || !isEmpty(foreign.messages)) {
    const sent = readRowValues(rows, stage, 'update', options.tools.now);
    const { messages } = readForeignValues(rows, stage, 'update');
    const update = without(rows.validate(sent, 'update'), hashes);
    row.errors = { create: { ...foreign.messages, ...create }, update: { ...messages, ...update } };
  }
  Object.assign(row.stored, foreign.values, hashes);
  return values;
}

/** Prepares the values of a row for storage. */
async function prepareRow(row: ImportRow, values: Values, plan: ImportPlan, { tools }: ReadOptions): Promise<void> {
  const { validate } = plan.rows;
  for (const column of plan.open) {
    const { name, isRequired } = column;
    if (!Object.hasOwn(values, name) || Object.hasOwn(row.errors.create, name)) continue;
    try {
      const made = prepareColumn(column, values[name], tools);
      // Awaiting a plain value would cost an event-loop turn each; only passwords and HTML give a promise.
      const value = made instanceof Promise ? await made : made;
      row.stored[name] = value ?? null;
      if (isHtmlType(column.field.type) && losesMarkup(values[name], value)) row.cleaned = [...row.cleaned, name];
      if (value === null && isRequired) Object.assign(row.messages, validate({ [name]: null }, 'update'));
    } catch (error) {
      if (!(error instanceof ColumnRefused)) throw error;
      row.messages[name] ??= error.messages;
    }
  }
}

/**
 * Reads and validates rows as far as possible without the database, and prepares their values. The slow work
 * (hashes, HTML) happens here, before anything waits for the transaction.
 */
export async function readRows(given: readonly FedRow[], plan: ImportPlan, options: ReadOptions): Promise<ImportRow[]> {
  const read: ImportRow[] = [];
  for (const each of given) {
    const row = readRow(each, plan, options);
    read.push(row);
    if (Object.hasOwn(row.messages, 'row')) continue;
    const values = judgeRow(row, plan, options);
    // A row that is bad either way is only reported.
    if (isEmpty(row.errors.update) && isEmpty(row.messages)) await prepareRow(row, values, plan, options);
  }
  return read;
}

/** System values of new rows. All rows share one object, unless they have random identifiers. */
export function toSystemValues({ rows, system }: ImportPlan, tools: PrepareTools): (row: ImportRow) => Row {
  const common: Row = {};
  addSystemValues(rows, 'create', tools, common);
  const isOwnEach = system.some(({ model }) => model.field.type === 'uuid');
  return ({ stored }) => {
    if (!isOwnEach || system.every(({ model }) => model.field.type !== 'uuid' || stored[model.name])) return common;
    const each: Row = {};
    addSystemValues(rows, 'create', tools, each);
    return each;
  };
}

/** The columns to update: only what was sent, and the updated time. */
export function toChange({ stored, stage }: ImportRow, { rows: { schema } }: ImportPlan, tools: PrepareTools): Row {
  const change: Row = schema.updated === undefined ? {} : { [schema.updated]: toStamp(tools.now) };
  for (const [name, value] of Object.entries(stored)) {
    if (!Object.hasOwn(stage, name) || stage[name] === undefined) continue;
    // An empty password means no change.
    if (value === null && fieldKinds[schema.byName.get(name)?.field.type ?? 'none'].isSecret) continue;
    change[name] = value;
  }
  return change;
}
