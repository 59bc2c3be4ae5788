import { sql } from 'kysely';
import { type Access, type Grant, isFilled, type RowFilter, type RowPredicate } from '../../../core/access.ts';
import { TreadleError } from '../../../core/errors.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Dialect } from '../../../database/database.ts';
import type { Source, SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import type { Values } from '../values.ts';
import { buildTest } from './condition.ts';
import { Draft, type ErrorsByParameter } from './draft.ts';
import { parseFilters } from './filter.ts';
import type { Condition } from './json-path.ts';

/** A test with slots as parameters, and the values for the slots. */
export interface CompiledFilter {
  /** Identifies the test among others of its schema: the shape of its values. */
  readonly key: string;
  readonly test: Fragment;
  readonly values: readonly unknown[];
  /** The owner's column if the test only compares it with the first value. */
  readonly owner?: string | undefined;
}

/** A parsed predicate. Its values are part of the statement's values. */
export interface RowTest {
  readonly table: string;
  readonly primary: string;
  /** Conditions that all must hold. */
  readonly all: readonly Condition[];
  /** Alternatives: all conditions of at least one list must hold. Undefined if there are no alternatives. */
  readonly anyOf: readonly (readonly Condition[])[] | undefined;
  /** True if no row matches. */
  readonly isVoid: boolean;
  /** Columns that a row shows only if it matches one of these lists of conditions. */
  readonly masks: ReadonlyMap<string, readonly (readonly Condition[])[]>;
}

/** What is needed to parse a predicate. */
export interface PredicateInput {
  readonly source: Source;
  readonly dialect: Dialect;
  /** The statement's values; the predicate's are appended, with marks that distinguish it from others. */
  readonly values: Values;
}

const NO_MASKS: RowTest['masks'] = new Map();

function createVoidTest({ source: { schema }, values }: PredicateInput): RowTest {
  values.mark(`${schema.name}!`);
  const { table, primary } = schema;
  return { table, primary, all: [], anyOf: undefined, isVoid: true, masks: NO_MASKS };
}

/** Undefined if the caller's values do not fit their columns: then no row matches, whatever the operator. */
function parseAlternative(filter: RowFilter, input: PredicateInput): Draft | undefined {
  const { source, dialect, values } = input;
  const errors: ErrorsByParameter = {};
  const before = values.place;
  const draft = new Draft(source, errors, { dialect, isRule: true }, values);
  parseFilters({ filter }, draft);
  const [error] = Object.values(errors);
  if (error === undefined) return draft;
  if (isFilled(filter)) {
    // Those of the conditions before the error.
    values.returnTo(before);
    return undefined;
  }
  throw new TreadleError('ACCESS_RULE_INVALID', `A rule for "${source.schema.name}" is not a valid filter: ${error}`);
}

/** A filter of a predicate, and its number among those that some row can match. */
interface Alternative {
  readonly conditions: readonly Condition[];
  readonly id: number;
}

/** Parses each filter once, even if several parts of a predicate share it. Gives none for one that matches no row. */
function createFilterParser(input: PredicateInput): (filter: RowFilter) => readonly Alternative[] {
  const known = new Map<RowFilter, readonly Alternative[]>();
  let next = 0;
  return (filter) => {
    const made = known.get(filter);
    if (made) return made;
    const draft = parseAlternative(filter, input);
    const found = draft === undefined ? [] : [{ conditions: draft.conditions, id: next }];
    next += found.length;
    known.set(filter, found);
    return found;
  };
}

/** Several alternatives in the shape of the values. They may be parsed already, for another part. */
const printIds = (found: readonly Alternative[]): string => found.map(({ id }) => id).join();

const findOwnerTests = memoize((_source: Source) => new Map<number, RowTest>());

/** The test of the owner alone, as most calls of users have it: it only depends on where its value is. */
function createOwnerTest(column: SourceColumn, slot: number, source: Source): RowTest {
  const tests = findOwnerTests(source);
  const known = tests.get(slot);
  if (known) return known;
  const { table, primary } = source.schema;
  const all: Condition[] = [{ column, operator: 'eq', slot }];
  const made: RowTest = { table, primary, all, anyOf: undefined, isVoid: false, masks: NO_MASKS };
  tests.set(slot, made);
  return made;
}

/** Parses a predicate; undefined if it holds for every row. @throws ACCESS_RULE_INVALID */
export function parsePredicate(rows: RowPredicate | undefined, input: PredicateInput): RowTest | undefined {
  const { owner, anyOf: filters, masks: masked } = rows ?? {};
  const hasMasks = masked !== undefined && masked.size > 0;
  if (owner === undefined && filters === undefined && !hasMasks) return undefined;
  const { source, dialect, values } = input;
  const isOwnerless = owner !== undefined && !source.owner;
  if (isOwnerless || filters?.length === 0) return createVoidTest(input);
  values.mark(`${source.schema.name}(`);
  if (filters === undefined && !hasMasks && source.owner) {
    return createOwnerTest(source.owner, values.add('owner', owner), source);
  }
  const draft = new Draft(source, {}, { dialect, isRule: true }, values);
  if (owner !== undefined && source.owner) draft.add({ column: source.owner, operator: 'eq' }, owner);
  const parse = createFilterParser(input);
  const found = filters?.flatMap(parse);
  if (found?.length === 0) return createVoidTest(input);
  // An alternative without conditions matches every row.
  const hasConditions = found?.every(({ conditions }) => conditions.length > 0) === true;
  values.mark(hasConditions ? printIds(found) : '*');
  const masks = new Map<string, readonly (readonly Condition[])[]>();
  for (const [name, list] of masked ?? []) {
    const parts = list.map((all) => all.map(parse)).filter((all) => all.every((one) => one.length > 0));
    masks.set(
      name,
      parts.map((all) => all.flat().flatMap(({ conditions }) => conditions)),
    );
    values.mark(`${name}:${parts.map((all) => printIds(all.flat())).join('/')}`);
  }
  values.mark(')');
  return {
    table: source.schema.table,
    primary: source.schema.primary,
    all: draft.conditions,
    anyOf: hasConditions ? found.map(({ conditions }) => conditions) : undefined,
    isVoid: false,
    masks,
  };
}

const every = (conditions: readonly Condition[], dialect: Dialect): Fragment =>
  conditions.length === 0
    ? sql`1 = 1`
    : sql.join(
        conditions.map((condition) => buildTest(condition, dialect)),
        sql` and `,
      );

const oneOf = (lists: readonly (readonly Condition[])[], dialect: Dialect): Fragment =>
  sql`(${sql.join(
    lists.map((conditions) => every(conditions, dialect)),
    sql` or `,
  )})`;

/** The predicate as SQL on a table with the alias `t`. */
export function buildRowTest({ all, anyOf, isVoid }: RowTest, dialect: Dialect): Fragment {
  if (isVoid) return sql`1 = 0`;
  const parts = all.length === 0 ? [] : [every(all, dialect)];
  if (anyOf !== undefined) parts.push(oneOf(anyOf, dialect));
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}

/** The column of the table that holds the owner, if a predicate tests nothing else. */
export function findOwnerOnly({ all: [condition, ...more], anyOf, isVoid, masks }: RowTest): string | undefined {
  if (isVoid || anyOf !== undefined || masks.size > 0 || more.length > 0) return undefined;
  // The owner's value must be bound.
  if (condition?.operator !== 'eq' || condition.fixed !== undefined) return undefined;
  const { column, within } = condition;
  return column?.alias === 't' && within === undefined ? column.column : undefined;
}

/** A predicate as a test for a write; its SQL is only made where a statement is compiled. */
export const compileFilter = (test: RowTest, dialect: Dialect, values: Values): CompiledFilter => ({
  key: values.shape,
  get test() {
    return buildRowTest(test, dialect);
  },
  values: values.list,
  owner: findOwnerOnly(test),
});

/** Tests whether the row with a key matches the predicate. */
function isReached(key: Fragment, test: RowTest, dialect: Dialect): Fragment {
  if (test.isVoid) return sql`1 = 0`;
  const rows = sql`select ${sql.ref(`t.${test.primary}`)} from ${sql.table(test.table)} as t`;
  return sql`${key} in (${rows} where ${buildRowTest(test, dialect)})`;
}

/** True if the predicate only masks columns and matches every row. */
const isOpen = ({ all, anyOf, isVoid }: RowTest): boolean => !isVoid && all.length === 0 && anyOf === undefined;

/** As {@link isReached}; undefined if every row matches. */
export const findReached = (key: Fragment, test: RowTest | undefined, dialect: Dialect): Fragment | undefined =>
  test === undefined || isOpen(test) ? undefined : isReached(key, test, dialect);

/**
 * Tests whether a row shows a column; undefined if every row does.
 *
 * @param key The row's primary key, for a table with another alias than `t`.
 */
export function buildMask(
  test: RowTest | undefined,
  column: string,
  dialect: Dialect,
  key?: Fragment,
): Fragment | undefined {
  const lists = test?.masks.get(column);
  if (test === undefined || lists === undefined) return undefined;
  const shown = lists.length === 0 ? sql`1 = 0` : oneOf(lists, dialect);
  if (key === undefined) return shown;
  return sql`${key} in (select ${sql.ref(`t.${test.primary}`)} from ${sql.table(test.table)} as t where ${shown})`;
}

/** The predicates that limit related rows, by schema. Empty without rules. */
export type RowVisibility = ReadonlyMap<string, RowTest>;

export const WHOLE_SIGHT: RowVisibility = new Map();

/** Which related rows and columns the caller may see. */
export type SeeRelated = NonNullable<Access['related']>;

/** Parses the predicates of related schemas. */
export function parseSight(
  schemas: Iterable<string>,
  see: SeeRelated | undefined,
  input: Omit<PredicateInput, 'source'> & { readonly source: (schema: string) => Source },
): RowVisibility {
  if (see === undefined) return WHOLE_SIGHT;
  let sight: Map<string, RowTest> | undefined;
  for (const schema of schemas) {
    if (sight?.has(schema)) continue;
    const grant: Grant | undefined = see(schema);
    if (grant?.rows === undefined && grant !== undefined) continue;
    const given: PredicateInput = { ...input, source: input.source(schema) };
    // Distinguishes the rule of a related schema from that of the searched rows, which may be of the same schema.
    given.values.mark('~');
    const test = grant === undefined ? createVoidTest(given) : parsePredicate(grant.rows, given);
    if (test === undefined) continue;
    sight ??= new Map();
    sight.set(schema, test);
  }
  return sight ?? WHOLE_SIGHT;
}
