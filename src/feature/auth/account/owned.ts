import { showRows } from '../../../access/show.ts';
import type { Access } from '../../../core/access.ts';
import { toLocalText } from '../../../core/text/translate.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Model, SchemaModel } from '../../../model/model.ts';
import { findOwnerColumn } from '../../../model/role/owner-column.ts';
import type { JudgeWorld } from '../../../store/read/judge.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { decodeRows } from '../../../store/read/sql/printed.ts';

/** A schema of which a profile may own rows. */
export interface OwnedSchema {
  readonly schema: SchemaModel;
  /** The column with the profile. */
  readonly owner: string;
}

/** Every schema of which a profile may own rows, except the profile itself. */
export function listOwnedSchemas({ schemas }: Model): readonly OwnedSchema[] {
  return [...schemas.values()].flatMap((schema) => {
    const owner = schema.name === 'profile' ? undefined : findOwnerColumn(schema);
    return owner === undefined ? [] : [{ schema, owner }];
  });
}

export interface OwnedCount {
  readonly schema: string;
  readonly label: string;
  readonly count: number;
}

/** How many rows of each schema a profile owns, removed ones included; schemas without any are left out. */
export async function countOwned(
  { kysely }: Database,
  owned: readonly OwnedSchema[],
  profileId: number,
): Promise<OwnedCount[]> {
  const counts: OwnedCount[] = [];
  for (const { schema, owner } of owned) {
    const query = kysely
      .selectFrom(schema.table)
      .select((select) => select.fn.countAll().as('count'))
      .where(owner, '=', profileId);
    const count = Number((await query.executeTakeFirst())?.count ?? 0);
    const label = toLocalText(count === 1 ? schema.singular : schema.plural);
    if (count > 0) counts.push({ schema: schema.name, label, count });
  }
  return counts;
}

/** Rows that are read at once. */
const PAGE = 500;

/**
 * The rows that a profile owns, in order, a page at a time; without secret columns, and as the rules for a detail show them.
 */
export async function* readOwned(
  world: JudgeWorld,
  { schema, owner }: OwnedSchema,
  profileId: number,
  access: Access,
): AsyncGenerator<readonly Row[]> {
  const { table, primary } = schema;
  const { kysely } = world.database;
  const source = getSearcher(world.model).source(schema.name);
  const secret = new Set(schema.row.secrets.map(({ name }) => name));
  for (let after = 0; ; ) {
    const rows = await kysely
      .selectFrom(table)
      .selectAll()
      .where(owner, '=', profileId)
      .where(primary, '>', after)
      .orderBy(primary)
      .limit(PAGE)
      .execute();
    if (rows.length === 0) return;
    const shown = await showRows(world, access, schema, decodeRows(source, rows, world.database.dialect));
    yield shown
      .filter((row) => row !== undefined)
      .map((row): Row => Object.fromEntries(Object.entries(row).filter(([name]) => !secret.has(name))));
    after = Number(rows.at(-1)?.[primary]);
  }
}
