// Checks a database before and after a migration: every value must be where the reference has it, or be named.
import { sql } from 'kysely';
import { readStructure } from '../../src/database/read-structure.ts';
import { convert, isSame, REFUSED } from './_migration-reference.mjs';

const fail = (message) => {
  throw new Error(message);
};

const toStorage = (type) => {
  const name = type.toLowerCase();
  if (name.includes('json')) return 'json';
  // SQLite stores a decimal as a whole number.
  if (name.includes('int') || name.startsWith('numeric')) return 'integer';
  return /real|doub/.test(name) ? 'real' : 'text';
};

const isDecimal = ({ type }) => /^numeric/i.test(type);
const toUnits = (value) => (value === null ? null : Math.round(Number(value) * 100) + 0);

/** Rows with decimals as SQLite has them: in hundredths. */
function unify(rows, table) {
  const names = [...table.columns.values()].filter(isDecimal).map(({ name }) => name);
  return names.length === 0
    ? rows
    : rows.map((row) => ({ ...row, ...Object.fromEntries(names.map((name) => [name, toUnits(row[name])])) }));
}

/** Everything in the model's tables: structure without differences of the dialects, and rows by primary key. */
export async function dump(database) {
  const { tables } = await readStructure(database);
  const found = new Map();
  for (const table of tables.values()) {
    if (table.name.startsWith('treadle_')) continue;
    const { rows } = await sql`select * from ${sql.table(table.name)}`.execute(database.kysely);
    const columns = [...table.columns.values()]
      .map(({ name, type, isRequired, default: value, references }) => {
        const plain = value?.replace(/^'(.*)'$/s, '$1');
        const text = plain !== undefined && isDecimal({ type }) ? String(toUnits(plain)) : plain;
        return { name, type: toStorage(type), isRequired, default: text, references };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const indexes = [...table.indexes.values()]
      .filter(({ sql: text }) => text !== undefined)
      .map(({ name, columns: names, isUnique }) => `${name} ${names} ${isUnique}`)
      .sort();
    const toId = (row) => table.primaryKey.map((name) => row[name]).join();
    found.set(table.name, {
      columns,
      indexes,
      key: table.primaryKey,
      rows: new Map(unify(rows, table).map((row) => [toId(row), row])),
    });
  }
  return found;
}

const isJson = (text) => typeof text === 'string' && /^[[{]/.test(text);

/** Reports where two dumps differ; undefined if they are equal. Ignores word tables. */
export function compareDumps(a, b, withStructure = true) {
  const names = (found) => [...found.keys()].sort().join();
  if (names(a) !== names(b)) return `tables ${names(a)} / ${names(b)}`;
  for (const [name, one] of a) {
    const other = b.get(name);
    if (withStructure) {
      const print = ({ columns, indexes, key }) => JSON.stringify({ columns, indexes, key });
      if (print(one) !== print(other)) return `structure of ${name}:\n${print(one)}\n${print(other)}`;
    }
    if (one.rows.size !== other.rows.size) return `${name} has ${one.rows.size} / ${other.rows.size} rows`;
    for (const [id, row] of one.rows) {
      const twin = other.rows.get(id) ?? fail(`${name} ${id} is missing`);
      for (const { name: column } of one.columns) {
        const same =
          row[column] === twin[column] ||
          (isJson(row[column]) && isJson(twin[column]) && isSame('tag', row[column], twin[column]));
        if (!same)
          return `${name}.${column} of ${id}: ${JSON.stringify(row[column])} / ${JSON.stringify(twin[column])}`;
      }
    }
  }
  return undefined;
}

async function readCopy(database, copy) {
  const { rows } = await sql`select * from ${sql.table(copy)}`.execute(database.kysely);
  return unify(rows, (await readStructure(database)).tables.get(copy));
}

/**
 * Every row and value from before must be where the reference has it, or a step of the plan names it and a copy has
 * it.
 *
 * @param types Field types of the columns before, `table.column`, including columns without a definition.
 */
export async function verify({ database, before, after, places, types, result, isLossAllowed }) {
  const { applied } = result;
  const lost = applied.filter((step) => step.class === 'lose');
  if (lost.length > 0 && !isLossAllowed) fail(`lost without leave: ${lost.map(({ words }) => words)}`);
  const moves = new Map();
  const bearers = new Set();
  for (const [uid, was] of places.before) {
    const now = places.after.get(uid);
    const toKey = ({ table, column }) => (column === undefined ? table : `${table}.${column}`);
    if (now !== undefined) {
      moves.set(toKey(was), now);
      bearers.add(toKey(now));
    }
  }
  for (const [name, table] of before) {
    const future = moves.get(name)?.table ?? name;
    const target = after.get(future);
    if (target === undefined || (moves.get(name) === undefined && bearers.has(name))) {
      await verifyGone({ database, name, table, applied });
      continue;
    }
    if (target.rows.size !== table.rows.size) fail(`${name}: ${table.rows.size} rows became ${target.rows.size}`);
    // A column without a definition is taken by a new field with its name, also under the schema's new name.
    const adopt = (column) => {
      const wanted = column.startsWith(`${name}_`) ? `${future}_${column.slice(name.length + 1)}` : column;
      const isNew = (to) =>
        [...places.after].some(
          ([uid, place]) => !places.before.has(uid) && place.table === future && place.column === to,
        );
      const key = applied
        .map(
          ({ kind, words }) =>
            kind === 'rename-column' &&
            new RegExp(`^Rename the column ${column} of ${name} to (\\w+)\\.$`).exec(words)?.[1],
        )
        .find((to) => to && isNew(to));
      const to = key ?? wanted;
      return isNew(to) ? { table: future, column: to } : undefined;
    };
    const findMove = (column) => moves.get(`${name}.${column}`) ?? adopt(column);
    const keys = new Map();
    for (const { name: column } of table.columns) {
      const move = findMove(column);
      if (move !== undefined || !keys.has(column)) keys.set(move?.column ?? column, column);
    }
    const ids = new Map([...table.rows].map(([id, row]) => [id, target.key.map((key) => row[keys.get(key)]).join()]));
    for (const { name: column } of table.columns) {
      const move = findMove(column);
      const to = move?.column ?? column;
      const isReplaced = move === undefined && bearers.has(`${future}.${column}`);
      if (!target.columns.some((known) => known.name === to) || isReplaced) {
        await verifyDropped({ database, name, future, column, table, applied });
        continue;
      }
      await verifyValues({
        database,
        name,
        future,
        column,
        to,
        table,
        target,
        ids,
        types,
        after: places.after,
        applied,
      });
    }
  }
}

async function verifyGone({ database, name, table, applied }) {
  const step =
    applied.find(({ kind, table: of }) => kind === 'drop-table' && of === name) ??
    fail(`${name} is gone, and no step says so`);
  if (step.rowsAtRisk !== table.rows.size) fail(`${step.words}: there were ${table.rows.size}`);
  if (table.rows.size === 0) return;
  const kept = new Map(
    (await readCopy(database, step.copy)).map((row) => [table.key.map((key) => row[key]).join(), row]),
  );
  for (const [id, row] of table.rows) {
    for (const { name: column } of table.columns)
      if (kept.get(id)?.[column] !== row[column]) fail(`${step.copy} lacks ${name}.${column} of ${id}`);
  }
}

async function verifyDropped({ database, name, future, column, table, applied }) {
  const values = [...table.rows].filter(([, row]) => row[column] !== null);
  const step =
    applied.find(
      ({ kind, words }) =>
        kind === 'drop-column' && new RegExp(`^Drop the column ${column} of ${future}\\b`).test(words),
    ) ?? fail(`${name}.${column} is gone, and no step says so`);
  if (step.class === 'change') return;
  if (step.rowsAtRisk !== values.length) fail(`${step.words}: there were ${values.length}`);
  if (values.length === 0) return;
  const kept = new Map((await readCopy(database, step.copy)).map((row) => [row.key_1, row.former]));
  for (const [, row] of values)
    if (kept.get(row[table.key[0]]) !== row[column])
      fail(`${step.copy} lacks ${name}.${column} of ${row[table.key[0]]}`);
}

async function verifyValues({ database, name, future, column, to, table, target, ids, types, after, applied }) {
  const from = types.get(`${name}.${column}`);
  const place = [...after.values()].find((known) => known.table === future && known.column === to);
  const steps = applied.filter((step) => step.table === future && step.column === to && step.kind === 'alter-column');
  const isRead = steps.some(({ words }) => / becomes \w+ instead of /.test(words));
  const isFilled = steps.some(({ words }) => /without a value gets? /.test(words));
  const type = place?.type ?? from;
  const copies = new Map();
  for (const { copy } of steps) {
    if (copy === undefined) continue;
    for (const row of await readCopy(database, copy)) copies.set(row.key_1, row);
  }
  let failing = 0;
  for (const [id, row] of table.rows) {
    const was = row[column] ?? null;
    const is = target.rows.get(ids.get(id))?.[to];
    if (is === undefined) fail(`${name} ${id} is gone`);
    const key = row[table.key[0]];
    const read = isRead && from !== undefined && type !== undefined ? convert(from, type, was) : was;
    if (read !== REFUSED && isSame(type, read, is)) continue;
    if (read === REFUSED || (read === null && was !== null)) {
      if (read === REFUSED) failing += 1;
      if (!copies.has(key) || !isSame(from, copies.get(key).former, was))
        fail(`${name}.${column} of ${key}: ${JSON.stringify(was)} is kept nowhere (is ${JSON.stringify(is)})`);
      if (is !== null && place?.field?.required !== true)
        fail(`${name}.${column} of ${key}: ${JSON.stringify(was)} became ${JSON.stringify(is)}`);
      continue;
    }
    if (was === null && isFilled && copies.has(key)) continue;
    fail(
      `${name}.${column} (${from}) of ${key}: ${JSON.stringify(was)} became ${JSON.stringify(is)} in ${future}.${to} (${type}), not ${JSON.stringify(read)}; steps ${JSON.stringify(steps.map(({ words }) => words))}`,
    );
  }
  const named = steps.filter(({ class: rank }) => rank === 'lose').reduce((sum, { rowsAtRisk }) => sum + rowsAtRisk, 0);
  if (named !== failing) fail(`${name}.${column}: ${failing} values did not fit, ${named} were named`);
}
