import { addImpliedRoles, compilePathGuard } from '../../access/guard.ts';
import { findVisibleColumns, isWhollyVisible, type VisibleColumns } from '../../access/show.ts';
import { getAccess } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { EntryFilter, StoredEntry } from './read-sql.ts';
import { readTimeline, toPresentName, type Versions } from './timeline.ts';

const guardOf = memoize((context: Context) => compilePathGuard(context.plan.model));
/** Kinds whose definitions have pages of their own; those of other kinds lie beside the rows. */
const OWN_PAGES: ReadonlySet<string> = new Set(['schema', 'fieldset', 'settings']);

/** `schema/article` is a definition, `article` a row. */
export const isDefinition = (subject: string): boolean => subject.includes('/');

/** True if the viewer may open the definitions of a kind. */
function mayOpenKind(context: Context, subject: string): boolean {
  const { kind, roles } = getAccess();
  if (kind === 'system') return true;
  const [name = ''] = subject.split('/');
  const path = OWN_PAGES.has(name) ? `/admin/system/${name}/search` : `/admin/system/model/${name}/search`;
  const guard = guardOf(context);
  const roleSet = addImpliedRoles(roles, true);
  const opens = (kindName: string): boolean => guard.judge(kindName, 'GET', roleSet)?.by !== undefined;
  // A permission for all data covers the paths of definitions beside it, and opens none of them.
  return opens(path) && opens('/admin/system/schema/search');
}

/**
 * Which subjects' entries the viewer may see at all: `subjects` only these, `hidden` all but these. Of what is left,
 * {@link filterVisible} judges every entry.
 */
export function findVisibleSubjects(context: Context): Pick<EntryFilter, 'subjects' | 'hidden'> {
  const access = getAccess();
  const names = [...context.plan.model.schemas.keys()];
  const isOpen = (name: string): boolean => access.grant(name, 'detail') !== undefined;
  if (mayOpenKind(context, 'schema')) return { hidden: names.filter((name) => !isOpen(name)) };
  return { subjects: names.filter(isOpen) };
}

/** An entry, and what the viewer may see of it. */
export interface VisibleEntry {
  readonly stored: StoredEntry;
  /** The row before and after the change, as far as it is known. Only read where a rule needs it, or by {@link readVersions}. */
  readonly versions?: Versions | undefined;
  /** The columns of the row before the change; undefined if it did not exist, or is hidden. */
  readonly before: VisibleColumns | undefined;
  readonly after: VisibleColumns | undefined;
  /** True if both versions show the column, by the name that it has in the entry. */
  shows(column: string): boolean;
}

const NOTHING: VisibleColumns = Object.freeze({ isWhole: false, has: () => false });
const EVERYTHING: VisibleColumns = Object.freeze({ isWhole: true, has: () => true });

const isCreation = ({ entry }: StoredEntry): boolean => entry.action === 'create';

/** What both show. */
function both(one: VisibleColumns | undefined, other: VisibleColumns | undefined): VisibleColumns | undefined {
  if (one === undefined || other === undefined) return undefined;
  return { isWhole: one.isWhole && other.isWhole, has: (name) => one.has(name) && other.has(name) };
}

/** An entry of which either version shows; undefined without. */
function toVisible(
  schema: SchemaModel,
  stored: StoredEntry,
  { before, after, versions }: Pick<VisibleEntry, 'before' | 'after' | 'versions'>,
): VisibleEntry | undefined {
  if (before === undefined && after === undefined) return undefined;
  // A version that did not exist hides nothing.
  const hadBefore = versions ? versions.back.before !== undefined : !isCreation(stored);
  const hasAfter = versions ? versions.back.after !== undefined : true;
  const sides = [...(hadBefore ? [before ?? NOTHING] : []), ...(hasAfter ? [after ?? NOTHING] : [])];
  const shows = (name: string): boolean => sides.every((side) => side.has(toPresentName(schema, name)));
  return { stored, before, after, versions, shows };
}

