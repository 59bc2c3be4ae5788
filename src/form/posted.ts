import { AttachedValue } from '../core/attached.ts';
import { memoize } from '../core/memoize.ts';
import type { Request } from '../core/request/request.ts';
import type { ColumnModel, Model } from '../model/model.ts';
import { isServerSet } from '../model/server-set.ts';
import type { ControlKind } from './control-kind.ts';
import { dropMarked, type FormValues } from './edit-list.ts';
import { readTyped } from './typed.ts';

/** Names the columns of a form whose inputs send something else than their value. */
export const FIELD_KEY = '_field';
/** More columns than a form may have inputs. */
const MOST_FIELDS = 1000;

const PLAIN: ReadonlySet<ControlKind> = new Set([
  'line',
  'color',
  'range',
  'stars',
  'select',
  'radios',
  'hidden',
  'none',
]);

/** True if what a control posts has to be read before it is a value. */
export const isReadControl = (kind: ControlKind): boolean => !PLAIN.has(kind);

const indexColumns = memoize((model: Model): ReadonlyMap<string, readonly ColumnModel[]> => {
  const found = new Map<string, ColumnModel[]>();
  for (const { columns } of model.schemas.values()) {
    for (const column of columns) {
      if (!isServerSet(column) && column.computed === undefined)
        found.set(column.name, [...(found.get(column.name) ?? []), column]);
    }
  }
  return found;
});

/** Names of the columns that a form can have. */
export const listFormColumns = (model: Model): Iterable<string> => indexColumns(model).keys();

/** The column of a name, which begins with its schema; undefined if a form cannot have it. */
export const findFormColumn = (model: Model, name: string): ColumnModel | undefined =>
  indexColumns(model).get(name)?.[0];

const forms = new AttachedValue<Request, FormValues>();

/** Notes what a form posted before its values were read, to show it again. */
export const noteTyped = (request: Request, posted: FormValues | undefined): void => forms.set(request, posted);

/** True if the `field` helper's form named a column, so that its value is no longer the text of an input. */
export function isReadField(request: Request, name: string): boolean {
  const named = forms.get(request)?.[FIELD_KEY];
  return typeof named === 'object' && named !== null && Object.values(named).includes(name);
}

/** What a form posted into a field; undefined if the request has no such form. */
export function findTyped(request: Request | undefined, name: string): unknown {
  const posted = request && forms.get(request);
  return posted && Object.hasOwn(posted, name) ? posted[name] : undefined;
}

/**
 * The values of a form that the `field` helper made: lists, groups, ticks and JSON as a stage has them. Undefined for any
 * other form.
 */
export function readPosted(post: FormValues, model: Model): FormValues | undefined {
  const named = post[FIELD_KEY];
  if (typeof named !== 'object' || named === null) return undefined;
  const { [FIELD_KEY]: _, _drop: __, ...rest } = dropMarked(post);
  for (const name of Object.values(named).slice(0, MOST_FIELDS)) {
    const column = typeof name === 'string' ? findFormColumn(model, name) : undefined;
    if (column && Object.hasOwn(rest, column.name)) rest[column.name] = readTyped(column, rest[column.name]);
  }
  return rest;
}
