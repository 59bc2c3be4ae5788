// A model that changes at random: every schema, field and relation keeps its own number, so that the new name
// is known without the code under test.
import { createTables } from '../../src/database/table.ts';
import { linkModel } from '../../src/model/link.ts';
import { Schema, Settings } from '../../src/model/shape.ts';

/** Numbers from 0 (included) to 1 (excluded), the same for the same seed (mulberry32). */
export function createDice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (share) => next() < share,
  };
}

export const TYPES = ['text', 'textarea', 'number', 'float', 'decimal', 'date', 'datetime', 'switch', 'tag', 'select'];
const SCHEMA_NAMES = ['post', 'person', 'label', 'order', 'shop', 'thing'];
const FIELD_NAMES = ['title', 'body', 'rank', 'day', 'flag', 'code', 'note', 'size'];
const RELATION_NAMES = ['owner', 'parent', 'friend', 'source'];
const KINDS = ['1:1', '1:0', '1:N', 'N:N'];
export const OPTIONS = ['a', 'b', '1'];

const DEFAULTS = {
  text: 'new',
  textarea: 'none yet',
  number: 3,
  float: 1.5,
  decimal: '2.5',
  date: '2026-01-31',
  datetime: '2026-01-31 10:00:00',
  switch: true,
  tag: ['x'],
  select: 'a',
};

let lastNumber = 0;
const number = () => {
  lastNumber += 1;
  return lastNumber;
};

export const createWorld = () => {
  lastNumber = 0;
  return [];
};
const clone = (world) => structuredClone(world);

/** Gives each thing a new name at most once: of two renames in one step only the last would be recorded. */
function rename(moved, ...pairs) {
  if (pairs.some(([{ uid }]) => moved.has(uid))) return false;
  for (const [thing, name] of pairs) {
    moved.add(thing.uid);
    thing.was = thing.name;
    thing.name = name;
  }
}

function createField(dice, name, isFirst = false) {
  const type = dice.pick(TYPES);
  const field = { uid: number(), name, type };
  if (isFirst || dice.chance(0.25)) field.required = true;
  if (dice.chance(0.4)) field.default = DEFAULTS[type];
  if (!['tag', 'textarea'].includes(type)) {
    if (dice.chance(0.2)) field.filterable = true;
    else if (dice.chance(0.1)) field.unique = true;
  }
  return field;
}

const free = (dice, names, taken) => dice.pick(names.filter((name) => !taken.includes(name)));
const namesOf = (list) => list.map(({ name }) => name);

