import { memoize } from '../../../core/memoize.ts';
import type { OperatorName } from '../../../model/filter/operator.ts';
import type { IndexTerm, SchemaModel } from '../../../model/model.ts';

/** A condition whose value is part of the statement: that of a partial index, which is only used if the statement's text fixes it. */
export interface FixedTerm extends IndexTerm {
  /** Distinguishes statements. */
  readonly key: string;
}

/** A condition as the search has it. */
interface Comparison {
  readonly operator: OperatorName;
  readonly value: unknown;
  /** For `null`: true if the value must be missing. */
  readonly isOn: boolean | undefined;
}

const NONE: readonly FixedTerm[] = [];

/** The conditions of a schema's indexes by column. */
const listTerms = memoize(({ indexes }: SchemaModel): ReadonlyMap<string, readonly FixedTerm[]> => {
  const found = new Map<string, Map<string, FixedTerm>>();
  for (const term of indexes.flatMap(({ where }) => where)) {
    const key = `${term.column} ${term.operator} ${JSON.stringify(term.value)}`;
    const own = found.get(term.column) ?? new Map<string, FixedTerm>();
    found.set(term.column, own.set(key, { ...term, key }));
  }
  return new Map([...found].map(([column, terms]) => [column, [...terms.values()]]));
});

/** True if the condition says the same as the index. */
function isSame({ operator, value, isOn }: Comparison, term: FixedTerm): boolean {
  if (operator !== term.operator) return false;
  if (operator === 'null') return isOn === term.value;
  return operator === 'in' ? isSameList(value, term.value) : value === term.value;
}

/** The operand of `in` is a list as JSON. */
function readItems(value: unknown): readonly unknown[] {
  const items: unknown = JSON.parse(String(value));
  return Array.isArray(items) ? items : [];
}

function isSameList(value: unknown, listed: unknown): boolean {
  // A request may name a value twice.
  const items = new Set(readItems(value));
  return Array.isArray(listed) && items.size === new Set(listed).size && listed.every((item) => items.has(item));
}

/** True if the term holds for a value. Ranges are of numbers only: databases sort texts by their own rules. */
function holds(value: unknown, { operator, value: fixed }: FixedTerm): boolean {
  if (operator === 'eq') return value === fixed;
  if (operator === 'in') return Array.isArray(fixed) && fixed.includes(value);
  if (typeof value !== typeof fixed) return false;
  if (operator === 'ne') return value !== fixed;
  if (typeof value !== 'number' || typeof fixed !== 'number') return false;
  if (operator === 'gt') return value > fixed;
  if (operator === 'gte') return value >= fixed;
  if (operator === 'lt') return value < fixed;
  return operator === 'lte' && value <= fixed;
}

/** True if every row that the condition finds is in the index: `views >= 500` says more than `views >= 100`. */
function implies({ operator, value }: Comparison, term: FixedTerm): boolean {
  if (term.operator === 'null') return false;
  if (operator === 'eq') return holds(value, term);
  if (operator === 'in') {
    const items = readItems(value);
    return items.length > 0 && items.every((item) => holds(item, term));
  }
  const isUp = operator === 'gt' || operator === 'gte';
  const isDown = operator === 'lt' || operator === 'lte';
  const isTermUp = term.operator === 'gt' || term.operator === 'gte';
  const isTermDown = term.operator === 'lt' || term.operator === 'lte';
  return ((isUp && isTermUp) || (isDown && isTermDown)) && holds(value, term);
}

/** What a condition says of the conditions of the schema's partial indexes. */
interface FixedTerms {
  /** The term to write in place of the condition. */
  readonly same: FixedTerm | undefined;
  /** Terms that follow from the condition, to write beside it. */
  readonly implied: readonly FixedTerm[];
}

const NOTHING: FixedTerms = { same: undefined, implied: NONE };

/** Finds the conditions of partial indexes that a condition on a column of the table itself fixes. */
export function findFixedTerms(schema: SchemaModel, column: string, given: Comparison): FixedTerms {
  if (schema.indexes.length === 0) return NOTHING;
  const terms = listTerms(schema).get(column) ?? NONE;
  if (terms.length === 0) return NOTHING;
  return {
    same: terms.find((term) => isSame(given, term)),
    implied: terms.filter((term) => !isSame(given, term) && implies(given, term)),
  };
}
