import type { ColumnModel, SchemaModel } from './model.ts';

type NamedColumns = Pick<SchemaModel, 'byName'> & { readonly row: Pick<SchemaModel['row'], 'stored'> };

/**
 * The stored column that a name means, in files, forms, commands and roles: a full column name or a key first, then a field's own
 * name. Undefined if it is neither.
 */
export const findColumnName = ({ byName, row: { stored } }: NamedColumns, name: string): string | undefined =>
  stored.includes(name) ? name : byName.get(name)?.name;

/** A field whose own name is that of another column or key of the table. */
export interface NameClash {
  readonly column: ColumnModel;
  /** What the name means instead. */
  readonly holder: string;
}

/** The fields that are not found by their own names. @param stored Every column of the table. */
export function listMeetings(
  { columns, primary }: Pick<SchemaModel, 'columns' | 'primary'>,
  stored: readonly string[],
): readonly NameClash[] {
  return columns.flatMap((column): NameClash[] => {
    const { name } = column.field;
    if (name === column.name || !stored.includes(name)) return [];
    const other = columns.find((one) => one.name === name);
    const holder = other ? `the column of the field "${other.field.name}"` : `a foreign key`;
    return [{ column, holder: name === primary ? 'the primary key' : holder }];
  });
}
