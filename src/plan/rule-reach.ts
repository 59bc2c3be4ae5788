import type { SchemaModel } from '../model/model.ts';
import { resolveColumns } from '../model/role-columns.ts';
import type { RoleRule } from '../model/shape.ts';

type RowRule = Exclude<RoleRule, boolean>;
type Filter = NonNullable<RowRule['filter']>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that combine conditions, and a value that shows removed rows too: more of them can mean more rows. */
const WIDENING = new Set(['or', 'and', 'not']);

/** The number 1 and the text "1" are the same value of a filter. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? String(part) : part)) ?? '';

const isSame = (one: unknown, other: unknown): boolean => toText(one) === toText(other);

/** Whether a filter asks for everything that another one asks for, and perhaps for more. In doubt false. */
function isNarrower(filter: Filter = {}, than: Filter = {}): boolean {
  const isWider = Object.entries(filter).some(
    ([key, own]) => (WIDENING.has(key) || own === 'any') && !isSame(own, than[key]),
  );
  if (isWider) return false;
  return Object.entries(than).every(([key, wide]) => {
    const own = filter[key];
    const isNested = !WIDENING.has(key) && isRecord(wide) && isRecord(own);
    return isNested ? isNarrower(own as Filter, wide as Filter) : isSame(own, wide);
  });
}

function isWithin(schema: SchemaModel, list: 'read' | 'write', inner: RowRule, outer: RowRule): boolean {
  const wide = resolveColumns(schema, list, outer[list]);
  if (wide === undefined) return true;
  const narrow = resolveColumns(schema, list, inner[list]);
  return narrow !== undefined && [...narrow].every((name) => wide.has(name));
}

/** Whether a rule reaches every row and column that another one reaches. In doubt false. */
export function rulesAsMuch(schema: SchemaModel, held: RoleRule | undefined, wanted: RoleRule): boolean {
  if (wanted === false || held === true) return true;
  if (held === undefined || held === false) return false;
  const inner: RowRule = wanted === true ? {} : wanted;
  return (
    isNarrower(inner.filter, held.filter) &&
    isNarrower(inner.check ?? inner.filter, held.check ?? held.filter) &&
    isWithin(schema, 'read', inner, held) &&
    isWithin(schema, 'write', inner, held)
  );
}
