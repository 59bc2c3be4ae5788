import { type RawBuilder, sql } from 'kysely';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';

/** A foreign key, and the schema that it refers to. */
interface Key {
  readonly column: string;
  readonly target: SchemaModel;
}

/** Foreign keys of a row whose target must not be removed: the target's schema by column. */
export type LiveKeys = ReadonlyMap<string, SchemaModel>;

export const NO_KEYS: LiveKeys = new Map();

/** The keys by which a row names another one anew. A link that was there before stays, whatever became of its target. */
export function listLiveKeys(foreign: readonly Key[], row: Row, before: Row = {}): LiveKeys {
  let keys: Map<string, SchemaModel> | undefined;
  for (const { column, target } of foreign) {
    const id = row[column];
    if (target.active === undefined || typeof id !== 'number') continue;
    if (before[column] !== null && Number(before[column]) === id) continue;
    keys ??= new Map();
    keys.set(column, target);
  }
  return keys ?? NO_KEYS;
}

/**
 * The value of a column as a part of the statement that writes it. The id of a removed row becomes one that no row has, so that
 * the foreign key refuses it as that of a missing row. A look-up before the write would cost a round trip.
 */
export function buildLiveValue(keys: LiveKeys, column: string, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const target = keys.get(column);
  if (target?.active === undefined) return value;
  const [id, active] = [sql.ref(`treadle_live.${target.primary}`), sql.ref(`treadle_live.${target.active}`)];
  const from = sql`${sql.table(target.table)} as ${sql.ref('treadle_live')}`;
  return sql`coalesce((select ${id} from ${from} where ${id} = ${value} and ${active} = 1), -1)`;
}

/** A row with {@link buildLiveValue} for its keys. */
export function withLiveKeys(keys: LiveKeys, row: Row): Row {
  if (keys.size === 0) return row;
  const live = [...keys.keys()].map((name) => [name, buildLiveValue(keys, name, sql`${row[name]}`)] as const);
  return { ...row, ...Object.fromEntries(live) };
}
