// Random changes of a model, each migrated with random rows and compared with a reference; some are undone and done
// again. With PostgreSQL the same sequence runs on both and must give the same rows.
// Usage: node --import tsx test/torture/migration.mjs [--seed n] [--changes n] [--postgres url] [--short] [--tell]
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { sql } from 'kysely';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { migrate, planMigration } from '../../src/database/migration.ts';
import { isBlocked } from '../../src/database/migration-step.ts';
import { openDatabase } from '../../src/database/open.ts';
import { undoMigration } from '../database/migration/_undo.ts';
import { compareDumps, dump, verify } from './_migration-check.mjs';
import { makeValue } from './_migration-reference.mjs';
import { changeWorld, createDice, createWorld, tablesOf, toModel, toPlaces } from './_migration-world.mjs';

const words = process.argv.slice(2);
const read = (name, preset) => (words.includes(name) ? words[words.indexOf(name) + 1] : preset);
const seed = Number(read('--seed', 20261121));
const isShort = words.includes('--short');
const changes = Number(read('--changes', isShort ? 80 : 1000));
const server = read('--postgres', process.env.TREADLE_TEST_POSTGRES);
const isTelling = words.includes('--tell');
const tell = (...said) => isTelling && console.log(...said);

async function openPlaces() {
  const options = { root: '/', log: silentLog, clock: systemClock };
  const places = [{ database: await openDatabase({ url: 'sqlite::memory:', ...options }), remove: async () => {} }];
  if (server === undefined) return places;
  const schema = `treadle_torture_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.searchParams.set('schema', schema);
  const database = await openDatabase({ url: String(url), ...options });
  places.push({ database, remove: () => sql.raw(`drop schema "${schema}" cascade`).execute(database.kysely) });
  return places;
}

let lastId = 0;

/** Rows to write, generated once for all databases. */
function makeRows(world, model, dice, state) {
  const writes = [];
  for (const { uid, name, fields } of world) {
    const schema = model.schemas.get(name);
    const known = state.ids.get(uid) ?? [];
    state.ids.set(uid, known);
    for (let count = dice.below(4); count > 0; count -= 1) {
      lastId += 1;
      const row = { [schema.primary]: lastId };
      let isWhole = true;
      for (const field of fields) {
        const value = field.required || dice.chance(0.75) ? makeValue(field.type, dice) : null;
        row[`${schema.table}_${field.name}`] = value;
      }
      for (const other of model.schemas.values()) {
        for (const relation of other.relations) {
          if (relation.kind === 'N:N' || relation.table !== schema.table) continue;
          const to = relation.kind === '1:N' ? relation.source : relation.target;
          const target = state.ids.get(world.find((entry) => entry.name === to).uid) ?? [];
          const column = relation.targetColumn ?? relation.sourceColumn;
          if (target.length > 0 && (relation.kind === '1:1' || dice.chance(0.6))) row[column] = dice.pick(target);
          else if (relation.kind === '1:1') isWhole = false;
        }
      }
      if (isWhole) writes.push({ table: schema.table, row, uid, id: lastId });
    }
    if (known.length > 0 && dice.chance(0.3)) {
      const field = dice.pick(fields);
      const value = field.required || dice.chance(0.8) ? makeValue(field.type, dice) : null;
      writes.push({
        table: schema.table,
        set: { [`${schema.table}_${field.name}`]: value },
        key: [schema.primary, dice.pick(known)],
      });
    }
    if (known.length > 3 && dice.chance(0.3))
      writes.push({ table: schema.table, gone: true, key: [schema.primary, dice.pick(known)] });
  }
  for (const schema of model.schemas.values()) {
    for (const { kind, table, source, target, sourceColumn, targetColumn } of schema.relations) {
      if (kind !== 'N:N') continue;
      const find = (name) => state.ids.get(world.find((entry) => entry.name === name).uid) ?? [];
      if (find(source).length > 0 && find(target).length > 0) {
        writes.push({
          table,
          row: { [sourceColumn]: dice.pick(find(source)), [targetColumn]: dice.pick(find(target)) },
        });
      }
    }
  }
  return writes;
}

/** Decimals as a database stores them: in hundredths, or as text. */
const toStored = (database, values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'object' || value === null) return [name, value];
      return [name, database.dialect === 'sqlite' ? value.units : (value.units / 100).toFixed(2)];
    }),
  );

async function writeRows(database, writes) {
  const done = [];
  for (const { table, row, set, key, gone } of writes) {
    try {
      await database.write(async () => {
        if (row) await database.kysely.insertInto(table).values(toStored(database, row)).execute();
        else if (gone) await database.kysely.deleteFrom(table).where(key[0], '=', key[1]).execute();
        else await database.kysely.updateTable(table).set(toStored(database, set)).where(key[0], '=', key[1]).execute();
      });
      done.push(true);
    } catch (error) {
      if (error.code !== 'DATABASE_CONSTRAINT') throw error;
      done.push(false);
    }
  }
  return done;
}

/** Field types of all columns, including columns without a definition. */
function followTypes(types, places, after) {
  const tables = new Map();
  for (const [uid, was] of places.before) {
    const now = places.after.get(uid);
    if (now !== undefined && was.column === undefined) tables.set(was.table, now.table);
  }
  const next = new Map();
  for (const [place, type] of types) {
    const [table, column] = place.split('.');
    const future = tables.get(table) ?? table;
    if (after.get(future)?.columns.some(({ name }) => name === column)) next.set(`${future}.${column}`, type);
  }
  for (const { table, column, type } of places.after.values())
    if (type !== undefined) next.set(`${table}.${column}`, type);
  return next;
}

async function migrateOne({ database }, model, options, asked) {
  const tables = tablesOf(model, database.dialect);
  const first = await planMigration(database, tables, options);
  const defaults = new Map(options.defaults);
  for (const { asks } of first.steps) {
    if (asks !== undefined && asked.has(asks)) defaults.set(asks, asked.get(asks));
  }
  const whole = { ...options, defaults };
  try {
    return { tables, options: whole, result: await migrate(database, tables, whole) };
  } catch (error) {
    // Values that a conversion made equal, as " 7" and "7" are as numbers, cannot be unique.
    if (error.code === 'MIGRATION_STEP_FAILED' && / unique index /.test(error.message)) return { failure: error };
    // The row chosen for a relation was removed meanwhile.
    if (error.code !== 'MIGRATION_DEFAULT_INVALID') throw error;
    return { tables, options, result: await migrate(database, tables, options) };
  }
}

/** A user's answers when a value is asked for. */
function makeAnswers(world, model, dice, state) {
  const answers = new Map();
  for (const { name, fields, relations } of world) {
    for (const { name: field, type } of fields) {
      const value = {
        text: 'given',
        textarea: 'given',
        select: 'b',
        number: '7',
        float: '0.25',
        decimal: '7.25',
        date: '2020-02-02',
        datetime: '2020-02-02 02:02:02',
        switch: '1',
        tag: 'given',
      }[type];
      if (dice.chance(0.7)) answers.set(`${name}.${field}`, value);
    }
    for (const [index, { to }] of relations.entries()) {
      const ids = state.ids.get(to) ?? [];
      if (ids.length > 0 && dice.chance(0.7))
        answers.set(`${name}.${model.schemas.get(name).relations[index].name}`, String(dice.pick(ids)));
    }
  }
  return answers;
}

const figures = { migrated: 0, refused: 0, losing: 0, undone: 0 };

async function playOne(places, dice, state) {
  const changed = changeWorld(state.world, dice);
  const writes = makeRows(state.world, state.model, dice, state);
  const isLossAllowed = dice.chance(0.4);
  const answers = makeAnswers(changed.world, changed.model, dice, state);
  const isUndone = dice.chance(0.5);
  const outcomes = [];
  tell(`#${state.turn}`, changed.done.join('+'), isLossAllowed ? 'loss' : '');
  for (const place of places) {
    outcomes.push({ written: await writeRows(place.database, writes) });
  }
  if (new Set(outcomes.map(({ written }) => written.join())).size > 1)
    throw new Error('the databases took different rows');
  for (const [index, { uid, id }] of writes.entries())
    if (uid !== undefined && outcomes[0].written[index]) state.ids.get(uid).push(id);
  const moves = { before: toPlaces(state.world, state.model), after: toPlaces(changed.world, changed.model) };
  for (const [index, place] of places.entries()) {
    const { database } = place;
    const before = await dump(database);
    const migrated = await migrateOne(place, changed.model, { allowLoss: isLossAllowed }, answers);
    if (migrated.failure !== undefined) {
      tell('   FAILED', migrated.failure.message);
      const difference = compareDumps(before, await dump(database));
      if (difference) throw new Error(`failed, and yet changed: ${difference}`);
      Object.assign(outcomes[index], { before, after: before, isBlocked: true });
      continue;
    }
    const { result, tables, options } = migrated;
    const after = await dump(database);
    Object.assign(outcomes[index], { before, after, isBlocked: isBlocked(result.plan), options });
    for (const { words: said, refusal } of result.plan.steps)
      tell('  ', refusal ? 'REFUSED' : '', said, refusal?.message ?? '');
    if (isBlocked(result.plan)) {
      const difference = compareDumps(before, after);
      if (difference) throw new Error(`refused, and yet changed: ${difference}`);
      continue;
    }
    if (index === 0 && result.applied.some((step) => step.class === 'lose')) figures.losing += 1;
    await verify({ database, before, after, places: moves, types: state.types, result, isLossAllowed });
    const left = await planMigration(database, tables, options);
    const open = left.steps.filter(({ refusal }) => refusal === undefined);
    if (open.length > 0) throw new Error(`not done after all: ${open.map(({ words: said }) => said)}`);
    if (!isUndone || result.applied.length === 0 || result.plan.record.changes.length === 0) continue;
    await undoAndRedo({ database, before, after, tables, options });
  }
  const [one, other] = outcomes;
  if (other !== undefined) {
    if (one.isBlocked !== other.isBlocked) throw new Error('one database refused, the other did not');
    const difference = compareDumps(one.after, other.after, false);
    if (difference) throw new Error(`the databases differ: ${difference}`);
  }
  if (one.isBlocked) {
    figures.refused += 1;
    return;
  }
  figures.migrated += 1;
  if (isUndone) figures.undone += 1;
  state.types = followTypes(state.types, moves, one.after);
  state.world = changed.world;
  state.model = changed.model;
  for (const uid of state.ids.keys()) if (!state.world.some((schema) => schema.uid === uid)) state.ids.delete(uid);
}

