import type { ColumnModel } from './model.ts';

/** True if only code sets the column (`"write": "server"`): no request may bring a value. */
export const isServerSet = ({ field }: Pick<ColumnModel, 'field'>): boolean => field.write === 'server';
