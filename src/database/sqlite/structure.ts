import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { findTriggerRule, isExclusionName } from '../index/exclude-rule.ts';
import {
  type ActualColumn,
  type ActualIndex,
  type ActualTable,
  groupByTable,
  readCondition,
  type Structure,
} from '../structure.ts';
import { ON_DELETE, type OnDelete, type TableReference } from '../table.ts';
import { isWordsTable } from '../words/word-table.ts';

interface ObjectRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}
interface ColumnRow {
  readonly tbl: string;
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}
interface ReferenceRow {
  readonly tbl: string;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
  readonly on_delete: string;
}
interface IndexRow {
  readonly tbl: string;
  readonly name: string;
  readonly unique: number;
  readonly column: string | null;
  readonly isDown: number;
}

/** The structure of the database, from SQLite's own tables and pragmas. */
export async function readSqliteStructure({ kysely }: Database): Promise<Structure> {
  const objects = await sql<ObjectRow>`select type, name, tbl_name, sql from sqlite_schema
    where name not like 'sqlite\\_%' escape '\\' order by type, name`.execute(kysely);
  const columns = await sql<ColumnRow>`select m.name as tbl, c.name, c.type, c."notnull", c.dflt_value, c.pk
    from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.cid`.execute(
    kysely,
  );
  const references = await sql<ReferenceRow>`select m.name as tbl, f."table", f."from", f."to", f.on_delete
    from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(kysely);
  const indexes = await sql<IndexRow>`select m.name as tbl, l.name, l."unique", i.name as "column", i.desc as "isDown"
    from sqlite_schema m join pragma_index_list(m.name) l join pragma_index_xinfo(l.name) i
    where m.type = 'table' and i.key = 1 order by m.name, l.name, i.seqno`.execute(kysely);
  // The plain list of a table's columns leaves generated ones out.
  const generated = await sql<{ readonly tbl: string; readonly name: string }>`select m.name as tbl, c.name
    from sqlite_schema m join pragma_table_xinfo(m.name) c where m.type = 'table' and c.hidden in (2, 3)
    and m.sql like '% generated always as %'`.execute(kysely);
  const byTable = {
    generated: groupByTable(generated.rows),
    columns: groupByTable(columns.rows),
    references: groupByTable(references.rows),
    indexes: groupByTable(indexes.rows),
  };
  const indexSql = new Map(
    objects.rows.flatMap(({ type, name, sql: text }) => (type === 'index' ? [[name, text] as const] : [])),
  );
  const triggers = groupByTable(
    objects.rows.flatMap(({ type, tbl_name: tbl, sql: text }) => (type === 'trigger' ? [{ tbl, text }] : [])),
  );
  const tables = objects.rows
    .filter(({ type, name }) => type === 'table' && !isWordsTable(name))
    .map(({ name, sql: text }): [string, ActualTable] => {
      const keys = toReferences(byTable.references.get(name) ?? []);
      const rows = byTable.columns.get(name) ?? [];
      const own = (triggers.get(name) ?? []).flatMap(({ text: line }) => line ?? []);
      return [
        name,
        {
          name,
          columns: new Map(rows.map((row) => [row.name, toColumn(row, keys.get(row.name))])),
          primaryKey: rows
            .filter(({ pk }) => pk > 0)
            .sort((a, b) => a.pk - b.pk)
            .map((row) => row.name),
          isCounting: /\bautoincrement\b/i.test(text ?? ''),
          indexes: toIndexes(byTable.indexes.get(name) ?? [], indexSql, own),
          triggers: own,
          generated: new Set((byTable.generated.get(name) ?? []).map(({ name: column }) => column)),
        },
      ];
    });
  const checksum = createHash('sha256').update(JSON.stringify(objects.rows)).digest('hex');
  return { tables: new Map(tables), checksum };
}

const toOnDelete = (text: string): OnDelete => ON_DELETE.find((each) => each === text.toLowerCase()) ?? 'no action';

function toReferences(rows: readonly ReferenceRow[]): Map<string, TableReference> {
  return new Map(
    rows.map((row) => [row.from, { table: row.table, column: row.to ?? '', onDelete: toOnDelete(row.on_delete) }]),
  );
}

function toColumn(row: ColumnRow, references: TableReference | undefined): ActualColumn {
  return {
    name: row.name,
    type: row.type,
    isRequired: row.notnull === 1 || row.pk > 0,
    default: row.dflt_value ?? undefined,
    references,
  };
}

const TRIGGERS = 2;
/** A rule of `exclude` has both of its triggers; one without is made again. */
const toExclusion = (triggers: number): Pick<ActualIndex, 'isExclusion' | 'isBroken'> => ({
  isExclusion: 'trigger',
  ...(triggers === TRIGGERS ? {} : { isBroken: true as const }),
});

function toIndexes(
  rows: readonly IndexRow[],
  sqlOf: ReadonlyMap<string, string | null>,
  triggers: readonly string[],
): Map<string, ActualIndex> {
  const found = new Map<string, ActualIndex>();
  const rules = triggers.map(findTriggerRule);
  for (const row of rows) {
    const text = sqlOf.get(row.name) ?? undefined;
    const before = found.get(row.name);
    const columns = [...(before?.columns ?? []), row.column ?? ''];
    const descending = [...(before?.descending ?? []), ...(row.isDown === 1 ? [row.column ?? ''] : [])];
    found.set(row.name, {
      name: row.name,
      isUnique: row.unique === 1,
      columns,
      ...(descending.length === 0 ? {} : { descending }),
      sql: text,
      ...readCondition(text),
      ...(isExclusionName(row.name) ? toExclusion(rules.filter((rule) => rule === row.name).length) : {}),
    });
  }
  return found;
}
