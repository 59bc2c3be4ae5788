import { BoundedMap } from '../../../core/bounded-map.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Database, SystemTable } from '../../../database/database.ts';
import type { Basis } from '../../../database/version/table-version.ts';
import type { Services } from '../../../plan/feature.ts';

const VIEW = 'treadle_view';

/** Views of lists that people saved for themselves. */
export const viewTables: readonly SystemTable[] = [
  {
    name: VIEW,
    columns: [
      { name: 'view_id', type: 'id' },
      { name: 'auth_id', type: 'integer', isRequired: true, references: 'treadle_auth.auth_id' },
      { name: 'schema_name', type: 'text', isRequired: true },
      { name: 'name', type: 'text', isRequired: true },
      // The list's query string.
      { name: 'query', type: 'text', isRequired: true },
      { name: 'is_default', type: 'integer', isRequired: true, default: 0 },
    ],
    indexes: [{ name: 'treadle_view_name', columns: ['auth_id', 'schema_name', 'name'], isUnique: true }],
  },
];

/** Somebody's view of a list. */
export interface View {
  readonly id: number;
  readonly name: string;
  readonly query: string;
  /** True if the list opens with it. */
  readonly isDefault: boolean;
}

/** Whose views, and of which schema's list. */
export interface ViewOwner {
  readonly authId: number;
  readonly schema: string;
}

const ofOwner = ({ kysely }: Database, { authId, schema }: ViewOwner) =>
  kysely.selectFrom(VIEW).where('auth_id', '=', authId).where('schema_name', '=', schema);

/** Compiled once: each list reads them. */
const viewQuery = memoize((database: Database) =>
  ofOwner(database, { authId: 0, schema: '' })
    .select(['view_id', 'name', 'query', 'is_default'])
    .orderBy('name')
    .compile(),
);

/** Lists with remembered views. */
const MOST_CACHED = 500;

/** A person's views of a list, and what they were read from. */
interface CachedViews {
  readonly basis: Basis;
  readonly views: readonly View[];
}

const createCache = (): BoundedMap<CachedViews> => new BoundedMap(MOST_CACHED);

/** The views of a person, remembered until any process writes to the database: views change rarely, and each page lists them. */
export async function listViews({ database, memory }: Services, owner: ViewOwner): Promise<readonly View[]> {
  const versions = database.isInTransaction ? undefined : await database.tableVersions().catch(() => undefined);
  if (versions === undefined) return readViews(database, owner);
  const cache = memory.get(createCache);
  const key = `${owner.authId} ${owner.schema}`;
  const known = cache.get(key);
  if (known && versions.holds(known.basis)) return known.views;
  const views = await readViews(database, owner);
  cache.set(key, { basis: versions.basisOf([VIEW]), views });
  return views;
}

async function readViews(database: Database, { authId, schema }: ViewOwner): Promise<View[]> {
  const rows = await database.run(viewQuery(database), [authId, schema]);
  return rows.map(({ view_id, name, query, is_default }) => ({
    id: Number(view_id),
    name: String(name),
    query: String(query),
    isDefault: Number(is_default) === 1,
  }));
}

/** Saves a view; one of the same name is replaced. */
export async function saveView(
  { kysely }: Database,
  { authId, schema }: ViewOwner,
  { name, query }: Pick<View, 'name' | 'query'>,
): Promise<void> {
  await kysely
    .insertInto(VIEW)
    .values({ auth_id: authId, schema_name: schema, name, query })
    .onConflict((conflict) => conflict.columns(['auth_id', 'schema_name', 'name']).doUpdateSet({ query }))
    .execute();
}

const change = ({ kysely }: Database, { authId, schema }: ViewOwner, values: Record<string, string | number>) =>
  kysely.updateTable(VIEW).set(values).where('auth_id', '=', authId).where('schema_name', '=', schema);

/** Gives a view another name. @returns false if another view has it */
export async function renameView(database: Database, owner: ViewOwner, id: number, name: string): Promise<boolean> {
  const taken = await ofOwner(database, owner)
    .select('view_id')
    .where('name', '=', name)
    .where('view_id', '<>', id)
    .executeTakeFirst();
  if (taken) return false;
  await change(database, owner, { name }).where('view_id', '=', id).execute();
  return true;
}

/** Lets the list open with a view; undefined: with none. */
export async function setDefaultView(database: Database, owner: ViewOwner, id: number | undefined): Promise<void> {
  await database.transaction(async () => {
    await change(database, owner, { is_default: 0 }).execute();
    if (id !== undefined) await change(database, owner, { is_default: 1 }).where('view_id', '=', id).execute();
  });
}

export async function removeView({ kysely }: Database, { authId, schema }: ViewOwner, id: number): Promise<void> {
  const mine = kysely.deleteFrom(VIEW).where('auth_id', '=', authId).where('schema_name', '=', schema);
  await mine.where('view_id', '=', id).execute();
}
