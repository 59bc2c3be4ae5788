import type { Request } from '../../../core/request/request.ts';
import type { Row } from '../../../database/row-statement.ts';
import { editList, type FormValues } from '../../../form/edit-list.ts';
import { toFieldView } from '../../../form/field.ts';
import { readTyped, toTyped } from '../../../form/typed.ts';
import { toFormEncoding } from '../../../model/field/control.ts';
import { holdsFiles } from '../../../model/field/field-kind.ts';
import { isBlank } from '../../../model/json/json-value.ts';
import type { ColumnModel, Model } from '../../../model/model.ts';
import { listSignupColumns } from '../../../model/role/signup-columns.ts';
import type { Exchange } from '../../../page/exchange.ts';

/** What a form posted for the profile's required columns. Files travel in the request, not in the stage. */
export function toSignupStage(model: Model, request: Request): Row {
  const columns = listSignupColumns(model).filter((column) => !holdsFiles(column));
  return Object.fromEntries(
    columns.map((column) => {
      const value = readTyped(column, request.getPost(column.name));
      return [column.name, isBlank(value) ? '' : value];
    }),
  );
}

/** Copies the files of the required columns, for an event inside another. No other column takes a file at a sign-up. */
export function copyFiles(model: Model, from: Request, to: Request): void {
  for (const column of listSignupColumns(model).filter(holdsFiles)) {
    const files = from.getFiles(column.name);
    if (files !== undefined) to.setFiles(column.name, files);
  }
}

/** One column as a form shows it, with what was typed. An address in the place of a file is not taken. */
function toField(column: ColumnModel, { request, response }: Exchange) {
  const posted = request.getPost(column.name);
  const isFile = holdsFiles(column);
  return toFieldView(column, {
    typed: posted === undefined || isFile ? toTyped(column, undefined) : posted,
    error: response.getValidation(column.name),
    isMarked: false,
    mustChooseAgain: isFile && request.hasPost(),
  });
}

/** True if a button of the form asked for another item of a list; the form then has it, and is shown again. */
export function editSignup({ request }: Exchange): boolean {
  const button = request.getPost('_do');
  const edited = typeof button === 'string' ? editList(request.getPost() as FormValues, button) : undefined;
  if (edited === undefined) return false;
  request.setPost(edited);
  return true;
}

/** True if a sign-up needs a file. Only then its routes take large forms from visitors. */
export const asksForFiles = (model: Model): boolean => listSignupColumns(model).some(holdsFiles);

/** The profile's required columns as a form shows them, and the form's encoding if it sends files. */
export function toSignupForm(model: Model, exchange: Exchange): Row {
  const columns = listSignupColumns(model);
  return {
    fields: columns.map((column) => toField(column, exchange)),
    encoding: asksForFiles(model) ? toFormEncoding(columns) : undefined,
  };
}
