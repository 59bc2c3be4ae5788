import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.ts';
import { compileExpression } from '../../../src/database/expression/compile.ts';
import { checkExpression, type ExpressionNames, type RelationName } from '../../../src/model/expression/check.ts';
import { evaluate, type Value, type ValueRow } from '../../../src/model/expression/evaluate.ts';
import { DATE, FLAG, MOMENT, make, NUMBER, TEXT, toExact, WHOLE } from '../../../src/model/expression/make.ts';
import type { Expression, RelatedRowsOf, ValueType } from '../../../src/model/expression/tree.ts';
import type { WayKeys } from '../../../src/model/way-keys.ts';
import type { Random } from './_random-expression.ts';

/** A table with its rows in the form of the evaluator. */
interface WorldTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ValueType>>;
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

const COST = toExact(2);
const RATE = toExact(5);

const THING: Readonly<Record<string, ValueType>> = {
  ...{ thing_stock: WHOLE, thing_views: WHOLE, thing_cost: COST, thing_rate: RATE, thing_weight: NUMBER },
  ...{
    thing_level: NUMBER,
    thing_title: TEXT,
    thing_code: TEXT,
    thing_open: FLAG,
    thing_day: DATE,
    thing_made: MOMENT,
  },
};
const LINE = { line_amount: COST, line_size: WHOLE, line_active: FLAG, thing_id: WHOLE };
const TAG = { tag_points: WHOLE };
const PAIR = { thing_id: WHOLE, tag_id: WHOLE };

const EDGES: Readonly<Record<ValueType['name'], readonly Value[]>> = {
  whole: [
    0n,
    1n,
    -1n,
    3n,
    7n,
    10n,
    999_999_999_999_999n,
    -999_999_999_999_999n,
    1_000_000_000_000_000n,
    9_007_199_254_740_991n,
  ],
  decimal: [0n, 1n, -1n, 5n, -5n, 50n, 150n, -150n, 99_999n, 999_999_999_999_999n, -999_999_999_999_999n],
  number: [
    0,
    0.1,
    0.2,
    -0.5,
    0.5,
    1.5,
    2.5,
    -2.5,
    1.005,
    1e15,
    999_999_999_999_999.9,
    1e16,
    1e22,
    1e131,
    1e133,
    1e300,
    1e-131,
    1e-133,
    5e-324,
    1 / 3,
  ],
  text: ['a', 'B', 'zz', 'ü', '😀', '￿', "it's", '\\', '10', 'a b', '𝒳y'],
  flag: [0n, 1n],
  date: [
    '2024-02-29',
    '1999-12-31',
    '0001-01-01',
    '9999-12-31',
    '2024-13-01',
    'x',
    '2024-02-31',
    '2024-1-1',
    '0000-01-01',
  ],
  moment: ['2024-02-29 12:00:00', '1999-12-31 23:59:59', '2024-01-01 24:00:00', '2024-01-01', '2024-01-01 10:60:00'],
  null: [null],
};

function drawValue({ name }: ValueType, random: Random): Value {
  if (random() % 6 === 0) return null;
  if (random() % 2 === 0) return EDGES[name][random() % EDGES[name].length] as Value;
  const size = random() % 100_000;
  if (name === 'number') return (size - 50_000) / (1 + (random() % 97));
  if (name === 'whole' || name === 'decimal') return BigInt(size - 50_000);
  return EDGES[name][random() % 3] as Value;
}

function drawTable(name: string, columns: WorldTable['columns'], count: number, random: Random): WorldTable {
  const rows = Array.from({ length: count }, (_, at) => ({
    [`${name}_id`]: BigInt(at + 1),
    ...Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, drawValue(type, random)])),
  }));
  return { name, columns, rows };
}

/** The tables of the fuzz: things with lines and tags. */
export function drawTables(random: Random, count: number): readonly WorldTable[] {
  const toThing = (): bigint => BigInt(1 + (random() % count));
  const lines = drawTable('line', LINE, count * 2, random);
  const pairs = new Map<string, Readonly<Record<string, Value>>>();
  for (let at = 0; at < count * 2; at += 1) {
    const pair = { thing_id: toThing(), tag_id: BigInt(1 + (random() % 5)) };
    pairs.set(`${pair.thing_id}/${pair.tag_id}`, pair);
  }
  return [
    drawTable('thing', THING, count, random),
    { ...lines, rows: lines.rows.map((row) => ({ ...row, thing_id: toThing() })) },
    drawTable('tag', TAG, 5, random),
    { name: 'thing_tag', columns: PAIR, rows: [...pairs.values()] },
  ];
}

const TYPES = {
  sqlite: {
    whole: 'integer',
    decimal: 'integer',
    number: 'real',
    flag: 'integer',
    text: 'text',
    date: 'text',
    moment: 'text',
    null: 'text',
  },
  postgres: {
    ...{ whole: 'bigint', decimal: 'numeric', number: 'double precision', flag: 'bigint', null: 'text' },
    ...{ text: 'text collate "C"', date: 'text collate "C"', moment: 'text collate "C"' },
  },
} as const;

const toStored = (value: Value, { scale }: ValueType, isPostgres: boolean): unknown => {
  if (typeof value !== 'bigint') return value;
  if (!isPostgres || scale === 0) return Number(value);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};

