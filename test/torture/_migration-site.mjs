// A site before and after a large migration, with rows: the subject of migration-kill.mjs.
import { sql } from 'kysely';
import { advanceCounter } from '../../src/database/counter.ts';
import { migrate } from '../../src/database/migration.ts';
import { makeValue } from './_migration-reference.mjs';
import { tablesOf, toModel } from './_migration-world.mjs';

/** The time in everything that a migration records, so that two runs write the same. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');

const [PERSON, POST, LABEL, THING, ORDER, SHOP, INVOICE] = [1, 2, 3, 4, 5, 6, 7];

const BEFORE = [
  {
    uid: PERSON,
    name: 'person',
    fields: [
      { name: 'name', type: 'text', required: true, searchable: true },
      { name: 'email', type: 'text', unique: true },
      { name: 'age', type: 'text' },
      { name: 'born', type: 'text' },
      { name: 'score', type: 'number', filterable: true },
      { name: 'motto', type: 'textarea' },
    ],
    relations: [{ to: PERSON, kind: '1:0', name: 'friend' }],
  },
  {
    uid: POST,
    name: 'post',
    fields: [
      { name: 'title', type: 'text', required: true, searchable: true },
      { name: 'body', type: 'textarea', searchable: true },
      { name: 'rank', type: 'text', filterable: true },
      { name: 'flag', type: 'text' },
      { name: 'code', type: 'text' },
      { name: 'note', type: 'text' },
      { name: 'size', type: 'number' },
    ],
    relations: [
      { to: PERSON, kind: '1:1', name: 'owner' },
      { to: LABEL, kind: 'N:N' },
    ],
  },
  { uid: LABEL, name: 'label', fields: [{ name: 'title', type: 'text' }], relations: [] },
  {
    uid: THING,
    name: 'thing',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'textarea', searchable: true },
    ],
    relations: [{ to: POST, kind: '1:0' }],
  },
  {
    uid: ORDER,
    name: 'order',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'rank', type: 'number' },
    ],
    relations: [],
  },
  {
    uid: SHOP,
    name: 'shop',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'size', type: 'float' },
    ],
    relations: [{ to: LABEL, kind: 'N:N' }],
  },
];

const AFTER = [
  {
    uid: PERSON,
    name: 'human',
    was: 'person',
    fields: [
      { name: 'fullname', was: 'name', type: 'text', required: true, searchable: true },
      { name: 'email', type: 'text', unique: true },
      { name: 'age', type: 'number', filterable: true },
      { name: 'born', type: 'date' },
      { name: 'score', type: 'text' },
      { name: 'joined', type: 'datetime', required: true, default: '2026-01-31 10:00:00' },
      { name: 'about', type: 'textarea', searchable: true },
    ],
    relations: [
      { to: PERSON, kind: '1:0', name: 'mate', was: 'friend' },
      { to: SHOP, kind: 'N:N' },
    ],
  },
  {
    uid: POST,
    name: 'post',
    fields: [
      { name: 'title', type: 'text', required: true, searchable: true },
      { name: 'body', type: 'textarea' },
      { name: 'rank', type: 'float', filterable: true },
      { name: 'flag', type: 'switch' },
      { name: 'code', type: 'text', required: true, default: 'none', searchable: true },
      { name: 'length', was: 'size', type: 'number' },
      { name: 'key', type: 'text', unique: true },
    ],
    relations: [
      { to: PERSON, kind: '1:1', name: 'author', was: 'owner' },
      { to: LABEL, kind: 'N:N' },
      { to: INVOICE, kind: '1:0' },
    ],
  },
  {
    uid: LABEL,
    name: 'badge',
    was: 'label',
    fields: [{ name: 'title', type: 'text', required: true, default: 'none' }],
    relations: [],
  },
  {
    uid: ORDER,
    name: 'shop',
    was: 'order',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'rank', type: 'text' },
    ],
    relations: [],
  },
  {
    uid: SHOP,
    name: 'order',
    was: 'shop',
    fields: [
      { name: 'title', type: 'text', searchable: true },
      { name: 'size', type: 'float', filterable: true },
    ],
    relations: [{ to: LABEL, kind: 'N:N' }],
  },
  {
    uid: INVOICE,
    name: 'invoice',
    fields: [
      { name: 'title', type: 'text', required: true, searchable: true },
      { name: 'total', type: 'float' },
    ],
    relations: [
      { to: PERSON, kind: '1:1' },
      { to: POST, kind: 'N:N' },
    ],
  },
];

const COUNTS = new Map([
  [PERSON, 120],
  [POST, 300],
  [LABEL, 20],
  [THING, 60],
  [ORDER, 40],
  [SHOP, 40],
]);

function link(world) {
  const { model, problems } = toModel(world);
  if (model === undefined) throw new Error(JSON.stringify(problems));
  return model;
}

export const tablesAfter = (dialect) => tablesOf(link(AFTER), dialect);

/** Options of the large migration: values that fit no new type are dropped, with a copy. */
export const OPTIONS = {
  allowLoss: true,
  now: NOW,
  clock: { now: () => NOW, after: () => () => {} },
};

