import { toLocalText, translate } from '../../../core/text/translate.ts';
import { type FieldView, toFieldView } from '../../../form/field.ts';
import { type FormError, listErrors } from '../../../form/form-error.ts';
import { toFieldId } from '../../../form/name.ts';
import { toFormWords } from '../../../form/words.ts';
import { holdsFiles } from '../../../model/field/field-kind.ts';
import { toFormatted } from '../../../model/format/format.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { ColumnModel } from '../../../model/model.ts';
import { toHere } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import { toDataPath } from '../offer.ts';
import { toRowPath } from './choice.ts';
import type { ConflictView } from './conflict.ts';
import { chosenOf, type FormState, type SaveError, typedOf } from './form-state.ts';
import { createPickerView, type PickerView } from './picker.ts';
import { type ShownField, toShownFields } from './shown.ts';

export interface FormOptions {
  readonly fault?: SaveError | undefined;
  readonly conflict?: ConflictView | undefined;
  /** The column of Markdown to preview. */
  readonly preview?: string | undefined;
}

function toField(state: FormState, column: ColumnModel, { fault, preview }: FormOptions): FieldView {
  const typed = typedOf(state, column);
  const { request } = state.exchange;
  return toFieldView(column, {
    typed,
    stored: state.start[column.name],
    error: fault?.errors[column.name],
    isChange: state.action === 'update',
    mustChooseAgain: state.posted !== undefined && request.hasFiles() && request.getFiles(column.name) !== undefined,
    preview: preview === column.name && typeof typed === 'string' ? toFormatted('markdown', typed) : undefined,
  });
}

function listPickers(state: FormState, { fault }: FormOptions): Promise<PickerView[]> {
  const queries = isRecord(state.posted?._find) ? state.posted._find : {};
  return Promise.all(
    state.links.map((link) => {
      const q = queries[link.key.column];
      const error = fault?.errors[link.key.column];
      return createPickerView({
        context: state.context,
        link,
        chosen: chosenOf(state, link.key.column),
        q: typeof q === 'string' ? q : '',
        error: typeof error === 'string' ? error : undefined,
      });
    }),
  );
}

/** Columns that the row has and the form does not edit, such as times and what the role may not write. */
function listShown({ schema, columns, start, action, context }: FormState): ShownField[] {
  if (action === 'create') return [];
  const edited = new Set(columns.map(({ name }) => name));
  const rest = schema.row.shown.filter(({ name }) => !edited.has(name) && Object.hasOwn(start, name));
  return toShownFields(schema, start, rest, context.services.clock.now());
}

/** The errors in the order of the form. An error of a column that the form lacks stands in the message. */
function listAllErrors({ columns, links }: FormState, { errors }: SaveError): FormError[] {
  const keys = links.flatMap(({ key, label }) => {
    const message = errors[key.column];
    return typeof message === 'string' ? [{ href: `#${toFieldId(key.column)}`, label, message }] : [];
  });
  const known = new Set([...columns.map(({ name }) => name), ...links.map(({ key }) => key.column)]);
  const others = Object.entries(errors).flatMap(([name, message]) =>
    known.has(name) || typeof message !== 'string' ? [] : [{ href: '#t-form', label: name, message }],
  );
  return [...keys, ...listErrors(columns, errors), ...others];
}

const toTitle = ({ action, schema, start }: FormState): string =>
  action === 'create'
    ? translate('New {singular}', { singular: toLocalText(schema.singular) })
    : translate('Edit {label}', { label: toRowLabel(schema, start) });

const RICH: ReadonlySet<string> = new Set(['wysiwyg', 'wysiwyglist']);
const hasRich = ({ field, parts = [] }: ColumnModel): boolean => RICH.has(field.type) || parts.some(hasRich);

/** Shows the form of a row, with what was typed and what keeps it from being saved. */
export async function showForm(state: FormState, options: FormOptions = {}): Promise<void> {
  const { context, exchange, schema, id, columns } = state;
  const { request, response } = exchange;
  const { fault, conflict } = options;
  const cancel = id === undefined ? `${toDataPath(schema.name)}/search` : toRowPath(schema, id);
  const title = toTitle(state);
  const data = {
    action: toHere(request),
    encoding: columns.some(holdsFiles) ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    isNew: state.action === 'create',
    // A draft in the browser's tab belongs to a person.
    person: request.getSession('me', 'auth_id'),
    isTyped: state.posted !== undefined,
    version: state.version,
    bases: Object.entries(state.bases).map(([name, value]) => ({ name, value })),
    fields: columns.map((column) => toField(state, column, options)),
    pickers: await listPickers(state, options),
    shown: listShown(state),
    message: fault?.message,
    faults: fault ? listAllErrors(state, fault) : [],
    conflict,
    formWords: toFormWords(),
    cancel,
  };
  const search = `${toDataPath(schema.name)}/search`;
  const own = id === undefined ? [] : [{ label: toRowLabel(schema, state.start), path: toRowPath(schema, id) }];
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: 'admin/data/form',
    data,
    crumbs: [{ label: toLocalText(schema.plural), path: search }, ...own],
    scripts: ['form', ...(columns.some(hasRich) ? ['form-rich'] : [])],
    styles: ['form'],
  });
  if (conflict) response.setStatus(412);
  else if (fault) response.setStatus(fault.status);
}