/** Creates the tables with their rows. */
export async function writeTables(database: Database, tables: readonly WorldTable[]): Promise<void> {
  const { dialect, kysely } = database;
  for (const { name, columns, rows } of tables) {
    const list = Object.entries({
      ...(rows[0]?.[`${name}_id`] === undefined ? {} : { [`${name}_id`]: WHOLE }),
      ...columns,
    });
    const types = list.map(([column, { name: type, scale }]) => {
      return `"${column}" ${toColumnType(dialect, { name: type, scale })}`;
    });
    await sql.raw(`create table "${name}" (${types.join(', ')})`).execute(kysely);
    for (const row of rows) {
      const values = Object.fromEntries(
        list.map(([column, type]) => [column, toStored(row[column] ?? null, type, dialect === 'postgres')]),
      );
      await kysely.insertInto(name).values(values).execute();
    }
  }
}

const LINE_KEYS: WayKeys = {
  ...{ side: 'thing_id', table: 'line', key: 'thing_id', through: undefined },
  ...{ active: 'line_active', target: 'line', targetKey: 'line_id' },
};
const TAG_KEYS: WayKeys = {
  ...{ side: 'thing_id', table: 'thing_tag', key: 'thing_id', active: undefined, target: 'tag', targetKey: 'tag_id' },
  through: { table: 'tag', column: 'tag_id', primary: 'tag_id' },
};

const toRelation = (name: string, keys: WayKeys, columns: Readonly<Record<string, ValueType>>): RelationName => ({
  rows: { name, keys },
  isMany: true,
  findItem: (field, at) => make(at, 'column', columns[`${name}_${field}`] ?? TEXT, [], { column: `${name}_${field}` }),
});
const RELATIONS = new Map([
  ['line', toRelation('line', LINE_KEYS, LINE)],
  ['tag', toRelation('tag', TAG_KEYS, TAG)],
]);

const NAMES: ExpressionNames = {
  schema: 'thing',
  findField(name, at) {
    const type = THING[`thing_${name}`];
    return type && make(at, 'column', type, [], { column: `thing_${name}` });
  },
  listFields: () => Object.keys(THING),
  findRelation: (name) => RELATIONS.get(name),
  listRelations: () => RELATIONS.keys(),
};

/** Checks an expression over things. */
export const checkOfThing = (text: string): Expression => checkExpression(text, NAMES);

/** What the evaluator computes of each thing. */
export function evaluateThings(expression: Expression, tables: readonly WorldTable[]): Value[] {
  const rowsOf = (name: string): WorldTable['rows'] => tables.find((table) => table.name === name)?.rows ?? [];
  const toRow = (row: Readonly<Record<string, Value>>): ValueRow => ({
    read: (column) => row[column] ?? null,
    related({ name }: RelatedRowsOf) {
      const id = row.thing_id;
      if (name === 'line')
        return rowsOf('line')
          .filter((line) => line.thing_id === id && line.line_active === 1n)
          .map(toRow);
      const tags = new Set(
        rowsOf('thing_tag')
          .filter((pair) => pair.thing_id === id)
          .map((pair) => pair.tag_id),
      );
      return rowsOf('tag')
        .filter((tag) => tags.has(tag.tag_id ?? null))
        .map(toRow);
    },
  });
  return rowsOf('thing').map((row) => evaluate(expression, toRow(row)));
}

/** A value of a statement in the form of the evaluator. */
function readValue(value: unknown, { name, scale }: ValueType): Value {
  if (value === null) return null;
  if (name === 'number') return value as number;
  if (name === 'text' || name === 'date' || name === 'moment') return String(value);
  const text = String(value);
  if (name !== 'decimal' || typeof value === 'number') return BigInt(text);
  if (text.split('.')[1]?.length !== scale) throw new Error(`${text} has not ${scale} digits after the point`);
  return BigInt(text.replace('.', ''));
}

const toColumnType = (dialect: Database['dialect'], { name, scale }: ValueType): string =>
  name === 'decimal' && dialect === 'postgres' ? `numeric(15,${scale})` : TYPES[dialect][name];

/** What generated columns of these expressions have in each thing. They stay in the table. */
export async function generateThings(
  database: Database,
  expressions: readonly Expression[],
  start: string,
): Promise<Value[][]> {
  const { dialect, kysely } = database;
  for (const [at, expression] of expressions.entries()) {
    const value = compileExpression(expression, { dialect, alias: undefined });
    const how = dialect === 'sqlite' ? 'virtual' : 'stored';
    const column = `"${start}${at}" ${toColumnType(dialect, expression.type)} generated always as (${value}) ${how}`;
    await sql.raw(`alter table "thing" add column ${column}`).execute(kysely);
  }
  const list = expressions.map(({ type }, at) => {
    const isText = dialect === 'postgres' && type.name === 'decimal';
    return isText ? `cast("${start}${at}" as text) as "${start}${at}"` : `"${start}${at}"`;
  });
  const { rows } = await sql
    .raw<Record<string, unknown>>(`select ${list.join(', ')} from "thing" order by "thing_id"`)
    .execute(kysely);
  return expressions.map(({ type }, at) => rows.map((row) => readValue(row[`${start}${at}`], type)));
}

/** What a database computes of each thing, for several expressions in one statement. */
export async function computeThings(database: Database, expressions: readonly Expression[]): Promise<Value[][]> {
  const { dialect } = database;
  const list = expressions.map((expression, at) => {
    const value = compileExpression(expression, { dialect, alias: 't' });
    const isText = dialect === 'postgres' && expression.type.name === 'decimal';
    return `${isText ? `cast(${value} as text)` : value} as v${at}`;
  });
  const { rows } = await sql
    .raw<Record<string, unknown>>(`select ${list.join(', ')} from "thing" as "t" order by "t"."thing_id"`)
    .execute(database.kysely);
  return expressions.map(({ type }, at) => rows.map((row) => readValue(row[`v${at}`], type)));
}
