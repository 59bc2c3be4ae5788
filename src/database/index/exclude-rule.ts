import { createHash } from 'node:crypto';
import { columnType } from '../../model/field/field-kind.ts';
import type { ExcludeModel, SchemaModel } from '../../model/model.ts';
import type { Dialect } from '../database.ts';
import { fitName } from './fit-name.ts';
import type { RuleIndex, TableExclusion, TableIndex } from './index-shape.ts';
import { quote, toLiteral } from './literal.ts';

const END = 'exclude';
/** Changes with the SQL of a rule, so that a migration makes it again. */
const VERSION = 1;

/** The name of the rule that a period does not end before it starts, which belongs to each rule of `exclude`. */
const toOrderName = (name: string): string => name.replace(/exclude$/, 'order');

/** SQLite's triggers say by these words which rule a row breaks. */
const [OVERLAPS, ENDS_EARLY] = ['treadle overlap', 'treadle order'];
const TRIGGER = 'treadle_exclude_';

/** A rule of `exclude` that a write broke. */
export interface BrokenPeriod {
  readonly kind: 'exclude' | 'check';
  /** Name of the rule. */
  readonly rule: string;
}

/** The rule that an error of SQLite names; undefined if it is about something else. */
export function readBrokenPeriod(message: string): BrokenPeriod | undefined {
  const [, words, rule] = /treadle (overlap|order) (\S+)$/.exec(message) ?? [];
  return rule === undefined ? undefined : { kind: words === 'overlap' ? 'exclude' : 'check', rule };
}

/** The rule of a constraint of PostgreSQL; undefined if it belongs to none. */
export const toRuleName = (constraint: string | undefined): string | undefined =>
  constraint !== undefined && /_(?:exclude|order)$/.test(constraint) ? constraint.replace(/order$/, END) : undefined;

/** A number as PostgreSQL's ranges can compare it, as exactly as the column: a cast from a double keeps 15 digits only. */
const toNumber = (column: string, type: string): string =>
  type === 'double precision' ? `${column}::text::numeric` : column;
const toRangeType = (type: string): string => (type === 'bigint' || type.startsWith('text') ? 'int8range' : 'numrange');

/**
 * One value as ranges that overlap if it is the same. Equality has no place in a GiST index without an extension. A text
 * is two hashes of 64 bits: no built-in range holds texts, and a type of our own would have to move with its tables.
 */
function listPoints(name: string, type: string): string[] {
  const column = quote(name);
  if (!type.startsWith('text')) {
    const value = toNumber(column, type);
    return [`${toRangeType(type)}(${value}, ${value}, '[]')`];
  }
  return [0, 1].map((seed) => {
    const hash = `hashtextextended(${column}, ${seed})::numeric`;
    return `numrange(${hash}, ${hash}, '[]')`;
  });
}

/** The period as a range. The digits of a stored time are a number that sorts as the time does. */
function toPeriod(from: string, until: string, type: string): string {
  const toEnd = (name: string): string => {
    const column = quote(name);
    return type.startsWith('text') ? `translate(${column}, '-: W', '')::bigint` : toNumber(column, type);
  };
  return `${toRangeType(type)}(${toEnd(from)}, ${toEnd(until)})`;
}

/** Each column's type on PostgreSQL; a key has none of a field. */
const findType = (schema: SchemaModel, name: string): string => {
  const field = schema.columns.find((column) => column.name === name)?.field;
  return (field && columnType(field, 'postgres')) ?? 'bigint';
};

/** The index of a rule, which carries its name. */
export function createExclusion(schema: SchemaModel, rule: ExcludeModel, dialect: Dialect): TableIndex {
  const { active, primary } = schema;
  const { columns: by, range } = rule;
  const [from, until] = range;
  const name = toExclusionName(schema, rule);
  const ranges = [
    ...by.flatMap((column) => listPoints(column, findType(schema, column))),
    toPeriod(from, until, findType(schema, from)),
  ];
  return {
    name,
    columns: [...by, from, until],
    isUnique: false,
    excludes: { by, from, until, key: primary, ...(dialect === 'postgres' ? { ranges } : {}) },
    ...(active === undefined ? {} : { only: active, tested: [active] }),
  };
}