/** Rows of every table, the same for the same seed: table, then rows, referenced tables first. */
export function makeSite(dice) {
  const model = link(BEFORE);
  const lists = [];
  for (const { uid, name, fields } of BEFORE) {
    const schema = model.schemas.get(name);
    const keys = [...model.schemas.values()].flatMap(({ relations }) =>
      relations.filter(({ kind, table }) => kind !== 'N:N' && table === schema.table),
    );
    const rows = Array.from({ length: COUNTS.get(uid) }, (_, index) => {
      const row = { [schema.primary]: index + 1 };
      for (const field of fields) {
        const value = field.required || dice.chance(0.8) ? makeValue(field.type, dice) : null;
        row[`${schema.table}_${field.name}`] = field.unique && value !== null ? `${index}@${value}` : value;
      }
      for (const { kind, source, target, targetColumn, sourceColumn } of keys) {
        const to = kind === '1:N' ? source : target;
        const limit = to === name ? index : COUNTS.get(BEFORE.find((entry) => entry.name === to).uid);
        row[targetColumn ?? sourceColumn] =
          limit > 0 && (kind === '1:1' || dice.chance(0.6)) ? 1 + dice.below(limit) : null;
      }
      return row;
    });
    lists.push({ table: schema.table, primary: schema.primary, rows });
  }
  for (const schema of model.schemas.values()) {
    for (const { kind, table, source, target, sourceColumn, targetColumn } of schema.relations) {
      if (kind !== 'N:N') continue;
      const count = (name) => COUNTS.get(BEFORE.find((entry) => entry.name === name).uid);
      const pairs = new Set(
        Array.from({ length: 200 }, () => `${1 + dice.below(count(source))} ${1 + dice.below(count(target))}`),
      );
      const rows = [...pairs].map((pair) => ({
        [sourceColumn]: Number(pair.split(' ')[0]),
        [targetColumn]: Number(pair.split(' ')[1]),
      }));
      lists.push({ table, rows });
    }
  }
  return lists;
}

/** Creates the site before the migration: tables, rows, then the words of the rows. */
export async function fillSite(database, lists) {
  const wordless = BEFORE.map((schema) => ({
    ...schema,
    fields: schema.fields.map(({ searchable: _, ...field }) => field),
  }));
  await migrate(database, tablesOf(link(wordless), database.dialect), OPTIONS);
  await database.transaction(async () => {
    for (const { table, rows } of lists) {
      for (let from = 0; from < rows.length; from += 50)
        await database.kysely
          .insertInto(table)
          .values(rows.slice(from, from + 50))
          .execute();
    }
  });
  for (const { table, primary } of lists) if (primary !== undefined) await advanceCounter(database, table, primary);
  await migrate(database, tablesOf(link(BEFORE), database.dialect), OPTIONS);
}

/** Compares records of tables by value: the order of keys and columns does not matter. */
function sortKeys(value) {
  if (typeof value === 'string' && value.startsWith('{')) return sortKeys(JSON.parse(value));
  const toName = (entry) => entry?.name ?? '';
  if (Array.isArray(value))
    return value.map(sortKeys).sort((a, b) => (toName(a) < toName(b) ? -1 : toName(a) > toName(b) ? 1 : 0));
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}

