import type { Order } from './cursor.ts';
import { type Draft, describeColumn, isGiven, toPlain } from './draft.ts';
import { toJsonPath } from './json-path.ts';
import { listNames } from './operand.ts';
import type { SourceColumn } from './source-column.ts';

const MAX_ORDER = 5;

type Input = Readonly<Record<string, unknown>>;

/** Parses `-column,column`, a list of those, or an object of column to `ASC` or `DESC`. */
export function listSorts(raw: unknown): [string, unknown][] {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return Object.entries(raw);
  return listNames(raw)
    .filter((text) => text !== '')
    .map((text) => (text.startsWith('-') ? [text.slice(1), 'DESC'] : [text.replace(/^\+/, ''), 'ASC']));
}

/**
 * The value at a path as two hidden sort columns, one per kind of value. Missing values sort first, then numbers,
 * then texts.
 */
function toPathOrder(column: SourceColumn, path: string, place: number, draft: Draft): SourceColumn[] {
  const slot = draft.values.hold('path', path);
  return (['text', 'number'] as const).map((kind) => ({
    ...column,
    name: `treadle_${kind}_${place}_${column.name}`,
    isNullable: true,
    part: { slot, kind },
  }));
}

/** The sort columns for a name, or the fault. */
function findColumns(wanted: string, place: number, draft: Draft): readonly SourceColumn[] | string {
  const { source } = draft;
  const dot = wanted.indexOf('.');
  const head = dot < 0 ? wanted : wanted.slice(0, dot);
  const column = source.sortable.get(head);
  if (!column) return describeColumn(source.columns.has(head) ? head : wanted, source, source.sortable, 'sortable');
  if (column.type !== 'json') {
    return dot < 0 ? [column] : `"${wanted.slice(0, 64)}" does not exist: ${column.name} is not JSON.`;
  }
  const path = dot < 0 ? undefined : toJsonPath(wanted.slice(dot + 1).split('.'));
  return path === undefined
    ? `"${wanted.slice(0, 64)}" is JSON: sort by a key within it, such as ${column.name}.key.`
    : toPathOrder(column, path, place, draft);
}

/** Parses `sort` (or the older `order`); the primary key is always added last. */
export function parseOrder(input: Input, draft: Draft): Order[] {
  const { source, faults } = draft;
  const name = isGiven(input.sort) ? 'sort' : 'order';
  const sorts = isGiven(input[name]) ? listSorts(input[name]) : [];
  if (sorts.length > MAX_ORDER) faults[name] = `"${name}" takes at most ${MAX_ORDER} columns.`;
  const order: Order[] = [];
  for (const [place, [wanted, direction]] of sorts.slice(0, MAX_ORDER).entries()) {
    const columns = findColumns(wanted, place, draft);
    const word = toPlain(direction).toUpperCase();
    const parameter = `${name}[${wanted}]`;
    if (typeof columns === 'string') faults[parameter] = columns;
    else if (word !== 'ASC' && word !== 'DESC')
      faults[parameter] = `"${wanted.slice(0, 64)}" must be sorted ASC or DESC.`;
    else {
      for (const column of columns) {
        if (order.some((other) => other.column.name === column.name)) continue;
        const label = column.part === undefined ? {} : { label: `${wanted} ${column.part.kind}` };
        order.push({ column, isDescending: word === 'DESC', ...label });
      }
    }
  }
  // The key sorts in the direction of the previous column, so that one index on that column serves both.
  if (!order.some(({ column }) => column.name === source.primary.name)) {
    order.push({ column: source.primary, isDescending: order.at(-1)?.isDescending ?? false });
  }
  return order;
}
