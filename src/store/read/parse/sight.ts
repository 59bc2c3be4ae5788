import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import type { NarrowRows } from '../../../database/expression/compile.ts';
import { isCounted, type SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import type { Aggregate } from './aggregate.ts';
import type { Condition } from './json-path.ts';
import type { Order } from './order.ts';
import { buildMask, findReached, type RowVisibility } from './predicate.ts';

/** A column whose counts and sums leave out the related rows, and the values of them, that the caller may not see. */
export function bindSight(column: SourceColumn, sight: RowVisibility, dialect: Dialect): SourceColumn {
  const { computed } = column;
  if (computed === undefined || !isCounted(column) || sight.size === 0) return column;
  const narrow = ({ schema, key, columns }: NarrowRows): Fragment | undefined => {
    const test = sight.get(schema);
    const ref = sql`${sql.raw(key)}`;
    const parts = [
      findReached(ref, test, dialect),
      ...columns.map((name) => buildMask(test, name, dialect, ref)),
    ].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : sql.join(parts, sql` and `);
  };
  return { ...column, computed: { ...computed, narrow } };
}

/** Conditions on the searched rows, for the caller's sight. */
export function bindConditions(
  conditions: readonly Condition[],
  sight: RowVisibility,
  dialect: Dialect,
): readonly Condition[] {
  if (sight.size === 0) return conditions;
  return conditions.map((condition) => {
    const { column, within } = condition;
    return column === undefined || within !== undefined
      ? condition
      : { ...condition, column: bindSight(column, sight, dialect) };
  });
}

/** The columns of a sort, for the caller's sight. */
export function bindOrder(order: readonly Order[], sight: RowVisibility, dialect: Dialect): readonly Order[] {
  if (sight.size === 0) return order;
  return order.map((item) => ({ ...item, column: bindSight(item.column, sight, dialect) }));
}

/** The columns of groups and sums, for the caller's sight. */
export function bindAggregate(aggregate: Aggregate, sight: RowVisibility, dialect: Dialect): Aggregate {
  if (sight.size === 0) return aggregate;
  const bind = (column: SourceColumn): SourceColumn => bindSight(column, sight, dialect);
  const { groups, sum, average, count, ends } = aggregate;
  return {
    ...aggregate,
    groups: groups.map((group) => ({ ...group, column: bind(group.column) })),
    sum: sum && bind(sum),
    average: average && bind(average),
    count: count && bind(count),
    ends: {
      ...(ends.least === undefined ? {} : { least: bind(ends.least) }),
      ...(ends.greatest === undefined ? {} : { greatest: bind(ends.greatest) }),
    },
  };
}