const CHANGES = {
  addSchema(world, dice, moved) {
    const name = free(dice, SCHEMA_NAMES, namesOf(world));
    if (name === undefined || world.length >= 5) return false;
    const fields = [createField(dice, 'title'), createField(dice, 'body')];
    const uid = number();
    for (const made of [uid, ...fields.map((field) => field.uid)]) moved.add(made);
    world.push({ uid, name, fields, relations: [] });
  },
  dropSchema(world, dice) {
    if (world.length < 3) return false;
    const gone = dice.pick(world);
    world.splice(world.indexOf(gone), 1);
    for (const schema of world) schema.relations = schema.relations.filter(({ to }) => to !== gone.uid);
  },
  renameSchema(world, dice, moved) {
    const schema = dice.pick(world);
    const name = free(dice, SCHEMA_NAMES, namesOf(world));
    if (schema === undefined || name === undefined) return false;
    return rename(moved, [schema, name]);
  },
  swapSchemas(world, dice, moved) {
    const [a, b] = [dice.pick(world), dice.pick(world)];
    if (a === undefined || a === b) return false;
    return rename(moved, [a, b.name], [b, a.name]);
  },
  addField(world, dice, moved) {
    const schema = dice.pick(world);
    const name = schema && free(dice, FIELD_NAMES, namesOf(schema.fields));
    if (name === undefined) return false;
    const field = createField(dice, name);
    moved.add(field.uid);
    schema.fields.push(field);
  },
  dropField(world, dice) {
    const schema = dice.pick(world);
    if (schema === undefined || schema.fields.length < 2) return false;
    schema.fields.splice(dice.below(schema.fields.length), 1);
  },
  renameField(world, dice, moved) {
    const schema = dice.pick(world);
    const field = schema && dice.pick(schema.fields);
    const name = schema && free(dice, FIELD_NAMES, namesOf(schema.fields));
    if (name === undefined) return false;
    return rename(moved, [field, name]);
  },
  chainFields(world, dice, moved) {
    const schema = dice.pick(world);
    if (schema === undefined || schema.fields.length < 2) return false;
    const [a, b] = [dice.pick(schema.fields), dice.pick(schema.fields)];
    const name = free(dice, FIELD_NAMES, namesOf(schema.fields));
    if (a === b || name === undefined) return false;
    return rename(moved, [a, b.name], [b, name]);
  },
  swapFields(world, dice, moved) {
    const schema = dice.pick(world);
    if (schema === undefined || schema.fields.length < 2) return false;
    const [a, b] = [dice.pick(schema.fields), dice.pick(schema.fields)];
    if (a === b) return false;
    return rename(moved, [a, b.name], [b, a.name]);
  },
  retype(world, dice) {
    const schema = dice.pick(world);
    const field = schema && dice.pick(schema.fields);
    if (field === undefined) return false;
    const type = dice.pick(TYPES.filter((other) => other !== field.type));
    field.type = type;
    delete field.default;
    delete field.unique;
    delete field.filterable;
    if (dice.chance(0.3)) field.default = DEFAULTS[type];
  },
  flag(world, dice) {
    const schema = dice.pick(world);
    const field = schema && dice.pick(schema.fields);
    if (field === undefined) return false;
    const flag = dice.pick(['required', 'required', 'unique', 'filterable']);
    if (flag !== 'required' && ['tag', 'textarea'].includes(field.type)) return false;
    if (field[flag]) delete field[flag];
    else field[flag] = true;
  },
  defaultValue(world, dice) {
    const schema = dice.pick(world);
    const field = schema && dice.pick(schema.fields);
    if (field === undefined) return false;
    if (field.default === undefined) field.default = DEFAULTS[field.type];
    else delete field.default;
  },
  relate(world, dice, moved) {
    const [from, to] = [dice.pick(world), dice.pick(world)];
    if (from === undefined) return false;
    const relation = { uid: number(), to: to.uid, kind: dice.pick(KINDS) };
    if (from === to || dice.chance(0.5)) relation.name = dice.pick(RELATION_NAMES);
    if (dice.chance(0.3)) relation.onRemove = dice.pick(['restrict', 'cascade']);
    moved.add(relation.uid);
    from.relations.push(relation);
  },
  unrelate(world, dice) {
    const schema = dice.pick(world.filter(({ relations }) => relations.length > 0));
    if (schema === undefined) return false;
    schema.relations.splice(dice.below(schema.relations.length), 1);
  },
  renameRelation(world, dice, moved) {
    const schema = dice.pick(world.filter(({ relations }) => relations.some(({ name }) => name !== undefined)));
    const relation = schema && dice.pick(schema.relations.filter(({ name }) => name !== undefined));
    const name = relation && dice.pick(RELATION_NAMES.filter((other) => other !== relation.name));
    if (name === undefined) return false;
    return rename(moved, [relation, name]);
  },
  kind(world, dice) {
    const schema = dice.pick(world.filter(({ relations }) => relations.length > 0));
    const relation = schema && dice.pick(schema.relations);
    if (relation === undefined || !['1:1', '1:0'].includes(relation.kind)) return false;
    relation.kind = relation.kind === '1:1' ? '1:0' : '1:1';
    delete relation.onRemove;
  },
};
const NAMES = Object.keys(CHANGES);