async function readAll(database, text, isJson = false) {
  const { rows } = await sql.raw(text).execute(database.kysely);
  return rows.map((row) => JSON.stringify(isJson ? sortKeys({ ...row }) : row)).sort();
}

const POSTGRES_OBJECTS = [
  `select table_name, column_name, ordinal_position, data_type, collation_name, is_nullable, column_default, is_identity
    from information_schema.columns where table_schema = current_schema()`,
  'select tablename, indexdef from pg_indexes where schemaname = current_schema()',
  `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as text from pg_constraint
    where connamespace = current_schema()::regnamespace`,
  `select pg_get_triggerdef(t.oid) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal`,
  'select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace',
];

/**
 * The complete content of a database, one line per object and row, including Treadle's own tables, words and copies.
 */
export async function readWhole(database) {
  if (database.dialect === 'postgres') {
    const lines = [];
    for (const text of POSTGRES_OBJECTS) lines.push(...(await readAll(database, text)));
    const { rows } =
      await sql`select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`.execute(
        database.kysely,
      );
    for (const { name } of rows) {
      const isMemory = name === 'treadle_table';
      // An id used by an undone migration is not reused.
      const value = name === 'treadle_journal' ? `(to_jsonb(t) - 'id')::text` : 't::text';
      const text = isMemory ? 'select * from treadle_table' : `select ${value} as "${name}" from "${name}" t`;
      lines.push(...(await readAll(database, text, isMemory)));
    }
    return lines;
  }
  const { rows } = await sql`select type, name, tbl_name, sql from sqlite_schema order by type, name`.execute(
    database.kysely,
  );
  const objects = rows.filter(({ name }) => !name.startsWith('sqlite_stat'));
  const lines = objects.map((row) => JSON.stringify(row));
  for (const { type, name, sql: text } of objects) {
    if (type !== 'table' || /^create virtual/i.test(text)) continue;
    for (const line of await readAll(database, `select * from "${name}"`, name === 'treadle_table'))
      lines.push(`${name} ${line}`);
  }
  return lines;
}

/** The differences of two {@link readWhole}: at most five lines of each that the other lacks. */
export function compareWhole(a, b) {
  const [one, other] = [new Set(a), new Set(b)];
  const lacks = (list, set) =>
    list
      .filter((line) => !set.has(line))
      .slice(0, 5)
      .map((line) => line.slice(0, 400));
  const [more, less] = [lacks(a, other), lacks(b, one)];
  if (more.length === 0 && less.length === 0 && a.length === b.length) return undefined;
  return (
    [...more.map((line) => `- ${line}`), ...less.map((line) => `+ ${line}`)].join('\n') ||
    `${a.length} / ${b.length} lines`
  );
}

/** The database's own health checks. */
export async function checkHealth(database) {
  if (database.dialect === 'sqlite') {
    const { rows } = await sql`pragma integrity_check`.execute(database.kysely);
    if (rows[0].integrity_check !== 'ok') throw new Error(`integrity_check: ${JSON.stringify(rows.slice(0, 3))}`);
    const { rows: orphans } = await sql`pragma foreign_key_check`.execute(database.kysely);
    if (orphans.length > 0) throw new Error(`foreign_key_check: ${JSON.stringify(orphans.slice(0, 3))}`);
    return;
  }
  // A counter is outside transactions: it may be ahead of the rows, never behind.
  const { rows } = await sql`select table_name::text as "table", column_name::text as "column",
    pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`.execute(
    database.kysely,
  );
  for (const { table, column, sequence } of rows) {
    const text = `select (select coalesce(max("${column}"), 0) from "${table}") as highest, last_value as last, is_called as "isCalled" from ${sequence}`;
    const {
      rows: [found],
    } = await sql.raw(text).execute(database.kysely);
    if (Number(found.highest) > Number(found.last) - (found.isCalled ? 0 : 1))
      throw new Error(`${table}: row ${found.highest}, its counter is at ${found.last}`);
  }
}
