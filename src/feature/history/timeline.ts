import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import { listEntries, type StoredEntry } from './read-sql.ts';
import type { Changes } from './sql.ts';

/** The newest entries of a row from which its versions are worked out; more take too long. */
const MOST_ENTRIES = 1000;

/** A row before a change and after it; undefined where it did not exist. */
interface Snapshots {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/**
 * What is known of a row around a change: worked out from the row as it is, back in time, and from its first entry on. The two
 * differ where something changed the row without an entry, such as a rule of the database.
 */
export interface Versions {
  readonly back: Snapshots;
  readonly forth: Snapshots;
}

/** The columns of a row that are written, as it is, removed or not; undefined if it does not exist. What is computed has no history. */
export async function readRow({ plan, services }: Context, schema: SchemaModel, id: number): Promise<Row | undefined> {
  const by = { column: schema.primary, value: id };
  const options = { includesRemoved: true, relations: [] };
  const row = await getSearcher(plan.model).detail(services.database, schema.name, by, options);
  const written = new Set(schema.row.stored.filter((name) => schema.byName.get(name)?.computed === undefined));
  return row && Object.fromEntries(Object.entries(row).filter(([name]) => written.has(name)));
}

/** The name that a column of an entry has now: it may be renamed since. */
export function toPresentName(schema: SchemaModel, name: string): string {
  if (schema.row.stored.includes(name)) return name;
  return schema.columns.find(({ was }) => was.includes(name))?.name ?? name;
}

/** The values of one side of an entry, by the names that the columns have now. A secret has none. */
function readSide(schema: SchemaModel, { entry }: StoredEntry, side: 0 | 1): Row {
  const known = Object.entries(entry.changes ?? {}).filter(([, pair]) => pair.length > side);
  return Object.fromEntries(known.map(([name, pair]) => [toPresentName(schema, name), pair[side] ?? null]));
}

/** The row after its removal from the table: only a soft removal leaves it. */
const isGone = ({ active }: SchemaModel, { entry }: StoredEntry): boolean =>
  entry.action === 'remove' && active === undefined;

/** The versions around each entry, from the row as it is. The entries are the newest first. */
function walkBack(schema: SchemaModel, entries: readonly StoredEntry[], now: Row | undefined): Map<number, Snapshots> {
  const pairs = new Map<number, Snapshots>();
  let row = now;
  for (const stored of entries) {
    const after = isGone(schema, stored) ? undefined : { ...row, ...readSide(schema, stored, 1) };
    const before = stored.entry.action === 'create' ? undefined : { ...row, ...readSide(schema, stored, 0) };
    pairs.set(stored.id, { before, after });
    row = before;
  }
  return pairs;
}

const isTime = ({ created, updated }: SchemaModel, name: string): boolean => name === created || name === updated;

/** The versions around each entry, from the first known one on. */
function walkForth(
  schema: SchemaModel,
  entries: readonly StoredEntry[],
  back: ReadonlyMap<number, Snapshots>,
): Map<number, Snapshots> {
  const pairs = new Map<number, Snapshots>();
  const oldest = entries.at(-1);
  let row = oldest && back.get(oldest.id)?.before;
  for (const stored of [...entries].reverse()) {
    const known = back.get(stored.id);
    const isCreated = stored.entry.action === 'create';
    const before = isCreated ? undefined : { ...row, ...readSide(schema, stored, 0) };
    const after: Record<string, unknown> = { ...before, ...readSide(schema, stored, 1) };
    // A long text after a change is in the row, or in a later entry.
    for (const [former, pair] of Object.entries(stored.entry.changes ?? {})) {
      const name = toPresentName(schema, former);
      if (pair.length === 1) after[name] = known?.after?.[name] ?? null;
    }
    // What a creation does not name was empty, but for the times that Treadle sets.
    for (const name of isCreated ? schema.row.stored : [])
      if (!Object.hasOwn(after, name)) after[name] = isTime(schema, name) ? known?.after?.[name] : null;
    pairs.set(stored.id, { before, after: isGone(schema, stored) ? undefined : after });
    row = after;
  }
  return pairs;
}

const withKey = (schema: SchemaModel, id: number, row: Row | undefined): Row | undefined =>
  row && { ...row, [schema.primary]: id };

/** The versions of a row around each of its newest entries, by `history_id`. Older entries are not in it. */
export async function readTimeline(
  context: Context,
  schema: SchemaModel,
  rowId: number,
): Promise<ReadonlyMap<number, Versions>> {
  const filter = { subjects: [schema.name], rowId, limit: MOST_ENTRIES };
  const entries = await listEntries(context.services.database, filter);
  const back = walkBack(schema, entries, await readRow(context, schema, rowId));
  const forth = walkForth(schema, entries, back);
  const toKeyed = (pair: Snapshots | undefined): Snapshots => ({
    before: withKey(schema, rowId, pair?.before),
    after: withKey(schema, rowId, pair?.after),
  });
  return new Map(entries.map(({ id }) => [id, { back: toKeyed(back.get(id)), forth: toKeyed(forth.get(id)) }]));
}

/** The changes with the texts that the entry left to the row, or to a later entry. */
export function completeChanges(schema: SchemaModel, changes: Changes, after: Row | undefined): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([name, pair]) => [
      name,
      pair.length === 1 ? [pair[0], after?.[toPresentName(schema, name)] ?? null] : pair,
    ]),
  );
}