async function undoAndRedo({ database, before, after, tables, options }) {
  let back = await undoMigration(database, {});
  if (isBlocked(back.plan)) back = await undoMigration(database, { allowLoss: true });
  for (const { words: said, refusal } of back.plan.steps)
    tell('   undo', refusal ? 'REFUSED' : '', said, refusal?.message ?? '');
  if (isBlocked(back.plan)) throw new Error(`the undo is refused: ${JSON.stringify(back.plan.problems)}`);
  const difference = compareDumps(before, await dump(database));
  if (difference) throw new Error(`the undo left something else: ${difference}`);
  const again = await migrate(database, tables, options);
  const other = compareDumps(after, await dump(database));
  if (other)
    throw new Error(
      `done again, it is something else: ${other}\n${again.applied.map(({ words: said }) => said).join('\n')}`,
    );
}

async function checkWhole({ database }) {
  if (database.dialect !== 'sqlite') return;
  const { rows: orphans } = await sql`pragma foreign_key_check`.execute(database.kysely);
  if (orphans.length > 0) throw new Error(`rows lead nowhere: ${JSON.stringify(orphans.slice(0, 3))}`);
  const { rows } = await sql`pragma integrity_check`.execute(database.kysely);
  if (rows[0].integrity_check !== 'ok') throw new Error(`integrity: ${JSON.stringify(rows)}`);
}

const dice = createDice(seed);
const places = await openPlaces();
const state = { world: createWorld(), model: undefined, types: new Map(), ids: new Map(), turn: 0 };
state.model = toModel(state.world).model;
try {
  for (state.turn = 1; state.turn <= changes; state.turn += 1) {
    await playOne(places, dice, state);
    if (state.turn % 25 === 0) for (const place of places) await checkWhole(place);
  }
  process.stdout.write(
    `${JSON.stringify(figures)} on ${places.map(({ database }) => database.dialect).join(' and ')}\n`,
  );
  process.stdout.write(`torture migration: ${changes} changes, seed ${seed}: ok\n`);
} catch (error) {
  process.stdout.write(
    `torture migration: seed ${seed}, change ${state.turn}: ${error.stack}\n${error.cause?.message ?? ''}\n${JSON.stringify(error.detail ?? '')}\n`,
  );
  process.exitCode = 1;
} finally {
  for (const { database, remove } of places) {
    await remove().catch(() => {});
    await database.close();
  }
}
