import { toPlain } from '../../../../model/format-text.ts';
import { listLabelColumns, toRowLabel } from '../row-label.ts';
import { type BulkAction, MOST_ROWS } from './bulk.ts';
import { findRows } from './find-rows.ts';
import type { OpenSchema } from './open.ts';
import type { ListQuery } from './query.ts';

/** A row that a bulk change is about. */
export interface BulkTarget {
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
export async function findTargets(
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
