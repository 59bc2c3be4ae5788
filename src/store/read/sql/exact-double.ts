import { type RawBuilder, sql } from 'kysely';

export type Fragment = RawBuilder<unknown>;

/** The double of a JSON value of `toExactItem` on SQLite: the value as SQL has it, and its type in JSON. */
export const fromExactItem = (value: Fragment, type: Fragment): Fragment =>
  sql`case when ${type} = 'array' then (${value} ->> 0) * 1.0 / (1 << (${value} ->> 1)) / (1 << (${value} ->> 2)) else ${value} end`;

/** The same on PostgreSQL, which reads decimals exactly. */
export const fromItem = (item: Fragment): Fragment =>
  sql`cast(case when json_typeof(${item}) = 'array' then ${item} ->> 3 else ${item} #>> '{}' end as double precision)`;