/** Removes marks of earlier renames at times, as people do; a new rename records the last name. */
function forgetSome(world, dice) {
  for (const schema of world) {
    if (dice.chance(0.3)) delete schema.was;
    for (const field of schema.fields) if (dice.chance(0.3)) delete field.was;
    for (const relation of schema.relations) if (dice.chance(0.3)) delete relation.was;
  }
}

/** The definitions as in files. */
function toDefinitions(world) {
  return world.map(({ name, was, fields, relations }) => ({
    name,
    ...(was === undefined ? {} : { was }),
    fields: fields.map(({ uid: _, ...field }) =>
      field.type === 'select' ? { ...field, options: OPTIONS.map((key) => ({ key, value: key })) } : field,
    ),
    relations: relations.map(({ uid: _, to, ...relation }) => ({
      schema: world.find(({ uid }) => uid === to).name,
      ...relation,
    })),
  }));
}

export function toModel(world) {
  const source = (file, value) => ({ file, text: '', value });
  const none = new Map();
  const schemas = toDefinitions(world).map((raw) => {
    const schema = Schema.parse({ singular: raw.name, plural: `${raw.name}s`, ...raw });
    return [schema.name, source(`config/schema/${schema.name}.json`, schema)];
  });
  const settings = source('config/settings.json', Settings.parse({}));
  const rest = { fieldset: none, rest: none, scope: none, webhook: none, app: none, role: none, broken: new Set() };
  return linkModel({ settings, schema: new Map(schemas), ...rest });
}

/** The place of each thing of a world: its number to table and column. */
export function toPlaces(world, model) {
  const places = new Map();
  for (const { uid, name, fields, relations } of world) {
    const schema = model.schemas.get(name);
    places.set(`table ${uid}`, { table: schema.table });
    places.set(`key ${uid}`, { table: schema.table, column: schema.primary });
    for (const field of fields) {
      const column = `${schema.table}_${field.name}`;
      places.set(`field ${field.uid}`, { table: schema.table, column, type: field.type, field });
    }
    for (const [index, relation] of relations.entries()) {
      const { kind, table, sourceColumn, targetColumn } = schema.relations[index];
      const storage = kind === '1:1' ? '1:0' : kind;
      if (kind === 'N:N') {
        places.set(`join ${relation.uid}`, { table });
        places.set(`source ${relation.uid}`, { table, column: sourceColumn });
        places.set(`target ${relation.uid}`, { table, column: targetColumn });
      } else places.set(`${storage} ${relation.uid}`, { table, column: targetColumn ?? sourceColumn, kind });
    }
  }
  return places;
}

/**
 * True if a swap repeats an earlier one: two marks that are already in the files have no effect. A developer
 * must remove them first, and so does this code.
 */
function isAmbiguous(before, after) {
  const collect = (world) => {
    const said = new Map();
    for (const schema of world) {
      if (schema.was !== undefined) said.set(`${schema.name}<${schema.was}`, schema.uid);
      for (const { name, was, uid } of schema.fields)
        if (was !== undefined) said.set(`${schema.uid}.${name}<${was}`, uid);
      for (const { name, was, uid } of schema.relations)
        if (was !== undefined) said.set(`${schema.uid}:${name}<${was}`, uid);
    }
    return said;
  };
  const known = collect(before);
  return [...collect(after)].some(([text, uid]) => known.has(text) && known.get(text) !== uid);
}

/** The world after one to three changes to a valid model, with a description of the changes. */
export function changeWorld(world, dice) {
  for (;;) {
    const next = clone(world);
    forgetSome(next, dice);
    const done = [];
    const moved = new Set();
    const count = 1 + dice.below(3);
    for (let tries = 0; done.length < count && tries < 20; tries += 1) {
      const name = dice.pick(NAMES);
      if (CHANGES[name](next, dice, moved) !== false) done.push(name);
    }
    if (isAmbiguous(world, next)) continue;
    const { model, problems } = toModel(next);
    if (model !== undefined && !problems.some(({ severity }) => severity !== 'advice'))
      return { world: next, model, done };
  }
}

export const tablesOf = (model, dialect) => createTables(model, [], { dialect });
