import { getAccess, hidesRows } from '../../core/access.ts';
import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import { type Dependent, listDependents } from '../../store/write/dependents.ts';
import { countKeys } from '../../store/write/row-sql.ts';

export interface ReferenceOptions {
  readonly model: Model;
  readonly schema: SchemaModel;
  readonly database: Database;
  /**
   * `hard`: all rows that the database's foreign keys would refuse for. `soft`: only active rows, and only of
   * relations with `"onRemove": "restrict"`; a 1:1 without it does not prevent a soft removal.
   */
  readonly mode: 'hard' | 'soft';
}

/** How many rows of a schema refer to a row, and how many of them the viewer may see. */
interface Count {
  readonly all: number;
  readonly seen: number;
}

/**
 * Rows of a reference that the viewer may see, by the rule of a search; a count of others would reveal hidden rows. Of the
 * links of a join table, all or none.
 */
async function countSeen(row: Row, reference: Dependent, all: number, options: ReferenceOptions): Promise<number> {
  const { relation, schema: other, column } = reference;
  const access = getAccess();
  if (access.related === undefined) return all;
  const grant = access.grant(other.name, 'search');
  if (grant === undefined) return 0;
  if (!hidesRows(grant.rows)) return all;
  if (relation.kind === 'N:N') return 0;
  const searched = await getSearcher(options.model).search(
    options.database,
    other.name,
    { filter: { [column]: row[options.schema.primary] }, limit: 1 },
    { rows: grant.rows, isTimed: true },
  );
  return searched.total ?? 0;
}

function toWords(found: ReadonlyMap<SchemaModel, Count>): string {
  const words = [...found]
    .filter(([, { seen }]) => seen > 0)
    .map(([{ singular, plural }, { seen }]) => `${seen} ${toLocalText(seen === 1 ? singular : plural)}`);
  if ([...found.values()].some(({ all, seen }) => seen < all)) words.push(translate('other rows'));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : translate('{list} and {last}', { list: words.join(', '), last });
}

/**
 * The rows that still refer to a row, in words: `2 Comments and 1 Article`; rows that the viewer may not see count as `other rows`.
 * Undefined if there are none.
 */
export async function describeReferences(row: Row, options: ReferenceOptions): Promise<string | undefined> {
  const { model, schema, database, mode } = options;
  const found = new Map<SchemaModel, Count>();
  for (const holder of listDependents(model, schema)) {
    const { relation, schema: other, table, column, effect } = holder;
    if (effect !== 'refuse') continue;
    if (mode === 'soft' && relation.definition.onRemove !== 'restrict') continue;
    const isJoin = relation.kind === 'N:N';
    const active = mode === 'soft' && !isJoin ? other.active : undefined;
    const all = await countKeys(database, table, { column, value: row[schema.primary], active });
    if (all === 0) continue;
    const count = found.get(other) ?? { all: 0, seen: 0 };
    found.set(other, { all: count.all + all, seen: count.seen + (await countSeen(row, holder, all, options)) });
  }
  return found.size === 0 ? undefined : toWords(found);
}