/** Judges the entries of one row by the row as it was at each of them. */
async function judgeEntries(
  context: Context,
  schema: SchemaModel,
  rowId: number,
  entries: readonly StoredEntry[],
): Promise<(VisibleEntry | undefined)[]> {
  const timeline = await readTimeline(context, schema, rowId);
  const world = { model: context.plan.model, database: context.services.database };
  const versions = entries.map(({ id }) => timeline.get(id));
  const rows = versions.flatMap((known) =>
    known ? [known.back.before, known.forth.before, known.back.after, known.forth.after] : [],
  );
  const found = await findVisibleColumns(
    world,
    getAccess(),
    schema,
    rows.map((row) => row ?? {}),
  );
  let place = 0;
  const next = (): VisibleColumns | undefined => {
    place += 1;
    return rows[place - 1] && found[place - 1];
  };
  return entries.map((stored, index) => {
    const known = versions[index];
    if (known === undefined) return undefined;
    const before = both(next(), next());
    return toVisible(schema, stored, { before, after: both(next(), next()), versions: known });
  });
}

/** An entry whose rows need not be judged: a rule has columns only, or nothing. */
async function seeByColumns(context: Context, schema: SchemaModel, stored: StoredEntry) {
  const world = { model: context.plan.model, database: context.services.database };
  const [columns] = await findVisibleColumns(world, getAccess(), schema, [{}]);
  return toVisible(schema, stored, { before: isCreation(stored) ? undefined : columns, after: columns });
}

const openly = (stored: StoredEntry): VisibleEntry => ({
  stored,
  before: isCreation(stored) ? undefined : EVERYTHING,
  after: EVERYTHING,
  shows: () => true,
});

/** Filters entries to those the viewer may see: none of a row that a rule hid at the time. */
export async function filterVisible(context: Context, entries: readonly StoredEntry[]): Promise<VisibleEntry[]> {
  const { schemas } = context.plan.model;
  const access = getAccess();
  const judged = new Map<StoredEntry, VisibleEntry | undefined>();
  const byRow = new Map<string, StoredEntry[]>();
  for (const stored of entries) {
    const { subject, rowId } = stored;
    const schema = isDefinition(subject) ? undefined : schemas.get(subject);
    if (schema === undefined) {
      // The rules of a schema that is gone are gone too.
      const isOpen = mayOpenKind(context, isDefinition(subject) ? subject : 'schema');
      judged.set(stored, isOpen ? openly(stored) : undefined);
    } else if (isWhollyVisible(access, schema)) judged.set(stored, openly(stored));
    else if (access.grant(subject, 'detail')?.rows === undefined)
      judged.set(stored, await seeByColumns(context, schema, stored));
    else if (rowId !== undefined)
      byRow.set(`${subject} ${rowId}`, [...(byRow.get(`${subject} ${rowId}`) ?? []), stored]);
  }
  for (const list of byRow.values()) {
    const [{ subject, rowId }] = list as [StoredEntry];
    const found = await judgeEntries(context, schemas.get(subject) as SchemaModel, rowId as number, list);
    for (const [index, stored] of list.entries()) judged.set(stored, found[index]);
  }
  return entries.flatMap((stored) => judged.get(stored) ?? []);
}

/** The row around a change of it. */
export async function readVersions(
  context: Context,
  schema: SchemaModel,
  { stored, versions }: VisibleEntry,
): Promise<Versions['back']> {
  const known = versions ?? (await readTimeline(context, schema, stored.rowId ?? 0)).get(stored.id);
  return known?.back ?? { before: undefined, after: undefined };
}

/** What an entry tells besides columns: a row at the other end of a link only if the person may see it. */
export async function findShownDetails({ plan, services }: Context, { stored }: VisibleEntry): Promise<Row | null> {
  const { details } = stored.entry;
  const { schema, id } = details ?? {};
  if (details === undefined || typeof schema !== 'string' || !plan.model.schemas.has(schema)) return details ?? null;
  const grant = getAccess().grant(schema, 'detail');
  if (grant === undefined) return null;
  if (grant.rows === undefined || typeof id !== 'number') return details;
  const reached = await getSearcher(plan.model).reached(services.database, schema, [id], grant.rows);
  return reached.has(id) ? details : null;
}
