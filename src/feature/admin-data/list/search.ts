import { toLocalText, translate } from '../../../core/text/translate.ts';
import { escapeHtml, toPlain } from '../../../model/format/format-text.ts';
import { toLabelText } from '../../../model/names.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { readFilterForm } from '../../../page/filter/filter-row.ts';
import { showPage } from '../../../page/frame.ts';
import { mayOpen } from '../../../page/guard.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Row } from './cell.ts';
import { chooseColumns, type ListColumn, listColumns } from './columns.ts';
import { listSmall } from './edit-cell.ts';
import { createSelection, findRows, type RowPage } from './find-rows.ts';
import { mayDetail, type OpenSchema, openSchema } from './open.ts';
import { type ListQuery, printListQuery, readListQuery } from './query.ts';
import { listChoices, listFilters, toSearchForm } from './search-form.ts';
import { findViewOwner } from './view.ts';
import { listViews, type View } from './view-sql.ts';

interface RowsInput {
  readonly open: OpenSchema;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly Row[];
  /** True if rows can be ticked. */
  readonly isBulk: boolean;
}

const toCell = (html: string, isNumber: boolean): string => `<td${isNumber ? ' class="t-number"' : ''}>${html}</td>`;

/** Stands for a row's label in a translated text: no text has it. */
const MARK = '\0';

/**
 * The HTML of a list's rows. It is put together here and not in the template, because it is most of the page: so a page
 * takes half the time. The first cell without a link of its own leads to the row.
 */
function toRowsHtml({ open, columns, rows, isBulk }: RowsInput): string {
  const { schema, offer, context } = open;
  const now = context.services.clock.now();
  const { active, primary } = schema;
  const linked = offer.detail ? columns.findIndex(({ isPlain }) => isPlain) : -1;
  const edit = escapeHtml(translate('Edit'));
  // Translated once, and not for each row.
  const [before = '', after = ''] = escapeHtml(translate('Edit {row}', { row: MARK })).split(MARK);
  const toLink = (id: string, html: string): string => `<a href="detail/${id}">${html}</a>`;
  const toRow = (row: Row): string => {
    const id = escapeHtml(toPlain(row[primary]));
    const label = escapeHtml(toRowLabel(schema, row));
    const isRemoved = active !== undefined && row[active] !== undefined && Number(row[active]) === 0;
    let html = `<tr data-id="${id}"${isRemoved ? ' class="t-removed"' : ''}>`;
    if (isBulk) html += `<td><input type="checkbox" name="ids[]" value="${id}" aria-label="${label}"></td>`;
    html += toCell(offer.detail ? toLink(id, id) : id, true);
    for (const [index, column] of columns.entries()) {
      const cell = column.toCell(row, now);
      html += toCell(index === linked && cell !== '' ? toLink(id, cell) : cell, column.isNumber);
    }
    if (offer.update) {
      html += `<td><a href="update/${id}" aria-label="${before}${label}${after}">${edit}</a></td>`;
    }
    return `${html}</tr>\n`;
  };
  return rows.map(toRow).join('');
}

/** Links to other pages of a list, and where this one lies. */
interface Paging {
  /** Numbers of the first and the last row shown; undefined after a cursor that does not tell. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly total: number | undefined;
  /** Query strings. */
  readonly start: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly end: string | undefined;
}

/** The search refuses a greater offset. */
const MOST_OFFSET = 10_000_000;

function toFirst({ from, after, before, offset }: ListQuery): number | undefined {
  if (from > 0) return from;
  return after === '' && before === '' ? Number(offset) + 1 : undefined;
}

/** Computes the links. They use cursors, which are stable and fast on any page; only the last page uses an offset. */
function createPaging(query: ListQuery, found: RowPage, limit: number, active: string | undefined): Paging {
  const { rows, total, next, previous } = found;
  const first = rows.length === 0 ? undefined : toFirst(query);
  const last = first === undefined ? undefined : first + rows.length - 1;
  const print = (start: Parameters<typeof printListQuery>[2]): string => printListQuery(query, active, start);
  const isSecond = first !== undefined && first <= limit + 1;
  const back = isSecond ? print({}) : print({ before: previous ?? '', from: first === undefined ? 0 : first - limit });
  const lastStart = total === undefined ? 0 : Math.floor(Math.max(total - 1, 0) / limit) * limit;
  const isEndFar = next !== undefined && lastStart > 0 && lastStart <= MOST_OFFSET;
  return {
    first,
    last,
    total,
    start: previous === undefined ? undefined : print({}),
    previous: previous === undefined ? undefined : back,
    next: next === undefined ? undefined : print({ after: next, from: last === undefined ? 0 : last + 1 }),
    end: isEndFar ? print({ offset: String(lastStart) }) : undefined,
  };
}

