import { secondsToStamp } from '../core/clock.ts';
import { translate } from '../core/text/translate.ts';
import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';
import type { TableColumn } from '../plan/table/column.ts';
import { listTableColumns } from '../plan/table/list.ts';
import type { OwnTable, TableFilter } from '../plan/table/own-table.ts';
import { emitEvent } from './emit-event.ts';
import type { Exchange } from './exchange.ts';
import { type Condition, type FilterChoice, readFilterForm, toFilterRows } from './filter/filter-row.ts';
import { createPageLinks, readQuery, readText } from './list-page.ts';

interface Badge {
  readonly label: string;
  /** CSS class in addition to `t-badge`. */
  readonly tone?: string | undefined;
}

/** What a cell shows; templates escape it. */
export interface Cell {
  readonly text?: unknown;
  readonly number?: number;
  readonly badge?: Badge;
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly at?: unknown;
  readonly isTime?: boolean;
  /** Where the text leads. */
  readonly href?: string;
  /** Shown less than the text, behind it. */
  readonly note?: unknown;
  /** Below the text. */
  readonly hint?: unknown;
  /** Words of code, such as scopes. */
  readonly codes?: readonly unknown[];
  /** A badge behind the text. */
  readonly mark?: string | undefined;
  /** Shown in place of a value. */
  readonly empty?: string;
  /** More of the text for screen readers. */
  readonly hidden?: unknown;
}

