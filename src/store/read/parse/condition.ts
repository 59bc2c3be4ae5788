import { sql } from 'kysely';
import type { Dialect } from '../../../database/database.ts';
import { printTerm } from '../../../database/index/term.ts';
import { quote } from '../../../database/table-sql.ts';
import { isTreeOperator } from '../../../model/filter/operator.ts';
import type { RelatedKeys, SourceColumn } from '../source/source.ts';
import type { Fragment } from '../sql/exact-double.ts';
import { buildComputed } from './computed-ref.ts';
import { buildJsonCondition, buildJsonValue, type Condition, toPathSlots } from './json-path.ts';
import { isDuring, isDuringAny, isListed, matches, Slot, toItemType, toSign } from './operator.ts';
import { buildTreeTest } from './tree-walk.ts';

/** A column in a statement, the value at a path in a JSON column, or a computed value; the last two only with the dialect. */
export function buildRef(source: SourceColumn, dialect?: Dialect): Fragment {
  const { alias, column, part, computed } = source;
  if (computed !== undefined && dialect !== undefined) return buildComputed(source, dialect);
  const ref = sql`${sql.ref(`${alias}.${column}`)}`;
  if (part === undefined || dialect === undefined) return ref;
  return buildJsonValue(ref, new Slot(part.slot), dialect)[part.kind];
}

function buildComparison(
  { column, operator, slot: index, isOn }: Condition,
  ref: Fragment,
  dialect: Dialect,
): Fragment {
  const slot = new Slot(index);
  const sign = toSign(operator);
  if (sign !== undefined) return sql`${ref} ${sign} ${slot}`;
  if (operator === 'null') return isOn ? sql`${ref} is null` : sql`${ref} is not null`;
  if (operator === 'ne') return sql`${ref} is distinct from ${slot}`;
  if (operator === 'in' || operator === 'nin') {
    const listed = isListed(ref, slot, dialect, column === undefined ? 'integer' : toItemType(column));
    return operator === 'in' ? listed : sql`(${listed}) is not true`;
  }
  if (operator === 'during') return isDuring(ref, slot, dialect);
  if (operator === 'outside') return sql`(${isDuring(ref, slot, dialect)}) is not true`;
  if (operator === 'duringAny') return isDuringAny(ref, slot, dialect);
  // Of an empty time the test is neither true nor false.
  if (operator === 'outsideAll') return sql`(${ref} is null or not ${isDuringAny(ref, slot, dialect)})`;
  return matches(ref, slot, dialect);
}

function buildPlain(condition: Condition, dialect: Dialect): Fragment | undefined {
  const { column, slot, fixed } = condition;
  if (column === undefined) return undefined;
  if (fixed !== undefined)
    return sql`${sql.raw(printTerm(`${quote(column.alias)}.${quote(column.column)}`, fixed, dialect))}`;
  return column.type === 'json'
    ? buildJsonCondition(condition, buildRef(column), toPathSlots(slot), dialect)
    : buildComparison(condition, buildRef(column, dialect), dialect);
}

/** A condition without its relation. @param walked What each row that a walk through a tree comes by must meet, on the alias `t`. */
function buildOwn(condition: Condition, dialect: Dialect, walked: readonly Fragment[]): Fragment | undefined {
  const { column, operator, slot } = condition;
  if (column?.tree === undefined || !isTreeOperator(operator)) return buildPlain(condition, dialect);
  return buildTreeTest({ ...column, tree: column.tree }, operator, new Slot(slot), walked);
}

/** What a walk through related rows comes by: rows that the caller sees. */
function listWalked(within: RelatedKeys, narrow: Narrow | undefined): readonly Fragment[] {
  const { targetKey, active } = within;
  const seen = narrow?.(within, sql`${sql.ref(`t.${targetKey}`)}`);
  return [...(active === undefined ? [] : [sql`${sql.ref(`t.${active}`)} = 1`]), ...(seen === undefined ? [] : [seen])];
}

/** An extra test on the related rows of a condition; `column` holds their key. */
export type Narrow = (related: RelatedKeys, column: Fragment) => Fragment | undefined;

/**
 * A condition as SQL. A condition on related rows becomes a set of keys, which the database evaluates once
 * instead of per row.
 *
 * @param walked What each row of the searched table that a walk through its tree comes by must meet, on the alias `t`.
 */
export function buildTest(
  condition: Condition,
  dialect: Dialect,
  narrow?: Narrow,
  walked: readonly Fragment[] = [],
): Fragment {
  const { within, isOn, column } = condition;
  const test = buildOwn(condition, dialect, within === undefined ? walked : listWalked(within, narrow));
  if (within === undefined) return test ?? sql`1 = 0`;
  const { side, table, key, through, active } = within;
  const alias = through === undefined ? 'r' : 'l';
  const join =
    through === undefined
      ? sql``
      : sql` join ${sql.table(through.table)} as r on ${sql.ref(`r.${through.primary}`)} = ${sql.ref(`l.${through.column}`)}`;
  const keyRef = sql.ref(`${alias}.${key}`);
  const seen = narrow?.(within, sql`${sql.ref(`r.${within.targetKey}`)}`);
  const parts = [
    sql`${keyRef} is not null`,
    ...(active === undefined ? [] : [sql`${sql.ref(`r.${active}`)} = 1`]),
    ...(test === undefined ? [] : [test]),
    ...(seen === undefined ? [] : [seen]),
  ];
  const keys = sql`select ${keyRef} from ${sql.table(table)} as ${sql.ref(alias)}${join} where ${sql.join(parts, sql` and `)}`;
  const sideRef = sql.ref(`t.${side}`);
  if (column === undefined && isOn) return sql`(${sideRef} in (${keys})) is not true`;
  return sql`${sideRef} in (${keys})`;
}