/** Shows the list of a schema's rows. */
export async function showSearch(context: Context, exchange: Exchange): Promise<void> {
  const open = openSchema(context, exchange);
  if (open === undefined) return;
  const input = exchange.request.getGet() as Readonly<Record<string, unknown>>;
  const read = readListQuery(input, open.schema.active);
  const { model } = context.plan;
  const isOpen = (schema: OpenSchema['schema']): boolean => mayDetail(context, schema);
  const all = listColumns(context, { model, schema: open.schema, source: open.source, isOpen });
  // A column that is gone, or that the role hides, may still be in an old address.
  const query = { ...read, columns: read.columns.filter((name) => all.some((column) => column.name === name)) };
  // A form cannot write the grammar's names by itself, so its answer is the address that has them.
  if (input.form !== undefined) return void exchange.response.setRedirect(toFormTarget(open, { query, all }, input));
  const columns = chooseColumns(all, query.columns);
  const owner = findViewOwner(open.schema.name);
  const listing = owner === undefined ? [] : listViews(context.services, owner);
  const opening = exchange.request.getQuery() === '' ? (await listing).find(({ isDefault }) => isDefault) : undefined;
  if (opening) return void exchange.response.setRedirect(`${open.base}/search?${opening.query}`);
  const [views, found] = await Promise.all([listing, findRows(open, query, createSelection(open, columns))]);
  if (found.status === 403) return void exchange.response.setStatus(403).setError(true, found.message);
  if (found.status !== 200) exchange.response.setStatus(found.status);
  showList({ open, query, all, columns, found, views });
}

/** The address of what a search form says. */
function toFormTarget(
  open: OpenSchema,
  { query, all }: Pick<ListView, 'query' | 'all'>,
  input: Readonly<Record<string, unknown>>,
): string {
  const { base, schema, context } = open;
  const removed = ({ any: 'any', only: 'only' } as const)[toPlain(input.removed)] ?? 'no';
  // What is the default is left out, so that a later default shows.
  const defaults = chooseColumns(all, []).map(({ name }) => name);
  const columns = query.columns.join() === defaults.join() ? [] : query.columns;
  const limit = query.limit === String(context.plan.model.settings.limits.pageRows) ? '' : query.limit;
  const made = {
    ...query,
    conditions: readFilterForm(input.where, listChoices(open)),
    removed,
    columns,
    limit,
  } as const;
  const text = printListQuery(made, schema.active, { add: query.add });
  return `${base}/search${text === '' ? '' : `?${text}`}`;
}

interface ListView {
  readonly open: OpenSchema;
  readonly query: ListQuery;
  readonly all: readonly ListColumn[];
  readonly columns: readonly ListColumn[];
  readonly found: RowPage;
  readonly views: readonly View[];
}

function showList(shown: ListView): void {
  const { open, query, found, columns, all } = shown;
  const { context, exchange, schema, offer, base } = open;
  const limit = Number(query.limit) || context.plan.model.settings.limits.pageRows;
  const { active } = schema;
  const state = printListQuery(query, active);
  const isBulk = offer.update || offer.remove || offer.restore || offer.export;
  const form = { open, query, all, columns, limit, faults: found.faults };
  const data = {
    base,
    schema: { singular: toLocalText(schema.singular), plural: toLocalText(schema.plural) },
    offer,
    trees: listTreePages(open),
    state,
    form: toSearchForm(form),
    views: shown.views.map((view) => ({ ...view, isCurrent: view.query === state })),
    isFiltered: query.q !== '' || query.conditions.length > 0,
    isBulk,
    showsRemoved: query.removed !== 'no',
    heads: toHeads(shown),
    rows: found.rows.length > 0 ? toRowsHtml({ open, columns, rows: found.rows, isBulk }) : '',
    message: found.message,
    faults: found.message === undefined ? [] : listOtherErrors(found, listFilters(form)),
    paging: createPaging(query, found, limit, active),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: toLocalText(schema.plural),
    actions: 'admin/data/search-actions',
    scripts: ['admin-list'],
    template: 'admin/data/search',
    data,
  });
}

/** The pages that show the rows as trees. */
function listTreePages({ context, schema, base }: OpenSchema) {
  if (schema.trees.length === 0 || !mayOpen(context, `${base}/tree`)) return [];
  const isOne = schema.trees.length === 1;
  return schema.trees.map(({ name }) => ({
    label: isOne ? translate('Tree') : translate('Tree by {relation}', { relation: toLabelText(name) }),
    path: isOne ? `${base}/tree` : `${base}/tree?relation=${encodeURIComponent(name)}`,
  }));
}

/** Errors that belong to no condition in sight. */
function listOtherErrors({ faults }: RowPage, filters: readonly { readonly fault: string | undefined }[]): string[] {
  const told = filters.filter(({ fault }) => fault !== undefined).length;
  const others = Object.entries(faults).filter(([name]) => told === 0 || !name.startsWith('filter['));
  return others.flatMap(([, fault]) => (typeof fault === 'string' ? [fault] : []));
}

/** The headings. Each is a link that sorts by its column: first ascending, then descending, then not. */
function toHeads({ open, query, columns }: ListView) {
  const { active, primary } = open.schema;
  const small = new Set(open.offer.update ? listSmall(open.context, open.schema).map(({ name }) => name) : []);
  const toHead = (name: string, label: string, isSortable: boolean, isNumber: boolean) => {
    const sorted = query.sort.find(({ column }) => column === name);
    const sort =
      sorted === undefined
        ? [{ column: name, isDescending: false }]
        : sorted.isDescending
          ? []
          : [{ column: name, isDescending: true }];
    return {
      label,
      isNumber,
      isSortable,
      edits: small.has(name) ? name : undefined,
      order: sorted === undefined ? undefined : sorted.isDescending ? 'descending' : 'ascending',
      href: printListQuery({ ...query, sort }, active),
    };
  };
  return [
    toHead(primary, 'ID', open.source.sortable.has(primary), true),
    ...columns.map(({ name, label, isSortable, isNumber }) => toHead(name, label, isSortable, isNumber)),
  ];
}