/** The name of a rule in the database. It carries a digest of all that the rule is made of. */
export function toExclusionName(schema: SchemaModel, { columns, range }: ExcludeModel): string {
  const { table, active, primary } = schema;
  const types = [...columns, ...range].map((name) => findType(schema, name));
  const kinds = range.map((name) => schema.columns.find((column) => column.name === name)?.field.type);
  const digest = createHash('sha256')
    .update(JSON.stringify([VERSION, columns, range, types, kinds, active, primary]))
    .digest('hex')
    .slice(0, 8);
  const words = [...columns, ...range].map((name) => name.replace(`${table}_`, ''));
  return fitName(`${table}_${words.join('_')}_${digest}`, END);
}

/**
 * Whether a row has a period at all: one that ends where it starts is empty, and overlaps nothing. SQLite compares this text with the
 * condition of the index, so it must be one that it does not shorten for columns that are never null.
 */
const isPeriod = (row: string, from: string, until: string): string => `coalesce(${row}${from} < ${row}${until}, 1)`;

/** Whether the periods of the rows `o` and `n` overlap. */
export function overlapSql({ from, until }: TableExclusion): string {
  const [start, end] = [quote(from), quote(until)];
  return [
    ...['o', 'n'].map((row) => `(${row}.${start} is null or ${row}.${end} is null or ${row}.${start} < ${row}.${end})`),
    `(o.${start} is null or n.${end} is null or o.${start} < n.${end})`,
    `(n.${start} is null or o.${end} is null or n.${start} < o.${end})`,
  ].join(' and ');
}

/**
 * Whether another row is in the way of `new`. Rows that are there do not overlap among themselves, so of those that start before
 * the new one ends, the last ends last: one look at the index decides, and one more at the row without a start.
 */
function blockedSql(table: string, { name, excludes, only }: RuleIndex): string {
  const [start, end, key] = [quote(excludes.from), quote(excludes.until), quote(excludes.key)];
  const same = excludes.by.map((column) => `o.${quote(column)} = new.${quote(column)}`);
  const live = only === undefined ? [] : [`o.${quote(only)} = 1`];
  const base = [...same, ...live, isPeriod('o.', start, end), `o.${key} <> new.${key}`].join(' and ');
  const from = `from ${quote(table)} as o indexed by ${quote(name)}`;
  const isLater = (column: string): string => `(${column} is null or new.${start} is null or ${column} > new.${start})`;
  // A blob comes after all numbers and texts.
  const before = `select o.${end} as e ${from} where ${base} and o.${start} < coalesce(new.${end}, x'') order by o.${start} desc limit 1`;
  const open = `exists (select 1 ${from} where ${base} and o.${start} is null and ${isLater(`o.${end}`)})`;
  const last = `exists (select 1 from (${before}) where ${isLater('e')})`;
  return `${isPeriod('new.', start, end)} and (${open} or ${last})`;
}

function listTriggers(table: string, index: RuleIndex): string[] {
  const { name, only, excludes } = index;
  const [start, end] = [quote(excludes.from), quote(excludes.until)];
  const when = only === undefined ? '' : ` when new.${quote(only)} = 1`;
  const early = `when new.${start} > new.${end} then raise(abort, ${toLiteral(`${ENDS_EARLY} ${name}`)})`;
  const taken = `when ${blockedSql(table, index)} then raise(abort, ${toLiteral(`${OVERLAPS} ${name}`)})`;
  const columns = [...index.columns, ...(only === undefined ? [] : [only])].map(quote).join(', ');
  return [
    ['insert', 'insert'],
    ['update', `update of ${columns}`],
  ].map(
    ([own, event]) =>
      `create trigger ${quote(`${TRIGGER}${name}_${own}`)} after ${event} on ${quote(table)}${when} begin select case ${early} ${taken} end; end`,
  );
}

