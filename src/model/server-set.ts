import { fieldKinds } from './field/field-kind.ts';
import type { ColumnModel } from './model.ts';

/** True if only code sets the column (`"write": "server"`): no request may bring a value. */
export const isServerSet = ({ field }: Pick<ColumnModel, 'field'>): boolean => field.write === 'server';

/** True if Treadle itself sets the column, such as `created` and what is computed: nobody else does, and values that are sent are ignored. */
export const isSystemSet = ({ field, computed }: Pick<ColumnModel, 'field' | 'computed'>): boolean =>
  computed !== undefined || fieldKinds[field.type].isSystem;
