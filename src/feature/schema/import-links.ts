import type { Database } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findMatches, findRows, listPairs } from '../../store/write/bulk.ts';
import { toMissingMessage } from './errors.ts';
import type { VisibilityFilter } from './import-pending.ts';
import type { ImportPlan, LinkColumn } from './import-plan.ts';
import type { ImportRow } from './import-row.ts';
import { toId } from './stage.ts';

interface LinkInput {
  readonly plan: ImportPlan;
  readonly database: Database;
  /** Default: the caller sees every row. */
  readonly sees?: VisibilityFilter;
}

/** Rows that exist and that the caller may see through a relation. */
interface VisibleRows {
  readonly ids: ReadonlySet<number>;
  /** Those of them that are removed. */
  readonly removed: ReadonlySet<number>;
}

async function findSeen(
  { database, sees }: LinkInput,
  schema: SchemaModel,
  ids: ReadonlySet<number>,
): Promise<VisibleRows> {
  const key = { name: schema.primary, type: 'bigint' };
  const found = [...(await findMatches(database, schema, key, [...ids])).values()];
  const there = found.map(({ id }) => id);
  const removed = new Set(found.filter(({ isActive }) => !isActive).map(({ id }) => id));
  return { ids: sees ? await sees(schema.name, there) : new Set(there), removed };
}

/** What a row names in a column or by a relation. */
interface LinkReference {
  readonly row: ImportRow;
  readonly id: number;
}

interface LinkBatch {
  /** Column, or key of the list. */
  readonly key: string;
  readonly label: string;
  readonly target: SchemaModel;
  readonly named: readonly LinkReference[];
  /** Which of these name what the stored row names as well. */
  readonly listStored: (named: readonly LinkReference[]) => Promise<ReadonlySet<LinkReference>>;
}

/**
 * Messages for ids of rows that do not exist, or are removed: one statement per relation. A link that is stored already may stay,
 * and a full copy has its links to removed rows. Ids of the same table that do not exist are skipped, since their rows may follow.
 */
async function checkLinking({ key, label, target, named, listStored }: LinkBatch, input: LinkInput): Promise<void> {
  if (named.length === 0) return;
  const seen = await findSeen(input, target, new Set(named.map(({ id }) => id)));
  const isOwn = target === input.plan.rows.schema;
  for (const { row, id } of named) {
    if (!isOwn && !seen.ids.has(id)) row.messages[key] ??= toMissingMessage(label, id);
  }
  const doubtful = named.filter(({ row, id }) => seen.removed.has(id) && !row.isCopy);
  if (doubtful.length === 0) return;
  const stored = await listStored(doubtful.filter(({ row }) => row.id !== undefined));
  for (const one of doubtful) {
    if (!stored.has(one)) one.row.messages[key] ??= toMissingMessage(label, one.id);
  }
}

const listIds = (named: readonly LinkReference[]): number[] => [...new Set(named.map(({ row }) => row.id as number))];

/** The removed rows of the same table that this batch restores. */
function listRestored(rows: readonly ImportRow[], { active }: SchemaModel): ReadonlySet<unknown> {
  if (active === undefined) return new Set();
  return new Set(rows.filter(({ stored }) => stored[active] === 1).map(({ id }) => id));
}

function listColumns(rows: readonly ImportRow[], { plan, database }: LinkInput): LinkBatch[] {
  const { schema, foreign } = plan.rows;
  const restored = listRestored(rows, schema);
  return foreign.map(({ column, target, label }) => ({
    key: column,
    label,
    target,
    named: rows.flatMap((row) => {
      const id = toId(row.stage[column]);
      return id === undefined || (target === schema && restored.has(id)) ? [] : [{ row, id }];
    }),
    listStored: async (named) => {
      const stored = await findRows(database, schema, listIds(named), [column]);
      return new Set(named.filter(({ row, id }) => Number(stored.get(row.id as number)?.[column] ?? 0) === id));
    },
  }));
}

const toPair = (source: number, target: number): string => `${source} ${target}`;

function listLists(rows: readonly ImportRow[], { plan, database }: LinkInput): LinkBatch[] {
  const { schema } = plan.rows;
  const restored = listRestored(rows, schema);
  const isLeftOut = ({ target }: LinkColumn, id: number): boolean => target === schema && restored.has(id);
  return plan.links.map((link) => ({
    key: link.key,
    label: link.target.singular,
    target: link.target,
    named: rows.flatMap((row) =>
      (row.links.get(link) ?? []).flatMap((id) => (isLeftOut(link, id) ? [] : [{ row, id }])),
    ),
    listStored: async (named) => {
      const pairs = await listPairs(database, link.relation, listIds(named));
      const known = new Set(pairs.map(([source, target]) => toPair(source, target)));
      return new Set(named.filter(({ row, id }) => known.has(toPair(row.id as number, id))));
    },
  }));
}

/** Checks the rows that the rows of a batch name. Call it once the stored row of each is known. */
export async function checkLinks(rows: readonly ImportRow[], input: LinkInput): Promise<void> {
  for (const linking of [...listColumns(rows, input), ...listLists(rows, input)]) await checkLinking(linking, input);
}
