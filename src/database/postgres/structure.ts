import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { isExclusionName } from '../index/exclude-rule.ts';
import {
  type ActualColumn,
  type ActualIndex,
  type ActualTable,
  groupByTable,
  readCondition,
  type Structure,
} from '../structure.ts';
import type { OnDelete, TableReference } from '../table.ts';

interface TableRow {
  readonly name: string;
  readonly primary: readonly string[];
  readonly triggers: readonly string[];
}
interface ColumnRow {
  readonly tbl: string;
  readonly name: string;
  readonly type: string;
  readonly required: number;
  readonly value: string | null;
  readonly counting: number;
  readonly generated: number;
}
interface ReferenceRow {
  readonly tbl: string;
  readonly key: string;
  readonly column: string;
  readonly target: string;
  readonly other: string;
  readonly rule: string;
}
interface IndexRow {
  readonly tbl: string;
  readonly name: string;
  readonly unique: number;
  readonly constraint: number;
  /** Columns of the table that an exclusion constraint names anywhere; null for any other index. */
  readonly excluded: readonly string[] | null;
  readonly columns: readonly string[];
  /** For each column the bits of `pg_index.indoption`. */
  readonly options: readonly number[];
  readonly text: string;
}

/** Bits of `pg_index.indoption`. */
const DESCENDING = 1;
const NULLS_FIRST = 2;

/** Letters of `pg_constraint.confdeltype`. */
const RULES: Readonly<Record<string, OnDelete>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

/** Tables of the connection's schema, without those of extensions. */
const OWN = sql`c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not exists
  (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

const TABLES = sql<TableRow>`select c.relname::text as name,
    array(select a.attname::text from pg_index i
      cross join lateral unnest(i.indkey::int2[]) with ordinality as k(number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary order by k.place) as "primary",
    array(select pg_get_triggerdef(t.oid, true) from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname) as triggers
  from pg_class c where ${OWN} order by c.relname`;

const COLUMNS = sql<ColumnRow>`select c.relname::text as tbl, a.attname::text as name,
    format_type(a.atttypid, a.atttypmod)
      || case when a.attcollation <> y.typcollation then ' collate ' || quote_ident(o.collname) else '' end as type,
    a.attnotnull as required, pg_get_expr(e.adbin, e.adrelid) as value,
    a.attgenerated <> '' as generated,
    a.attidentity <> '' or coalesce(pg_get_expr(e.adbin, e.adrelid) like 'nextval(%', false) as counting
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type y on y.oid = a.atttypid
  left join pg_collation o on o.oid = a.attcollation
  left join pg_attrdef e on e.adrelid = c.oid and e.adnum = a.attnum
  where ${OWN} order by c.relname, a.attnum`;

const REFERENCES = sql<ReferenceRow>`select c.relname::text as tbl, k.conname::text as key, a.attname::text as "column",
    f.relname::text as target, b.attname::text as other, k.confdeltype::text as rule
  from pg_class c
  join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) = 1
  join pg_class f on f.oid = k.confrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
  join pg_attribute b on b.attrelid = f.oid and b.attnum = k.confkey[1]
  where ${OWN} order by c.relname, k.conname`;

const INDEXES = sql<IndexRow>`select c.relname::text as tbl, x.relname::text as name, i.indisunique as "unique",
    exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('u', 'x')) as "constraint",
    case when i.indisexclusion then array(select a.attname::text from pg_depend d
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
      where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refclassid = 'pg_class'::regclass
        and d.refobjid = c.oid and d.refobjsubid > 0 group by a.attname, a.attnum order by a.attnum) end as excluded,
    array(select coalesce(a.attname::text, '') from unnest(i.indkey::int2[]) with ordinality as k(number, place)
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where k.place <= i.indnkeyatts order by k.place) as columns,
    array(select o.bits from unnest(i.indoption::int2[]) with ordinality as o(bits, place) order by o.place) as options,
    pg_get_indexdef(i.indexrelid, 0, true) as text
  from pg_class c
  join pg_index i on i.indrelid = c.oid and not i.indisprimary
  join pg_class x on x.oid = i.indexrelid
  where ${OWN} order by c.relname, x.relname`;

/**
 * The structure of the connection's schema, from PostgreSQL's catalogue, in four queries for any number of
 * tables.
 */
export async function readPostgresStructure({ kysely }: Database): Promise<Structure> {
  const tables = (await TABLES.execute(kysely)).rows;
  const columns = (await COLUMNS.execute(kysely)).rows;
  const references = (await REFERENCES.execute(kysely)).rows;
  const indexes = (await INDEXES.execute(kysely)).rows;
  const byTable = {
    columns: groupByTable(columns),
    references: groupByTable(references),
    indexes: groupByTable(indexes),
  };
  const list = tables.map(({ name, primary, triggers }): [string, ActualTable] => {
    const keys = new Map((byTable.references.get(name) ?? []).map((row) => [row.column, row]));
    const rows = byTable.columns.get(name) ?? [];
    return [
      name,
      {
        name,
        columns: new Map(rows.map((row) => [row.name, toColumn(row, keys.get(row.name))])),
        primaryKey: primary,
        isCounting: rows.some(({ name: column, counting }) => counting === 1 && primary.includes(column)),
        indexes: new Map((byTable.indexes.get(name) ?? []).map((row) => [row.name, toIndex(row)])),
        triggers,
        generated: new Set(rows.filter(({ generated }) => generated === 1).map(({ name: column }) => column)),
      },
    ];
  });
  const text = JSON.stringify([tables, columns, references, indexes]);
  return { tables: new Map(list), checksum: createHash('sha256').update(text).digest('hex') };
}

function toReference(row: ReferenceRow): TableReference {
  return { table: row.target, column: row.other, onDelete: RULES[row.rule] ?? 'no action' };
}

function toColumn(row: ColumnRow, reference: ReferenceRow | undefined): ActualColumn {
  return {
    name: row.name,
    type: row.type,
    isRequired: row.required === 1,
    default: row.counting === 1 ? undefined : toDefault(row.value),
    references: reference && toReference(reference),
    ...(reference === undefined ? {} : { key: reference.key }),
  };
}

/** PostgreSQL shows a default with its type: `'new'::text`, `'-1'::integer`, `(0)::double precision`. */
function toDefault(text: string | null): string | undefined {
  if (text === null || /^NULL(::|$)/i.test(text)) return undefined;
  const [, quoted] = /^\(?('(?:[^']|'')*')(?:::[^']+|\))*(?: COLLATE "\w+")?\)?$/s.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  return /^\(*([-+.\deE]+)(?:\)|::[^']+)*$/.exec(text)?.[1] ?? text;
}

function toIndex(row: IndexRow): ActualIndex {
  const { name, columns, options, excluded } = row;
  if (excluded !== null && isExclusionName(name))
    return { name, isUnique: false, columns: excluded, sql: row.text, isExclusion: 'constraint' };
  const text = row.constraint === 1 ? undefined : row.text;
  const bits = (place: number): number => options[place] ?? 0;
  const descending = columns.filter((_, place) => (bits(place) & DESCENDING) !== 0);
  // Low nulls come first, or last if descending.
  const isLow = (place: number): boolean => ((bits(place) & DESCENDING) === 0) === ((bits(place) & NULLS_FIRST) !== 0);
  const lowNulls = columns.filter((_, place) => isLow(place));
  return {
    name,
    isUnique: row.unique === 1,
    columns,
    ...(descending.length === 0 ? {} : { descending }),
    ...(lowNulls.length === 0 ? {} : { lowNulls }),
    sql: text,
    ...readCondition(text),
  };
}
