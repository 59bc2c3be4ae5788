import { toLocalText } from '../../../../core/translate.ts';
import type { Pair } from '../../../../developer/frame.ts';
import { toPlain } from '../../../../model/format-text.ts';
import type { Context } from '../../../../plan/feature.ts';
import { showInAdmin } from '../../frame.ts';
import { chooseColumns, type ListColumn, listColumns } from './columns.ts';
import { listSmall } from './edit-cell.ts';
import { readFilterForm } from './filter.ts';
import { type Found, findRows, toReading } from './find-rows.ts';
import { mayDetail, type OpenSchema, openSchema } from './open.ts';
import { toPaging } from './paging.ts';
import { type ListQuery, printListQuery, readListQuery } from './query.ts';
import { toRowsHtml } from './rows-html.ts';
import { toFilters, toSearchForm } from './search-form.ts';
import { findViewOwner } from './view.ts';
import { listViews, type View } from './view-sql.ts';

/** Shows the list of a schema's rows. */
export async function showSearch(context: Context, pair: Pair): Promise<void> {
  const open = openSchema(context, pair);
  if (open === undefined) return;
  const input = pair.request.getGet() as Readonly<Record<string, unknown>>;
  const read = readListQuery(input, open.schema.active);
  const { model } = context.plan;
  const isOpen = (schema: OpenSchema['schema']): boolean => mayDetail(context, schema);
  const all = listColumns(context, { model, schema: open.schema, source: open.source, isOpen });
  // A column that is gone, or that the role hides, may still be in an old address.
  const query = { ...read, columns: read.columns.filter((name) => all.some((column) => column.name === name)) };
  // A form cannot write the grammar's names by itself, so its answer is the address that has them.
  if (input.form !== undefined) return void pair.response.setRedirect(toFormTarget(open, { query, all }, input));
  const columns = chooseColumns(all, query.columns);
  const owner = findViewOwner(open.schema.name);
  const listing = owner === undefined ? [] : listViews(context.services, owner);
  const opening = pair.request.getQuery() === '' ? (await listing).find(({ isDefault }) => isDefault) : undefined;
  if (opening) return void pair.response.setRedirect(`${open.base}/search?${opening.query}`);
  const [views, found] = await Promise.all([listing, findRows(open, query, toReading(open, columns))]);
  if (found.status === 403) return void pair.response.setStatus(403).setError(true, found.message);
  if (found.status !== 200) pair.response.setStatus(found.status);
  showPage({ open, query, all, columns, found, views });
}

/** The address of what a search form says. */
function toFormTarget(
  { base, schema, context }: OpenSchema,
  { query, all }: Pick<Shown, 'query' | 'all'>,
  input: Readonly<Record<string, unknown>>,
): string {
  const removed = ({ any: 'any', only: 'only' } as const)[toPlain(input.removed)] ?? 'no';
  // What is the default is left out, so that a later default shows.
  const defaults = chooseColumns(all, []).map(({ name }) => name);
  const columns = query.columns.join() === defaults.join() ? [] : query.columns;
  const limit = query.limit === String(context.plan.model.settings.limits.pageRows) ? '' : query.limit;
  const made = { ...query, conditions: readFilterForm(input.where), removed, columns, limit } as const;
  const text = printListQuery(made, schema.active, { add: query.add });
  return `${base}/search${text === '' ? '' : `?${text}`}`;
}

interface Shown {
  readonly open: OpenSchema;
  readonly query: ListQuery;
  readonly all: readonly ListColumn[];
  readonly columns: readonly ListColumn[];
  readonly found: Found;
  readonly views: readonly View[];
}

function showPage(shown: Shown): void {
  const { open, query, found, columns, all } = shown;
  const { context, pair, schema, offer, base } = open;
  const limit = Number(query.limit) || context.plan.model.settings.limits.pageRows;
  const { active } = schema;
  const state = printListQuery(query, active);
  const { views } = context.services;
  const isBulk = offer.update || offer.remove || offer.restore || offer.export;
  const form = { open, query, all, columns, limit, faults: found.faults };
  const data = {
    base,
    schema: { singular: toLocalText(schema.singular), plural: toLocalText(schema.plural) },
    offer,
    state,
    form: toSearchForm(form),
    views: shown.views.map((view) => ({ ...view, isCurrent: view.query === state })),
    isFiltered: query.q !== '' || query.conditions.length > 0,
    isBulk,
    showsRemoved: query.removed !== 'no',
    csrf: context.services.sessions.formToken(pair.request),
    heads: toHeads(shown),
    rows: found.rows.length > 0 ? toRowsHtml({ open, columns, rows: found.rows, isBulk }) : '',
    message: found.message,
    faults: found.message === undefined ? [] : toOtherFaults(found, toFilters(form)),
    paging: toPaging(query, found, limit, active),
  };
  showInAdmin(context, pair, {
    title: toLocalText(schema.plural),
    actions: views.render('admin', 'data/search-actions', data),
    scripts: ['admin-list'],
    body: views.render('admin', 'data/search', data),
  });
}

/** Faults that belong to no condition in sight. */
function toOtherFaults({ faults }: Found, filters: readonly { readonly fault: string | undefined }[]): string[] {
  const told = filters.filter(({ fault }) => fault !== undefined).length;
  const others = Object.entries(faults).filter(([name]) => told === 0 || !name.startsWith('filter['));
  return others.flatMap(([, fault]) => (typeof fault === 'string' ? [fault] : []));
}

/** The headings. Each is a link that sorts by its column: first ascending, then descending, then not. */
function toHeads({ open, query, columns }: Shown) {
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
