import type { Request } from '../../core/request.ts';
import type { Row } from '../../database/database.ts';
import { type FieldControl, toControl } from '../../model/control.ts';
import type { ColumnModel, Model } from '../../model/model.ts';
import { isServerSet } from '../../model/server-set.ts';

/** Controls that a plain form of one value each can show. */
const SHOWN: ReadonlySet<FieldControl['element']> = new Set(['input', 'textarea', 'select']);

/** The profile's own required columns, which a sign-up must fill. The name has a place of its own. */
export function listSignupColumns({ schemas }: Model): readonly ColumnModel[] {
  return (schemas.get('profile')?.columns ?? []).filter((column) => {
    if (
      !column.isRequired ||
      isServerSet(column) ||
      column.name === 'profile_name' ||
      column.field.default !== undefined
    )
      return false;
    const { element, isMultiple, type } = toControl(column);
    return SHOWN.has(element) && !isMultiple && type !== 'file';
  });
}

/** The columns as a form shows them, with what was typed. */
export function toSignupFields(model: Model, request: Request): readonly Row[] {
  return listSignupColumns(model).map((column) => {
    const { element, type = 'text', name, label, description, attributes, options } = toControl(column);
    const value = request.getPost(name);
    return {
      name,
      label,
      description,
      type,
      isSelect: element === 'select',
      isTextarea: element === 'textarea',
      attributes: Object.entries(attributes)
        .filter(([key, set]) => /^[a-z-]+$/.test(key) && !key.startsWith('on') && set !== false)
        .map(([key, set]) => ({ key, value: set === true ? '' : String(set) })),
      options: options.map((option) => ({ ...option, isChosen: option.key === value })),
      value: typeof value === 'string' ? value : '',
    };
  });
}
