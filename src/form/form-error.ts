import { toObject } from '../core/record.ts';
import { toLocalText } from '../core/text/translate.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { ColumnModel } from '../model/model.ts';
import { toFieldId } from './name.ts';

/** An error for the summary of a form, with the id of its control. */
export interface FormError {
  readonly href: string;
  readonly label: string;
  readonly message: string;
}

/** Form errors in field order, including groups. */
export function listErrors(
  columns: readonly ColumnModel[],
  messages: Readonly<Record<string, unknown>>,
  within?: string,
): FormError[] {
  return columns.flatMap((column) => {
    const name = within === undefined ? column.name : `${within}[${column.name}]`;
    const error = Object.hasOwn(messages, column.name) ? messages[column.name] : undefined;
    return listOwnErrors(column, name, error);
  });
}

function listOwnErrors(column: ColumnModel, name: string, error: unknown): FormError[] {
  if (typeof error === 'string')
    return [{ href: `#${toFieldId(name)}`, label: toLocalText(column.label), message: error }];
  if (!isRecord(error) || column.parts === undefined) return [];
  if (column.field.multiple !== true) return listErrors(column.parts, error, name);
  return Object.entries(error).flatMap(([key, group]) =>
    typeof group === 'string'
      ? [{ href: `#${toFieldId(name)}`, label: toLocalText(column.label), message: group }]
      : listErrors(column.parts ?? [], toObject(group), `${name}[${key}]`),
  );
}
