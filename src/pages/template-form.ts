import type { HelperOptions } from 'handlebars';
import { isObject } from '../core/record.ts';
import type { Request } from '../core/request/request.ts';
import { currentScope } from '../core/scope.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import { type FieldView, toFieldView } from '../form/field.ts';
import { FIELD_KEY, findFormColumn, findTyped, isReadControl, listFormColumns } from '../form/posted.ts';
import { toTyped } from '../form/typed.ts';
import { fieldKinds, holdsFiles } from '../model/field/field-kind.ts';
import { escapeHtml } from '../model/format/format-text.ts';
import type { ColumnModel } from '../model/model.ts';
import { SafeText } from './rich-text.ts';
import type { HelperSources } from './template-source.ts';
import { HelperError } from './template-url.ts';

type Data = Readonly<Record<string, unknown>>;

/** Named values of `field` that are no attributes of its control. */
const OWN: ReadonlySet<string> = new Set(['label', 'hint', 'error', 'value', 'required']);
/** Empty items at the end of a list, because a page without scripts cannot add one. */
const SPARE_ITEMS = 3;

const at = (data: unknown, name: string): unknown =>
  isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;

interface ControlContext {
  readonly column: ColumnModel;
  readonly given: Data;
  readonly root: Data;
}

/** What the inputs hold: what was posted, else `form` of the template's data, else the stored value. */
function findInput(
  { column, given, root }: ControlContext,
  request: Request | undefined,
): { typed: unknown; stored: unknown } {
  const { name, field } = column;
  const isGiven = Object.hasOwn(given, 'value');
  const stored = isGiven ? given.value : at(root.item, name);
  const posted = findTyped(request, name) ?? (request?.hasPost() ? request.getPost(name) : undefined);
  // A posted address is not a file, and a password is not sent back.
  const typed = holdsFiles(column) || fieldKinds[field.type].isSecret ? undefined : (posted ?? at(root.form, name));
  return { typed: typed ?? toTyped(column, stored), stored };
}

function addAttributes(view: FieldView, given: Data): FieldView {
  const added = Object.entries(given)
    .filter(
      ([key, value]) =>
        !OWN.has(key) && /^[a-z-]+$/.test(key) && !/^(?:on|style$|id$|name$|type$)/.test(key) && value !== false,
    )
    .map(([key, value]) => ({ key, value: value === true ? '' : String(value) }));
  const names = new Set(added.map(({ key }) => key));
  // The first of several gets the focus.
  const focus = view.error === undefined || names.has('autofocus') ? [] : [{ key: 'autofocus', value: '' }];
  return { ...view, attributes: [...view.attributes.filter(({ key }) => !names.has(key)), ...added, ...focus] };
}

function createFieldView(wanted: ControlContext): FieldView {
  const { request, response } = currentScope.getStore() ?? {};
  const { column, given, root } = wanted;
  const { typed, stored } = findInput(wanted, request);
  const own = at(root.errors, column.name) ?? response?.getValidation(column.name);
  const view = toFieldView(column, {
    typed,
    stored,
    error: Object.hasOwn(given, 'error') ? given.error : own,
    isMarked: given.required !== false,
    spare: SPARE_ITEMS,
    mustChooseAgain: request?.getFiles(column.name) !== undefined,
    ...(typeof given.hint === 'string' ? { hint: given.hint } : {}),
  });
  return addAttributes(typeof given.label === 'string' ? { ...view, label: given.label } : view, given);
}

/** Why a field cannot be in a form; undefined if it can. */
export function findFieldError(name: string, { model }: HelperSources): { message: string; hint: string } | undefined {
  const known = model?.();
  if (!known || findFormColumn(known, name)) return undefined;
  return { message: `No schema has a field "${name}" for forms.`, hint: toDidYouMean(name, listFormColumns(known)) };
}

/** A field of a schema: label, control, help, value and error, as `templates/form/field.html`. */
export function renderField(name: string, sources: HelperSources, options: HelperOptions): SafeText {
  const model = sources.model?.();
  const column = model && findFormColumn(model, name);
  if (!column) {
    const error = findFieldError(name, sources);
    throw new HelperError(error ? `${error.message} ${error.hint}` : 'The definitions are not loaded.', options);
  }
  const { root = {} }: { readonly root?: Data } = options.data ?? {};
  const view = createFieldView({ column, given: options.hash, root });
  const mark = isReadControl(view.control)
    ? `<input type="hidden" name="${FIELD_KEY}[]" value="${escapeHtml(column.name)}">`
    : '';
  return new SafeText(mark + (sources.renderPart?.('form/field', view) ?? ''));
}

const toAttribute = ([key, value]: readonly [string, unknown]): string => ` ${key}="${escapeHtml(String(value))}"`;

/** A whole `<form>` as HTML, which Handlebars does not escape for a block: around a block: token of the session, and the encoding that files need. */
export function renderForm(context: unknown, { formToken }: HelperSources, options: HelperOptions): string {
  const { method = 'post', ...given }: Data = options.hash;
  const inside = options.fn(context);
  const isPost = method === 'post';
  const { request } = currentScope.getStore() ?? {};
  const token = isPost && request ? (formToken?.(request) ?? '') : '';
  const attributes = {
    class: 't-form',
    method,
    ...(isPost && inside.includes('type="file"') ? { enctype: 'multipart/form-data' } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([key]) => /^[a-z-]+$/.test(key) && !key.startsWith('on'))),
  };
  const csrf = token === '' ? '' : `<input type="hidden" name="csrf" value="${escapeHtml(token)}">`;
  return `<form${Object.entries(attributes).map(toAttribute).join('')}>${csrf}${inside}</form>`;
}
