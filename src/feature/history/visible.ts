import { getAccess } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { compilePathGuard, toHeld } from '../../plan/path-guard.ts';
import { getSearcher } from '../../query/searcher.ts';
import type { StoredEntry } from './read-sql.ts';
import type { Changes } from './sql.ts';

const guardOf = memoize((context: Context) => compilePathGuard(context.plan.model));
/** Kinds whose definitions have pages of their own; those of other kinds lie beside the rows. */
const OWN_PAGES: ReadonlySet<string> = new Set(['schema', 'fieldset', 'settings']);

/** `schema/article` is a definition, `article` a row. */
export const isDefinition = (subject: string): boolean => subject.includes('/');

/** True if the person who asks may open the definitions of a kind. */
function mayOpenKind(context: Context, subject: string): boolean {
  const { kind, roles } = getAccess();
  if (kind === 'system') return true;
  const [name = ''] = subject.split('/');
  const path = OWN_PAGES.has(name) ? `/admin/system/${name}/search` : `/admin/system/model/${name}/search`;
  const guard = guardOf(context);
  const held = toHeld(roles, true);
  const opens = (asked: string): boolean => guard.judge(asked, 'GET', held)?.by !== undefined;
  // A permission for all data covers the paths of definitions beside it, and opens none of them.
  return opens(path) && opens('/admin/system/schema/search');
}

/** The subjects whose entries the person who asks may see at all; undefined: every one. */
export function listVisible(context: Context): readonly string[] | undefined {
  const access = getAccess();
  if (access.kind === 'system' || (access.related === undefined && mayOpenKind(context, 'schema'))) return undefined;
  return [...context.plan.model.schemas.keys()].filter((name) => access.grant(name, 'detail') !== undefined);
}

/** Those of the entries that the person who asks may see: of a row that a rule hides, none. */
export async function keepVisible(context: Context, entries: readonly StoredEntry[]): Promise<StoredEntry[]> {
  const { plan, services } = context;
  const access = getAccess();
  const bySchema = new Map<string, Set<number>>();
  for (const { subject, rowId } of entries)
    if (rowId !== undefined) bySchema.set(subject, (bySchema.get(subject) ?? new Set()).add(rowId));
  const reached = new Map<string, ReadonlySet<number>>();
  for (const [name, ids] of bySchema) {
    const rows = plan.model.schemas.has(name) ? access.grant(name, 'detail')?.rows : undefined;
    if (rows !== undefined)
      reached.set(name, await getSearcher(plan.model).reached(services.database, name, [...ids], rows));
  }
  return entries.filter(({ subject, rowId }) => {
    if (isDefinition(subject)) return mayOpenKind(context, subject);
    // The rules of a schema that is gone are gone too.
    if (!plan.model.schemas.has(subject)) return mayOpenKind(context, 'schema');
    const grant = access.grant(subject, 'detail');
    if (grant === undefined) return false;
    return grant.rows === undefined || (rowId !== undefined && reached.get(subject)?.has(rowId) === true);
  });
}

/** The changes of the columns that the person who asks may read. */
export function keepReadable(schema: SchemaModel | undefined, changes: Changes): Changes {
  const read = schema && getAccess().grant(schema.name, 'detail')?.read;
  if (schema === undefined || read === undefined) return changes;
  const columns = new Set(schema.columns.map(({ name }) => name));
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !columns.has(name) || read.has(name)));
}
