import { memoize } from '../core/memoize.ts';
import { computeFormula } from './format/format-formula.ts';
import { fillTemplate } from './format/format-text.ts';
import type { SchemaModel } from './model.ts';
import type { Field, Format } from './shape.ts';

type Row = Readonly<Record<string, unknown>>;

/** A computed value of a row, defined by the format of a field. */
export interface ComputedValue {
  /** The field's own name, without the schema's. */
  readonly name: string;
  readonly format: 'formula' | 'custom';
  readonly field: Field;
  compute(row: Row): number | string | null;
}

const findFormat = ({ list, detail }: Field): Format | undefined =>
  [list, detail].find((format) => format?.format === 'formula' || format?.format === 'custom');

function createComputed(field: Field): ComputedValue[] {
  const { format, parameters } = findFormat(field) ?? {};
  if (format !== 'formula' && format !== 'custom') return [];
  const template = String(parameters?.[0] ?? '');
  const compute = (row: Row): number | string | null => {
    const text = fillTemplate(template, row);
    return format === 'custom' ? text : (computeFormula(text) ?? null);
  };
  return [{ name: field.name, format, field, compute }];
}

/**
 * The computed values of a schema's rows, in the order of its fields. A column or relation of the same name
 * wins.
 */
export const listComputed = memoize((schema: SchemaModel): readonly ComputedValue[] => {
  const taken = new Set([schema.primary, ...schema.columns.map(({ name }) => name)]);
  for (const { name } of schema.relations) taken.add(name);
  return schema.definition.fields.flatMap(createComputed).filter(({ name }) => !taken.has(name));
});

/** A whole row with its computed values; an incomplete row stays as it is. */
export function withComputed(schema: SchemaModel, row: Row): Row {
  // What is computed of a column that the row does not show is not shown either.
  const isShown = ({ field }: ComputedValue): boolean => {
    const column = schema.columns.find((own) => own.field.name === field.name);
    return column === undefined || Object.hasOwn(row, column.name);
  };
  const computed = listComputed(schema).filter(isShown);
  if (computed.length === 0 || !Object.hasOwn(row, schema.primary)) return row;
  return { ...row, ...Object.fromEntries(computed.map(({ name, compute }) => [name, compute(row)])) };
}