/** PostgreSQL: the function and the trigger that let rows of one timeline wait for each other. */
const toLockName = (name: string): string =>
  `${TRIGGER}${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;

/** Locks that a transaction takes at most for a rule: an import of many timelines must not fill the server's table of locks. */
const LOCKS = 256;

/**
 * Two transactions that insert rows in each other's way wait for each other, and PostgreSQL ends one after its `deadlock_timeout`. A
 * thousand that want one period took a second each. So a row first waits for all others of its timeline that are not committed.
 */
function createLockSql(table: string, { name, columns, only, excludes }: RuleIndex): string[] {
  const own = quote(toLockName(name));
  const values = [toLiteral(name), ...excludes.by.map((column) => `new.${quote(column)}::text`)].join(", ' ', ");
  const bucket = `(hashtextextended(concat(${values}), 0) & ${LOCKS - 1})::int`;
  const list = [...columns, ...(only === undefined ? [] : [only])].map(quote).join(', ');
  const tests = [
    ...(only === undefined ? [] : [`new.${quote(only)} = 1`]),
    ...excludes.by.map((column) => `new.${quote(column)} is not null`),
  ];
  const when = tests.length === 0 ? '' : `when (${tests.join(' and ')}) `;
  return [
    `create or replace function ${own}() returns trigger language plpgsql as ${toLiteral(`begin perform pg_advisory_xact_lock(tg_relid::int, ${bucket}); return new; end`)}`,
    `drop trigger if exists ${own} on ${quote(table)}`,
    `create trigger ${own} before insert or update of ${list} on ${quote(table)} for each row ${when}execute function ${own}()`,
  ];
}

/** The statements that make a rule. They read no rows on SQLite: whoever runs them has looked for rows that overlap. */
export function createExclusionSql(table: string, index: RuleIndex): string[] {
  const { name, only, excludes, columns } = index;
  const { ranges } = excludes;
  const [start, end] = [quote(excludes.from), quote(excludes.until)];
  const live = only === undefined ? [] : [`${quote(only)} = 1`];
  if (ranges === undefined) {
    const where = [...live, isPeriod('', start, end)].join(' and ');
    const list = columns.map(quote).join(', ');
    return [`create index ${quote(name)} on ${quote(table)} (${list}) where ${where}`, ...listTriggers(table, index)];
  }
  const present = excludes.by.map((column) => `${quote(column)} is not null`);
  const where = [...live, ...present].join(' and ');
  const elements = ranges.map((range) => `${range.startsWith('(') ? range : `(${range})`} with &&`).join(', ');
  const order = [...(only === undefined ? [] : [`${quote(only)} <> 1`]), `${start} <= ${end}`].join(' or ');
  const add = `alter table ${quote(table)} add constraint`;
  return [
    // What is left of a rule whose other part somebody dropped.
    `alter table ${quote(table)} drop constraint if exists ${quote(toOrderName(name))}`,
    `${add} ${quote(toOrderName(name))} check (${order})`,
    `${add} ${quote(name)} exclude using gist (${elements})${where === '' ? '' : ` where (${where})`}`,
    ...createLockSql(table, index),
  ];
}

/** The statements that take a rule away. */
export function dropExclusionSql(
  table: string,
  { name, isExclusion }: { readonly name: string; readonly isExclusion?: 'trigger' | 'constraint' },
): string[] {
  if (isExclusion === 'constraint') {
    const drop = `alter table ${quote(table)} drop constraint`;
    const lock = quote(toLockName(name));
    return [
      `${drop} ${quote(name)}`,
      `${drop} if exists ${quote(toOrderName(name))}`,
      `drop trigger if exists ${lock} on ${quote(table)}`,
      `drop function if exists ${lock}()`,
    ];
  }
  return [
    ...['insert', 'update'].map((own) => `drop trigger if exists ${quote(`${TRIGGER}${name}_${own}`)}`),
    `drop index ${quote(name)}`,
  ];
}

/** Whether a name is one that {@link createExclusion} gives. */
export const isExclusionName = (name: string): boolean => name.endsWith(`_${END}`);

/** The rule that a trigger of SQLite belongs to; undefined if it belongs to none. */
export const findTriggerRule = (trigger: string): string | undefined =>
  /^create trigger "treadle_exclude_([^"]+)_(?:insert|update)"/i.exec(trigger)?.[1];
