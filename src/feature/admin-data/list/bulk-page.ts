import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toFieldView } from '../../../form/field.ts';
import { readTyped } from '../../../form/typed.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import { isBlank } from '../../../model/json/json-value.ts';
import type { ColumnModel } from '../../../model/model.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { listLabelColumns, toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { type BulkAction, type BulkError, changeMany, MOST_ROWS, readIds } from './bulk.ts';
import type { Row } from './cell.ts';
import { listSmall } from './edit-cell.ts';
import { findRows } from './find-rows.ts';
import { type OpenSchema, openSchema } from './open.ts';
import { type ListQuery, printListQuery, readListQuery } from './query.ts';

/** A row that a bulk change is about. */
interface BulkTarget {
  readonly id: number;
  readonly label: string;
}

/** Maximum ids in one search. */
const MOST_IDS = 500;

/**
 * The rows that a bulk change is about: the ticked ones, or all of the search. Rows for which the action makes no sense,
 * such as removed ones to remove, are left out. At most one more than {@link MOST_ROWS}.
 *
 * @param ids The ticked rows; undefined for all that match.
 */
async function findTargets(
  open: OpenSchema,
  query: ListQuery,
  action: BulkAction,
  ids: readonly number[] | undefined,
): Promise<readonly BulkTarget[]> {
  const removed = action === 'restore' ? 'only' : 'no';
  const plain = { ...query, removed, offset: '', after: '', before: '' } as const;
  if (ids === undefined) return findAll(open, plain);
  const { primary } = open.schema;
  const found: BulkTarget[] = [];
  for (let start = 0; start < Math.min(ids.length, MOST_ROWS + 1); start += MOST_IDS) {
    const value = ids.slice(start, start + MOST_IDS).join(',');
    found.push(
      ...(await findAll(open, { ...plain, q: '', sort: [], conditions: [{ name: primary, operator: 'in', value }] })),
    );
  }
  return found;
}

/** Reads a search to its end, or until it is too long. */
async function findAll(open: OpenSchema, query: ListQuery): Promise<BulkTarget[]> {
  const { schema, source, context } = open;
  const text = schema.row.shown.find(({ name }) => source.columns.has(name));
  const label = listLabelColumns(schema) ?? (text === undefined ? [] : [text.name]);
  const fields = [schema.primary, ...label.filter((name) => source.columns.has(name))];
  const limit = String(context.plan.model.settings.limits.maxPageRows);
  const targets: BulkTarget[] = [];
  for (let after = ''; ; ) {
    const found = await findRows(open, { ...query, limit, after }, { fields, expand: [] }, { total: 0 });
    for (const row of found.rows) {
      targets.push({ id: Number(toPlain(row[schema.primary])), label: toRowLabel(schema, row) });
    }
    if (found.next === undefined || targets.length > MOST_ROWS) return targets;
    after = found.next;
  }
}

type FormValues = Readonly<Record<string, unknown>>;

/** Rows that the question names. */
const MOST_NAMED = 10;

/** A bulk change as it was posted. */
interface Bulk {
  readonly open: OpenSchema;
  readonly query: ListQuery;
  readonly action: BulkAction;
  readonly posted: FormValues;
  /** The ticked rows; undefined for all that match. */
  readonly ids: readonly number[] | undefined;
  /** Address of the list. */
  readonly back: string;
}

const isAction = (action: unknown): action is BulkAction =>
  action === 'remove' || action === 'restore' || action === 'update';

/** Does something with ticked rows, or with all that match: asks first, then does it, then says what happened. */
export async function postBulk(context: Context, exchange: Exchange): Promise<void> {
  const open = openSchema(context, exchange);
  if (open === undefined) return;
  const { request, response } = exchange;
  const { schema, base, offer } = open;
  const posted = request.getPost() as FormValues;
  const query = readListQuery(request.getGet() as FormValues, schema.active);
  const state = printListQuery(query, schema.active);
  const back = `${base}/search${state === '' ? '' : `?${state}`}`;
  const ids = posted.all === '1' ? undefined : readIds(posted.ids);
  if (ids?.length === 0) {
    flash(exchange, translate('Tick rows first, or choose all that match.'), 'warning');
    return void response.setRedirect(back);
  }
  const { action } = posted;
  if (action === 'export') return void response.setRedirect(toExport(open, query, ids));
  if (!isAction(action)) {
    return void response.setStatus(400).setError(true, translate('Choose what to do with the rows.'));
  }
  if (!offer[action]) return void response.setStatus(403).setError(true, translate('Your role does not allow this.'));
  await askOrDo({ open, query, action, posted, ids, back });
}

