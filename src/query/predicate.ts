import { sql } from 'kysely';
import type { Access, Grant, RowPredicate } from '../core/access.ts';
import { TreadleError } from '../core/errors.ts';
import type { Dialect } from '../database/database.ts';
import { type Condition, toTest } from './condition.ts';
import { Draft, type Faults } from './draft.ts';
import { parseFilters } from './filter.ts';
import type { Fragment } from './operator.ts';
import type { Source } from './source.ts';

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
  /** Predicates with the same key have the same SQL text. */
  readonly key: string;
}

/** What is needed to parse a predicate. */
export interface PredicateInput {
  readonly source: Source;
  readonly dialect: Dialect;
  /** The statement's values; the predicate's are appended. */
  readonly values: unknown[];
}

const toVoid = ({ schema }: Source): RowTest => ({
  table: schema.table,
  primary: schema.primary,
  all: [],
  anyOf: undefined,
  isVoid: true,
  key: `${schema.name}!`,
});

function parseAlternative(filter: Readonly<Record<string, unknown>>, input: PredicateInput): Draft {
  const { source, dialect, values } = input;
  const faults: Faults = {};
  const draft = new Draft(source, faults, { dialect, isRule: true }, values);
  parseFilters({ filter }, draft);
  const [fault] = Object.values(faults);
  if (fault === undefined) return draft;
  throw new TreadleError('ACCESS_RULE_INVALID', `A rule for "${source.schema.name}" is not a valid filter: ${fault}`);
}

/** Parses a predicate; undefined if it holds for every row. @throws ACCESS_RULE_INVALID */
export function parsePredicate(rows: RowPredicate | undefined, input: PredicateInput): RowTest | undefined {
  if (rows === undefined || (rows.owner === undefined && rows.anyOf === undefined)) return undefined;
  const { source, dialect, values } = input;
  const isOwnerless = rows.owner !== undefined && !source.owner;
  if (isOwnerless || rows.anyOf?.length === 0) return toVoid(source);
  const held = new Draft(source, {}, { dialect, isRule: true }, values);
  if (rows.owner !== undefined && source.owner) held.add({ column: source.owner, operator: 'eq' }, rows.owner);
  const drafts = rows.anyOf?.map((filter) => parseAlternative(filter, input));
  // An alternative without conditions matches every row.
  const anyOf = drafts?.every(({ conditions }) => conditions.length > 0)
    ? drafts.map(({ conditions }) => conditions)
    : undefined;
  return {
    table: source.schema.table,
    primary: source.schema.primary,
    all: held.conditions,
    anyOf,
    isVoid: false,
    key: `${source.schema.name}(${held.key}${anyOf === undefined ? '' : drafts?.map(({ key }) => key).join('|')})`,
  };
}

/** The predicate as SQL on a table with the alias `t`. */
export function toRowTest({ all, anyOf, isVoid }: RowTest, dialect: Dialect): Fragment {
  if (isVoid) return sql`1 = 0`;
  const every = (conditions: readonly Condition[]): Fragment =>
    sql.join(
      conditions.map((condition) => toTest(condition, dialect)),
      sql` and `,
    );
  const parts = all.length === 0 ? [] : [every(all)];
  if (anyOf !== undefined) parts.push(sql`(${sql.join(anyOf.map(every), sql` or `)})`);
  return parts.length === 0 ? sql`1 = 1` : sql.join(parts, sql` and `);
}

/** Tests whether the row with a key matches the predicate. */
export function isReached(key: Fragment, test: RowTest, dialect: Dialect): Fragment {
  if (test.isVoid) return sql`1 = 0`;
  const rows = sql`select ${sql.ref(`t.${test.primary}`)} from ${sql.table(test.table)} as t`;
  return sql`${key} in (${rows} where ${toRowTest(test, dialect)})`;
}

/** The predicates that limit related rows, by schema. Empty without rules. */
export type Sight = ReadonlyMap<string, RowTest>;

export const WHOLE_SIGHT: Sight = new Map();

/** Which related rows and columns the caller may see. */
export type SeeRelated = NonNullable<Access['related']>;

/** Parses the predicates of related schemas. */
export function parseSight(
  schemas: Iterable<string>,
  see: SeeRelated | undefined,
  input: Omit<PredicateInput, 'source'> & { readonly source: (schema: string) => Source },
): Sight {
  if (see === undefined) return WHOLE_SIGHT;
  let sight: Map<string, RowTest> | undefined;
  for (const schema of schemas) {
    if (sight?.has(schema)) continue;
    const grant: Grant | undefined = see(schema);
    if (grant?.rows === undefined && grant !== undefined) continue;
    const source = input.source(schema);
    const test = grant === undefined ? toVoid(source) : parsePredicate(grant.rows, { ...input, source });
    if (test === undefined) continue;
    sight ??= new Map();
    sight.set(schema, test);
  }
  return sight ?? WHOLE_SIGHT;
}

/** The part of the statement's cache key that depends on the sight. */
export function toSightKey(sight: Sight): string {
  return sight.size === 0 ? '' : `~${[...sight.values()].map(({ key }) => key).join('~')}`;
}