/** A button in a row, which posts. */
interface RowAction {
  readonly path: string;
  readonly label: string;
  /** The row in words, for screen readers. */
  readonly row: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A list of one of Treadle's own tables in the admin section. */
interface OwnList {
  /** Name of the table. */
  readonly table: string;
  readonly path: string;
  readonly title: string;
  /** Cells that are not the value alone, by key of the column. */
  readonly cells: Readonly<Record<string, (row: Row) => Cell>>;
  /** Values of a filter that only the page knows, by key of the column. */
  readonly options?: Readonly<Record<string, FilterChoice['options']>>;
  action?(row: Row): RowAction | undefined;
  /** Said where there is no row, without and with a filter. */
  readonly empty: readonly [none: string, unmatched: string];
}

const TYPES = { text: 'text', number: 'integer', state: 'option', time: 'moment' } as const;

/** Filters that people choose, by key of the stage: those with a label. */
const listFilters = ({ filters, columns, key }: OwnTable): [string, TableFilter & { readonly label: string }][] =>
  Object.entries(filters).flatMap(([name, filter]) => {
    const label = filter.label ?? columns[filter.column]?.label;
    return label === undefined || filter.column === key ? [] : [[name, { ...filter, label }]];
  });

/** A choice of the filter form for each column with filters. */
function listChoices(table: OwnTable, options: OwnList['options'] = {}): FilterChoice[] {
  const filters = listFilters(table).map(([, filter]) => filter);
  return [...new Map(filters.map((filter) => [filter.column, filter])).values()].map(({ column, label }) => {
    const { kind = 'text', states = {} } = table.columns[column] ?? {};
    const own = Object.entries(states).map(([key, state]) => ({ key, value: translate(state.label) }));
    const choices = options[column] ?? own;
    return {
      name: column,
      label: translate(label),
      type: TYPES[kind],
      options: choices,
      isClosed: choices.length > 0,
      operators: filters.filter((filter) => filter.column === column).map(({ operator }) => operator),
    };
  });
}

/** The conditions of a query string, in which each filter has a key of its own. */
const readConditions = (table: OwnTable, query: Readonly<Record<string, string>>): Condition[] =>
  listFilters(table).flatMap(([key, { column, operator }]) => {
    const value = query[key];
    return value === undefined ? [] : [{ name: column, operator, value }];
  });

/** The query string of conditions. A key stands once: a list then has the values of all its conditions, else the last one counts. */
function printConditions(table: OwnTable, conditions: readonly Condition[], add = ''): string {
  const filters = listFilters(table);
  const values = new Map<string, string>();
  for (const { name, operator, value } of conditions) {
    const [key] = filters.find(([, filter]) => filter.column === name && filter.operator === operator) ?? [];
    if (key === undefined) continue;
    const before = operator === 'in' ? (values.get(key)?.split(',') ?? []) : [];
    values.set(key, [...new Set([...before, ...(operator === 'in' ? value.split(',') : [value])])].join(','));
  }
  return String(new URLSearchParams([...values, ...(add === '' ? [] : [['add', add]])]));
}

function toBadge(states: TableColumn['states'] = {}, state: unknown): Badge {
  const { label = String(state), tone } = states[String(state)] ?? {};
  return { label: translate(label), tone };
}

/** The badge of a row's state. */
export const findBadge = ({ plan }: Context, table: string, state: unknown): Badge =>
  toBadge(plan.ownTables.get(table)?.columns.state?.states, state);

function toDefaultCell({ kind, states }: TableColumn, value: unknown): Cell {
  if (kind === 'time') return { isTime: true, at: typeof value === 'number' ? secondsToStamp(value) : value };
  if (kind === 'state') return { badge: toBadge(states, value) };
  if (kind === 'text' || value === null || value === undefined) return { text: value };
  return { number: Number(value) };
}

/** The filter form of the list; with errors at the conditions. */
function toFilterForm(table: OwnTable, { path, title, options }: OwnList, query: Row & FilterQuery, errors: unknown) {
  const choices = listChoices(table, options);
  const known = readConditions(table, query.filter);
  const isAdded = choices.some(({ name }) => name === query.add);
  const conditions = isAdded ? [...known, { name: query.add, operator: '', value: '' }] : known;
  const byCondition = Object.entries({ ...(errors as object | undefined) }).flatMap(([key, message]) => {
    const { column, operator } = table.filters[key] ?? {};
    return column === undefined ? [] : [[`filter[${column}][${operator}]`, message]];
  });
  const without = (index: number): string => printConditions(table, known.toSpliced(index, 1));
  const rows = toFilterRows({ conditions, choices, faults: Object.fromEntries(byCondition), without });
  return {
    path,
    title,
    choices: choices.map(({ name, label }) => ({ name, label })),
    filters: rows.map((row) => ({ ...row, isNew: row.index >= known.length })),
  };
}

interface FilterQuery {
  readonly filter: Readonly<Record<string, string>>;
  readonly add: string;
}

/** What a list read, and its HTML. */
interface OwnListView {
  readonly html: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  readonly rows: readonly Row[];
  readonly results: Row;
}

/**
 * Renders the list of one of Treadle's own tables as the viewer may see it. Undefined if the project does not have the table,
 * and if a filter form was sent: the answer then leads to the address that says what the form does.
 */
export async function renderOwnList(
  context: Context,
  exchange: Exchange,
  list: OwnList,
): Promise<OwnListView | undefined> {
  const table = context.plan.ownTables.get(list.table);
  if (table === undefined) return undefined;
  const { request, response } = exchange;
  const { services } = context;
  if (request.hasGet('form')) {
    const conditions = readFilterForm(request.getGet('where'), listChoices(table, list.options));
    const target = printConditions(table, conditions, readText(request.getGet('add')));
    response.setRedirect(target === '' ? list.path : `${list.path}?${target}`);
    return undefined;
  }
  // What the form does not show selects nothing: buttons act on what the list has.
  const query = readQuery(exchange, [...listFilters(table).map(([key]) => key), 'before']);
  const { before, ...filter } = query;
  const answer = await emitEvent(context, table.search, query);
  const results: Row = { ...answer?.getResults<Row>() };
  const rows: readonly Row[] = Array.isArray(results.rows) ? results.rows : [];
  const columns = listTableColumns(table, 'page');
  const isFiltered = Object.keys(filter).length > 0;
  const [none, unmatched] = list.empty;
  const html = services.views.render('admin', 'run/own-list', {
    csrf: services.sessions.formToken(request),
    message: answer?.isError() ? answer.getMessage() : undefined,
    form: toFilterForm(table, list, { filter, add: readText(request.getGet('add')) }, answer?.getValidation()),
    heads: columns.map(([, { label = '' }]) => translate(label)),
    hasActions: list.action !== undefined,
    rows: rows.map((row) => ({
      cells: columns.map(([key, column]) => ({
        label: translate(column.label ?? ''),
        ...(list.cells[key]?.(row) ?? toDefaultCell(column, row[key])),
      })),
      action: list.action?.(row),
    })),
    empty: isFiltered || before !== undefined ? unmatched : none,
    isFiltered,
    newest: list.path,
    isLater: before !== undefined,
    older: createPageLinks(list.path, query, results.next),
  });
  return { html, filter, isFiltered, rows, results };
}
