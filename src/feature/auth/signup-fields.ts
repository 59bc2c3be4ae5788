import type { Request } from '../../core/request.ts';
import { toLocalText } from '../../core/translate.ts';
import type { Row } from '../../database/database.ts';
import { type FieldControl, toControl, toFormEncoding } from '../../model/control.ts';
import { holdsFiles } from '../../model/field-kind.ts';
import type { ColumnModel, Model } from '../../model/model.ts';
import { listSignupColumns } from '../../model/signup-columns.ts';

/** The posted texts of a column: one, or several of a group. Files are not among them. */
function readPosted({ name }: ColumnModel, request: Request): readonly string[] {
  const value = request.getPost(name);
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

/** What a form posted for the profile's required columns. Files travel in the request, not in the stage. */
export function toSignupStage(model: Model, request: Request): Row {
  const columns = listSignupColumns(model).filter((column) => !holdsFiles(column));
  return Object.fromEntries(
    columns.map((column) => {
      const posted = readPosted(column, request);
      return [column.name, toControl(column).isMultiple ? posted : (posted.at(-1) ?? '')];
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

/** HTML attributes by name and value. The ones with a place of their own in the template are left out. */
const toAttributes = ({ attributes }: FieldControl) =>
  Object.entries(attributes)
    .filter(([key, set]) => /^[a-z-]+$/.test(key) && !key.startsWith('on') && key !== 'value' && set !== false)
    .map(([key, set]) => ({ key, value: set === true ? '' : String(set) }));

/** One column as a form shows it, with what was typed. */
function toField(column: ColumnModel, request: Request): Row {
  const control = toControl(column);
  const { element, type = 'text', label, description, options } = control;
  const posted = readPosted(column, request);
  const isFile = type === 'file';
  return {
    name: column.name,
    post: control.name,
    label: toLocalText(label),
    description: description && toLocalText(description),
    type: element === 'checkboxes' ? 'checkbox' : element === 'radios' ? 'radio' : type,
    isGroup: element === 'checkboxes' || element === 'radios',
    isRequired: control.attributes.required === true,
    isSelect: element === 'select',
    isMultiple: control.isMultiple,
    isTextarea: element === 'textarea',
    isFlag: control.unticked !== undefined,
    isTicked: control.unticked !== undefined && posted.at(-1) === '1',
    isFile,
    mustChooseAgain: isFile && request.hasPost(),
    attributes: toAttributes(control),
    options: options.map((option) => ({
      ...option,
      value: toLocalText(option.value),
      isChosen: posted.includes(option.key),
    })),
    value: isFile ? '' : (posted.at(-1) ?? ''),
  };
}

/** True if a sign-up needs a file. Only then its routes take large forms from visitors. */
export const asksForFiles = (model: Model): boolean => listSignupColumns(model).some(holdsFiles);

/** The profile's required columns as a form shows them, and the form's encoding if it sends files. */
export function toSignupForm(model: Model, request: Request): Row {
  const columns = listSignupColumns(model);
  return {
    fields: columns.map((column) => toField(column, request)),
    encoding: asksForFiles(model) ? toFormEncoding(columns) : undefined,
  };
}