function toExport({ base, schema }: OpenSchema, query: ListQuery, ids: readonly number[] | undefined): string {
  const { primary, active } = schema;
  const selection = ids && { ...query, q: '', conditions: [{ name: primary, operator: 'in', value: ids.join(',') }] };
  return `${base}/export?format=csv&${printListQuery(selection ?? query, active)}`;
}

async function askOrDo(bulk: Bulk): Promise<void> {
  const { open, action, posted, back } = bulk;
  const { exchange, schema } = open;
  const targets = await findTargets(open, bulk.query, action, bulk.ids);
  if (targets.length === 0) {
    flash(exchange, translate('No row is left for this.'), 'warning');
    return void exchange.response.setRedirect(back);
  }
  // Rows that began to match after the question are not changed unasked.
  const isConfirmed = posted.confirm === String(targets.length) && targets.length <= MOST_ROWS;
  const column = action === 'update' ? findChanged(bulk) : undefined;
  if (!isConfirmed || (action === 'update' && column === undefined)) return showQuestion(bulk, targets, []);
  const ids = targets.map(({ id }) => id);
  const { changed, faults } = await changeMany(open, action, ids, column === undefined ? {} : toValues(column, posted));
  if (faults.length > 0) return showQuestion(bulk, targets.slice(changed), faults, changed);
  flash(exchange, toDone(action, changed, schema));
  exchange.response.setRedirect(back);
}

/** The column that the form changes. */
const findChanged = ({ open: { context, schema }, posted }: Bulk): ColumnModel | undefined =>
  listSmall(context, schema).find(({ name }) => name === posted.column);

/** The value for all rows. A blank is an empty text: a null would not count as sent. */
function toValues(column: ColumnModel, posted: FormValues): Row {
  const value = readTyped(column, posted[column.name]);
  return { [column.name]: isBlank(value) ? '' : value };
}

function toDone(action: BulkAction, count: number, { singular, plural }: OpenSchema['schema']): string {
  const rows = count === 1 ? singular : plural;
  if (action === 'remove') return translate('{count} {rows} removed.', { count, rows });
  if (action === 'restore') return translate('{count} {rows} restored.', { count, rows });
  return translate('{count} {rows} changed.', { count, rows });
}

function toTitle(action: BulkAction, count: number, { singular, plural }: OpenSchema['schema']): string {
  const rows = count === 1 ? singular : plural;
  if (action === 'remove') return translate('Remove {count} {rows}?', { count, rows });
  if (action === 'restore') return translate('Restore {count} {rows}?', { count, rows });
  return translate('Change {count} {rows}', { count, rows });
}

/** Asks before many rows are changed; after a failure with the reasons. */
function showQuestion(bulk: Bulk, targets: readonly BulkTarget[], errors: readonly BulkError[], done = 0): void {
  const { open, action, ids, back } = bulk;
  const { context, exchange, schema, base } = open;
  const labels = new Map(targets.map(({ id, label }) => [id, label] as const));
  const isTooMany = targets.length > MOST_ROWS;
  const isChange = action === 'update';
  const column = isChange ? findChanged(bulk) : undefined;
  if (errors.length > 0) exchange.response.setStatus(422);
  const data = {
    action,
    isRemoval: action === 'remove',
    isChange,
    columns: isChange ? listSmall(context, schema).map(({ name, label }) => ({ name, label: toLocalText(label) })) : [],
    column: column?.name,
    field: column && toFieldView(column, { typed: bulk.posted[column.name] ?? '', isChange: true }),
    isSoft: schema.active !== undefined,
    target: back,
    ids: ids === undefined ? [] : targets.map(({ id }) => id),
    isAll: ids === undefined,
    count: targets.length,
    isTooMany,
    most: MOST_ROWS,
    named: targets.slice(0, MOST_NAMED),
    unnamed: Math.max(0, targets.length - MOST_NAMED),
    done,
    faults: errors.map(({ id, message }) => ({ id, message, label: labels.get(id) })),
    base,
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: toTitle(action, targets.length, schema),
    crumbs: [{ label: toLocalText(schema.plural), path: back }],
    current: base,
    styles: ['form'],
    template: 'admin/data/bulk',
    data,
  });
}
