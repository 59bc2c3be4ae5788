import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import { compileExpression, type NarrowRows } from '../../../database/expression/compile.ts';
import { quote } from '../../../database/table-sql.ts';
import type { SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';

/** Between the parts of the compiled text; no expression has it. */
const SEAM = '\0';

/** A column that the statement computes, as SQL. Conditions on related rows have values, which are bound. */
export function buildComputed({ alias, computed }: SourceColumn, dialect: Dialect): Fragment {
  if (computed === undefined) throw new TypeError('The column is not computed');
  const { expression, joined, narrow } = computed;
  const tests: Fragment[] = [];
  const addTest = (rows: NarrowRows): string => {
    const test = narrow?.(rows);
    return test === undefined ? '' : ` and ${SEAM}${tests.push(test) - 1}${SEAM}`;
  };
  const text = compileExpression(expression, { dialect, alias, narrow: addTest });
  const parts = text
    .split(SEAM)
    .flatMap((part, place) => (place % 2 === 0 ? sql.raw(part) : (tests[Number(part)] ?? [])));
  const value: Fragment = parts.length === 1 ? sql`${sql.raw(text)}` : sql`${sql.join(parts, sql.raw(''))}`;
  if (joined === undefined) return value;
  // Without a joined row there is nothing to compute of: `coalesce(x, 0)` would be 0.
  return sql`case when ${sql.raw(`${quote(alias)}.${quote(joined)}`)} is not null then ${value} end`;
}
