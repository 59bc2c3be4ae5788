import { sql } from 'kysely';
import type { RowPredicate } from '../../core/access.ts';
import type { Database, Dialect } from '../../database/database.ts';
import { compileExpression } from '../../database/expression/compile.ts';
import type { Row } from '../../database/row-statement.ts';
import { toStoredDecimal } from '../../database/stored-decimal.ts';
import { toExactItem } from '../../model/filter/exact-item.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { Slot } from './parse/operator.ts';
import { buildMask, buildRowTest, parsePredicate } from './parse/predicate.ts';
import { getSearcher } from './searcher.ts';
import type { Source, SourceColumn } from './source/source.ts';
import { type Fragment, fromExactItem } from './sql/exact-double.ts';
import { bind, compileStatement, Values } from './values.ts';

/** Rows that are sent to the database in one statement. */
const MOST_ROWS = 500;

/** What a predicate says of a row. */
export interface Verdict {
  /** The masked columns that this row does not show. */
  readonly masked: ReadonlySet<string>;
}

/** Name of the column with a row's place among the given rows. */
const PLACE = 'treadle_place';

const isDouble = (column: SourceColumn | undefined): boolean => column?.type === 'number' && column.isWhole !== true;

/** The rows with each double as SQLite reads it exactly, and each decimal as SQLite stores it. */
function toExactRows({ columns, scales }: Source, rows: readonly Row[]): readonly Row[] {
  const names = [...columns.values()].filter(isDouble).map(({ name }) => name);
  if (names.length === 0 && scales.size === 0) return rows;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries([
      ...names.flatMap((name) => (typeof row[name] === 'number' ? [[name, toExactItem(row[name])]] : [])),
      ...[...scales].map(([name, scale]) => [name, toStoredDecimal(row[name], scale, 'sqlite')]),
    ]),
  }));
}

/** The values of rows as a table `t` that has the types of the schema's own table. What that stores computed is computed of them. */
function fromValues(source: Source, dialect: Dialect): Fragment {
  const { schema } = source;
  const stored = schema.columns.flatMap(({ name, computed }) =>
    computed?.isStored === true ? [{ name, computed }] : [],
  );
  const given = fromGiven(source, dialect);
  if (stored.length === 0) return sql`${given} as t`;
  const made = stored.map(({ name, computed: { expression } }) => {
    return sql`${sql.raw(compileExpression(expression, { dialect, alias: 'v' }))} as ${sql.ref(name)}`;
  });
  const own = [PLACE, ...listWritten(schema)].map((name) => sql.ref(`v.${name}`));
  return sql`(select ${sql.join([...own, ...made])} from ${given} as v) as t`;
}

/** The columns of a row that no database computes. */
const listWritten = ({ primary, row, byName }: SchemaModel): readonly string[] => [
  primary,
  ...row.stored.filter((name) => name !== primary && byName.get(name)?.computed === undefined),
];

/** The rows with what is written into them. */
function fromGiven({ schema, columns }: Source, dialect: Dialect): Fragment {
  const values = new Slot(0);
  if (dialect === 'postgres') {
    const table = sql.table(schema.table);
    return sql`(select row_number() over () - 1 as ${sql.ref(PLACE)}, item.* from jsonb_populate_recordset(null::${table}, (${values})::text::jsonb) as item)`;
  }
  const list = listWritten(schema).map((name) => {
    const path = sql.lit(`$.${JSON.stringify(name)}`);
    const column = columns.get(name);
    const value =
      column?.type === 'json'
        ? sql`nullif(value->${path}, 'null')`
        : isDouble(column)
          ? fromExactItem(sql`(value->>${path})`, sql`json_type(value, ${path})`)
          : sql`value->>${path}`;
    return sql`${value} as ${sql.ref(name)}`;
  });
  return sql`(select key as ${sql.ref(PLACE)}, ${sql.join(list)} from json_each(${values}))`;
}

/** Judges at most {@link MOST_ROWS} rows. */
async function judgePart(
  { model, database }: JudgeWorld,
  schema: string,
  rows: readonly Row[],
  predicate: RowPredicate,
): Promise<(Verdict | undefined)[]> {
  const source = getSearcher(model).source(schema);
  const { dialect } = database;
  const values = new Values();
  values.add('rows', JSON.stringify(dialect === 'sqlite' ? toExactRows(source, rows) : rows));
  const test = parsePredicate(predicate, { source, dialect, values });
  const verdicts: (Verdict | undefined)[] = rows.map(() => undefined);
  if (test?.isVoid === true) return verdicts;
  const masked = [...(test?.masks.keys() ?? [])];
  const shown = masked.map((name, index) => {
    const mask = buildMask(test, name, dialect) ?? sql`1 = 1`;
    return sql`case when ${mask} then 1 else 0 end as ${sql.ref(`treadle_shows_${index}`)}`;
  });
  const list = sql.join([sql.ref(`t.${PLACE}`), ...shown]);
  const where = test === undefined ? sql`1 = 1` : buildRowTest(test, dialect);
  const from = fromValues(source, dialect);
  const statement = compileStatement(
    { fragment: sql`select ${list} from ${from} where ${where}` },
    database,
    values.length,
  );
  for (const found of await database.run(statement.query, bind(statement, values.list)))
    verdicts[Number(found[PLACE])] = {
      masked: new Set(masked.filter((_, index) => Number(found[`treadle_shows_${index}`]) !== 1)),
    };
  return verdicts;
}

/** Where rows are judged. */
export interface JudgeWorld {
  readonly model: Model;
  readonly database: Database;
}

/**
 * Judges rows by their own values, stored now or not, as the database compares them. What a predicate asks of related rows is
 * answered by the rows that are related now.
 *
 * @param rows Rows with every stored column of the schema; JSON as values. A column that is missing is null.
 * @returns For each row what it shows; undefined for a row that the predicate does not reach.
 */
export async function judgeRows(
  world: JudgeWorld,
  schema: string,
  rows: readonly Row[],
  predicate: RowPredicate,
): Promise<readonly (Verdict | undefined)[]> {
  const verdicts: (Verdict | undefined)[] = [];
  for (let start = 0; start < rows.length; start += MOST_ROWS)
    verdicts.push(...(await judgePart(world, schema, rows.slice(start, start + MOST_ROWS), predicate)));
  return verdicts;
}
