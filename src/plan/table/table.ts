import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod';
import { noteOthers } from '../../core/text/rule-note.ts';
import type { Reader } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import { isBlank } from '../../model/json/json-value.ts';
import { defineEvent, Rejection, reject } from '../event/event.ts';
import type { EventKind } from '../event/facts.ts';
import type { Context, EventRecord } from '../feature.ts';
import type { FilterOperator, OwnTable, TableFilter } from './own-table.ts';

const OPERATORS: Readonly<Record<FilterOperator, string>> = { eq: '=', in: 'in', lt: '<', gt: '>', gte: '>=' };

/** A condition of a statement. */
export type Test = RawBuilder<unknown>;

/** What is said of a table; its search is named after it. */
type TableFacts = Omit<OwnTable, 'search'>;

/** What {@link readPage} and the search of a table read. */
interface PageQuery {
  readonly tests: readonly Test[];
  /** Rows at most. */
  readonly limit: number;
}

/** Rows of a page, and the id of the last one if there are more. */
export interface TablePage {
  readonly rows: readonly Row[];
  readonly next: number | null;
}

/** A page of what was read, which is one more if there is a next page. */
export function cutPage(found: readonly Row[], limit: number, key: string): TablePage {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? Number(rows.at(-1)?.[key]) : null };
}

/** A search of one of Treadle's own tables. `Shape`: the keys of its stage. */
interface TableSearch<Shape extends z.ZodRawShape> {
  readonly description: string;
  readonly kind: EventKind;
  /** Made at first use. */
  stage(): Shape;
  /** True if null selects as a missing key does. Default: it is refused, so that code never selects everything by a value that it lacks. */
  readonly takesNull?: true;
  /** Rows of a page, if its stage has no `limit`. */
  readonly rows?: number;
  /** A sentence about the results. */
  readonly results: string;
  /** Conditions besides those of the filters. */
  tests?(stage: z.output<z.ZodObject<Shape>>, context: Context): Promise<readonly Test[]>;
  /** Reads a page, if one statement does not. Default: {@link readRows} with the conditions. */
  read?(stage: z.output<z.ZodObject<Shape>>, limit: number, context: Context): Promise<TablePage | Rejection>;
  /** Adds to the rows what other tables have. */
  also?(rows: readonly Row[], context: Context, stage: z.output<z.ZodObject<Shape>>): Promise<readonly Row[]>;
  /** Results besides the rows. */
  more?(context: Context, stage: z.output<z.ZodObject<Shape>>): Promise<Row>;
}

interface TableDetail {
  readonly description: string;
  readonly kind: EventKind;
  /** Made at first use. */
  stage(): z.ZodRawShape;
  readonly results: string;
  /** What is answered if there is no row of that id. */
  missing(id: unknown): string;
}

/** What is no id finds nothing. */
const toTest = ({ columns }: TableFacts, { column, operator }: TableFilter, value: unknown): Test => {
  const source = columns[column]?.source ?? column;
  const isId = columns[column]?.kind === 'number' || operator === 'lt' || operator === 'gt';
  if (operator === 'in') {
    const values: readonly unknown[] = [value].flat();
    return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(source)} in (${sql.join(values)})`;
  }
  if (isId && typeof value !== 'number') return sql`1 = 0`;
  return sql`${sql.ref(source)} ${sql.raw(OPERATORS[operator])} ${value}`;
};

/** The conditions of a stage: keys without a filter, or without a value, have none. */
export const toTests = (table: TableFacts, stage: Row): Test[] =>
  Object.entries(table.filters).flatMap(([key, filter]) =>
    isBlank(stage[key]) ? [] : [toTest(table, filter, stage[key])],
  );

/** `where …`, or an empty fragment. */
export const toWhere = (tests: readonly Test[]): RawBuilder<unknown> =>
  tests.length === 0 ? sql`` : sql`where ${sql.join(tests, sql` and `)}`;

/** A row of the database as answers have it. */
const toAnswer = ({ columns }: TableFacts, row: Row): Row =>
  Object.fromEntries(Object.entries(columns).map(([key, { read }]) => [key, read(row[key])]));

/** Reads rows, the highest id first. */
async function readRows(table: TableFacts, { kysely }: Reader, { tests, limit }: PageQuery): Promise<Row[]> {
  const { columns, key, source, from = sql.table(source) } = table;
  const names = Object.entries(columns).map(([name, column]) => sql`${sql.ref(column.source)} as ${sql.id(name)}`);
  const { rows } = await sql<Row>`select ${sql.join(names)} from ${from} ${toWhere(tests)}
    order by ${sql.ref(columns[key]?.source ?? key)} desc limit ${limit}`.execute(kysely);
  return rows.map((row) => toAnswer(table, row));
}

/** Rows of a page without a `limit`. */
const PRESET = 50;

const toRowShape = ({ columns }: TableFacts) =>
  z.looseObject(Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, column.shape()])));

function defineSearch<Shape extends z.ZodRawShape>(table: TableFacts, search: TableSearch<Shape>): EventRecord {
  const { description, kind, results, tests, read, also, more, rows: preset = PRESET } = search;
  const readFound: NonNullable<typeof read> = async (stage, limit, context) => {
    const all = [...toTests(table, { ...stage }), ...((await tests?.(stage, context)) ?? [])];
    return cutPage(
      await readRows(table, context.services.database, { tests: all, limit: limit + 1 }),
      limit,
      table.key,
    );
  };
  return defineEvent({
    name: `${table.name}-search`,
    description,
    kind,
    stage: () => z.object(search.stage()),
    results: () =>
      z.looseObject({ rows: z.array(toRowShape(table)).readonly(), next: z.number().nullable() }).describe(results),
    async run(stage, context, { request }) {
      const empty = search.takesNull
        ? undefined
        : Object.keys(table.filters).find((key) => request.getStage(key) === null);
      if (empty !== undefined) {
        const message = `${empty} cannot be null: leave it out, or name a value.`;
        noteOthers({ message });
        return reject({ status: 422, code: 'VALIDATION_FAILED', message, validation: { [empty]: message } });
      }
      const values: Row = { ...stage };
      const limit = typeof values.limit === 'number' ? values.limit : preset;
      const page = await (read ?? readFound)(stage, limit, context);
      if (page instanceof Rejection) return page;
      const rows = also ? await also(page.rows, context, stage) : page.rows;
      return { rows, next: page.next, ...(await more?.(context, stage)) };
    },
  });
}

function defineDetail(table: TableFacts, { missing, stage, results, ...facts }: TableDetail): EventRecord {
  return defineEvent({
    ...facts,
    name: `${table.name}-detail`,
    stage: () => z.object(stage()),
    results: () => toRowShape(table).describe(results),
    async run(values, { services }) {
      const id = values[table.key];
      const test = toTest(table, { column: table.key, operator: 'eq' }, id);
      const [row] = await readRows(table, services.database, { tests: [test], limit: 1 });
      return row ?? reject({ status: 404, code: 'ENTRY_MISSING', message: missing(id) });
    },
  });
}

/** Describes one of Treadle's own tables, and makes its events. */
export function table<Shape extends z.ZodRawShape>(
  facts: TableFacts,
  events: { readonly search: TableSearch<Shape>; readonly detail?: TableDetail },
): OwnTable & { readonly events: readonly EventRecord[] } {
  const search = defineSearch(facts, events.search);
  const detail = events.detail ? [defineDetail(facts, events.detail)] : [];
  return { ...facts, search: search.name, events: [search, ...detail] };
}
