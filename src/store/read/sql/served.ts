import type { IndexModel } from '../../../model/model.ts';
import type { Condition } from '../parse/json-path.ts';
import type { Order } from '../parse/order.ts';
import type { Search } from '../search-shape.ts';

/** Columns of the table itself that a search compares with one value. */
function listEqual({ conditions, source, active }: Search): Set<string> {
  const equal = conditions.flatMap(({ column, operator, within }) =>
    operator === 'eq' && within === undefined && column?.alias === 't' ? [column.column] : [],
  );
  return new Set(source.active !== undefined && active === 'only' ? [source.active.column, ...equal] : equal);
}

const isFixed = (conditions: readonly Condition[], term: IndexModel['where'][number]): boolean =>
  conditions.some(
    ({ fixed }) =>
      fixed?.column === term.column &&
      fixed.operator === term.operator &&
      JSON.stringify(fixed.value) === JSON.stringify(term.value),
  );

/** True if an index, read in one direction, has the rows in the order. */
function hasOrder(columns: IndexModel['columns'], order: readonly Order[]): boolean {
  const [first] = columns;
  const isTurned = first !== undefined && first.isDescending !== order[0]?.isDescending;
  return (
    columns.length === order.length &&
    columns.every(({ name, isDescending }, place) => {
      const { column, isDescending: isDown } = order[place] ?? {};
      return column?.alias === 't' && column.column === name && (isDown !== isDescending) === isTurned;
    })
  );
}

/** True if an index of the definition has the rows of a search in its order: then nothing is sorted. */
export function isServed(search: Search): boolean {
  const { source, conditions, order } = search;
  const { indexes, primary } = source.schema;
  if (indexes.length === 0) return false;
  const equal = listEqual(search);
  const sorts = order.at(-1)?.column.name === primary ? order.slice(0, -1) : order;
  return indexes.some(({ columns, where }) => {
    const isIn = where.every(
      (term) =>
        isFixed(conditions, term) ||
        (term.column === source.active?.column && term.value === 1 && equal.has(term.column)),
    );
    const start = columns.findIndex(({ name }) => !equal.has(name));
    return isIn && start >= 0 && hasOrder(columns.slice(start), sorts);
  });
}
