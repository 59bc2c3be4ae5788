import { type Action, getAccess } from '../../../core/access.ts';
import type { Messages } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { FormValues } from '../../../form/edit-list.ts';
import { toStoredFingerprint } from '../../../form/fingerprint.ts';
import { type InputValue, toTyped } from '../../../form/typed.ts';
import { toDefault } from '../../../model/field/field-default.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { ColumnModel, SchemaModel } from '../../../model/model.ts';
import { isServerSet, isSystemSet } from '../../../model/server-set.ts';
import type { Context } from '../../../plan/feature.ts';
import type { OpenForm } from './open.ts';
import { type Link, listLinks, toKeyFingerprint, toKeyText } from './picker.ts';

/** A form of a row: what it shows, and what was typed into it. */
export interface FormState extends OpenForm {
  /** What is done with the row; a copy is a creation. */
  readonly action: 'create' | 'update';
  /** The row to change. Undefined for a new row. */
  readonly id: number | undefined;
  readonly version: string;
  /** Values that the form starts with: of the row, of the copied row, or defaults. */
  readonly start: Row;
  /** The posted form. Undefined when the form is opened. */
  readonly posted: FormValues | undefined;
  /** Columns that the viewer may write. */
  readonly columns: readonly ColumnModel[];
  readonly links: readonly Link[];
  /** Fingerprints of what the form started with, by column. */
  readonly bases: Readonly<Record<string, string>>;
}

/** What keeps a form from being saved. */
export interface SaveError {
  readonly status: number;
  readonly message: string;
  readonly errors: Messages;
}

/** The columns and keys that some rule of the roles lets a request write; undefined: all. */
function findWritable(schema: SchemaModel, action: Action): ReadonlySet<string> | undefined {
  const grant = getAccess().grant(schema.name, action);
  if (grant?.rules === undefined) return grant?.write;
  const sets = grant.rules.map(({ write }) => write);
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));
}

const isEditable = (column: ColumnModel): boolean => !isSystemSet(column) && !isServerSet(column);

/** The columns and links of a schema that a form edits. */
export function listEdited(
  context: Context,
  schema: SchemaModel,
  action: Action,
): { readonly columns: readonly ColumnModel[]; readonly links: readonly Link[] } {
  const writable = findWritable(schema, action);
  const isOpen = (name: string): boolean => writable === undefined || writable.has(name);
  return {
    columns: schema.columns.filter((column) => isEditable(column) && isOpen(column.name)),
    links: listLinks(context, schema).filter(({ key }) => isOpen(key.column)),
  };
}

/** The values of a new row. */
export function createDefaults(context: Context, schema: SchemaModel): Row {
  const now = context.services.clock.now();
  return Object.fromEntries(
    schema.columns
      .filter(({ computed }) => computed === undefined)
      .map(({ name, field }) => [name, toDefault(field, now)]),
  );
}

/** Fingerprints of a row's columns and links. */
export function toBases({ columns, links }: Pick<FormState, 'columns' | 'links'>, row: Row): Record<string, string> {
  return Object.fromEntries([
    ...columns.map((column) => [column.name, toStoredFingerprint(column, row[column.name])] as const),
    ...links.map(({ key }) => [key.column, toKeyFingerprint(row[key.column])] as const),
  ]);
}

/** The fingerprints that a posted form brought back. */
export function readBases(posted: FormValues): Record<string, string> {
  const sent = isRecord(posted._base) ? posted._base : {};
  return Object.fromEntries(
    Object.entries(sent).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** What the inputs of a column hold. */
export function typedOf({ posted, start }: FormState, column: ColumnModel): InputValue {
  return posted !== undefined && Object.hasOwn(posted, column.name)
    ? posted[column.name]
    : toTyped(column, start[column.name]);
}

/** The id that a picker holds, as text. */
export const chosenOf = ({ posted, start }: FormState, column: string): string =>
  toKeyText(posted !== undefined && Object.hasOwn(posted, column) ? posted[column] : start[column]);
