import { fieldKinds } from '../field/field-kind.ts';
import type { Field, FieldType } from '../shape.ts';

/** Reads a text of a filter as a body's value of the same column is read. */
export interface KindReader {
  /** The stored form; undefined if the column can never hold it. */
  read(text: string): string | undefined;
  /** The rule, to follow the parameter's name. */
  readonly expects: string;
  /** True if a part of a value has a place in the order: `email[gte]=m`. A part of a time has none. */
  readonly takesParts: boolean;
  /** True if a year is a period of the column's values. */
  readonly hasYears: boolean;
}

/** Kinds that store one form of a text, or refuse some. Options are judged by the column's own list. */
const READ: ReadonlySet<FieldType> = new Set<FieldType>([
  ...(['time', 'week', 'month', 'email', 'url', 'mask', 'slug', 'color', 'countrylist', 'uuid', 'ipaddress'] as const),
]);

/** Rows from before a narrower rule keep their values, so a filter may ask for them. */
function toBare({ attributes, ...field }: Field): Field {
  const mask = attributes?.['data-mask'];
  return mask === undefined ? field : { ...field, attributes: { 'data-mask': mask } };
}

/** The reader of a field's values; undefined if its kind takes any text. */
export function createReader(field: Field): KindReader | undefined {
  if (!READ.has(field.type)) return undefined;
  const kind = fieldKinds[field.type];
  const bare = toBare(field);
  // The first filter makes it: a start and an answer without one need no zod.
  let shape: ReturnType<typeof kind.shape> | undefined;
  return {
    read: (text) => {
      // A filter has no clock: a rule says $now.
      const value = /^\s*now\(\)\s*$/i.test(text) ? undefined : kind.coerce(text, 0);
      shape ??= kind.shape(bare);
      return typeof value === 'string' && shape.safeParse(value).success ? value : undefined;
    },
    get expects() {
      return kind.expects(bare);
    },
    takesParts: kind.group !== 'date',
    hasYears: field.type === 'month',
  };
}
