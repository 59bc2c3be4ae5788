import type { Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../query/searcher.ts';
import { listEntries, type StoredEntry } from './read-sql.ts';
import type { Changes } from './sql.ts';

/** Entries after a version that are undone to find it; more take too long. */
const MOST_ENTRIES = 1000;

/** The stored columns of a row as it is, removed or not; undefined if it does not exist. */
export async function readRow({ plan, services }: Context, schema: SchemaModel, id: number): Promise<Row | undefined> {
  const by = { column: schema.primary, value: id };
  const options = { includesRemoved: true, relations: [] };
  return getSearcher(plan.model).detail(services.database, schema.name, by, options);
}

/** The row before a change, of the row after it; undefined if it did not exist. */
export function undo(after: Row | undefined, { entry }: StoredEntry): Row | undefined {
  if (entry.action === 'create') return undefined;
  const before: Record<string, unknown> = { ...after };
  for (const [name, [was, ...rest]] of Object.entries(entry.changes ?? {}))
    if (was !== undefined || rest.length > 0) before[name] = was ?? null;
  return before;
}

/**
 * A row as it was right after an entry: the row as it is, with every later change undone. Undefined if it did not exist then,
 * or there were too many changes since.
 */
export async function readVersion(
  context: Context,
  schema: SchemaModel,
  { id: entryId, rowId }: StoredEntry,
): Promise<Row | undefined> {
  if (rowId === undefined) return undefined;
  const filter = { subjects: [schema.name], rowId, after: entryId, limit: MOST_ENTRIES + 1 };
  const later = await listEntries(context.services.database, filter);
  if (later.length > MOST_ENTRIES) return undefined;
  return later.reduce(undo, await readRow(context, schema, rowId));
}

/** The changes with the texts that the entry left to the row, or to a later entry. */
export async function completeChanges(context: Context, schema: SchemaModel, stored: StoredEntry): Promise<Changes> {
  const { changes = {} } = stored.entry;
  if (Object.values(changes).every((pair) => pair.length !== 1)) return changes;
  const version = await readVersion(context, schema, stored);
  return Object.fromEntries(
    Object.entries(changes).map(([name, pair]) => [
      name,
      pair.length === 1 ? [pair[0], version?.[name] ?? null] : pair,
    ]),
  );
}
