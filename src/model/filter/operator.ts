/** Operators in `filter[column][…]`, for searches, web hook definitions and the conditions of indexes. */
export const OPERATOR_NAMES: readonly string[] = [
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', 'nin', 'contains', 'starts', 'ends', 'null', 'has'],
];

/** Operators that walk the tree which a key belongs to: the rows below a row, or above it. Only a database can judge them. */
const TREE_OPERATORS = ['below', 'above'] as const;
export type TreeOperator = (typeof TREE_OPERATORS)[number];
const TREE_NAMES: ReadonlySet<string> = new Set(TREE_OPERATORS);

export const isTreeOperator = (operator: string): operator is TreeOperator => TREE_NAMES.has(operator);

/** Why a filter that is judged in memory cannot have an operator of {@link TREE_OPERATORS}, with the remedy. */
export const describeTreeOperator = (operator: TreeOperator): { readonly message: string; readonly hint: string } => ({
  message: `"${operator}" depends on other rows, and this filter judges a row by its own values.`,
  hint: 'Compare a column of the row, or search for the rows in your own code.',
});

/**
 * How an operator's value is parsed: `one`, a `list` (bound as one JSON text), a `flag` (1 or 0), a `part` of a
 * text.
 */
type Takes = 'one' | 'list' | 'flag' | 'part';

const OPERATORS = {
  ...{ eq: 'one', ne: 'one', lt: 'one', lte: 'one', gt: 'one', gte: 'one', has: 'one' },
  // For a period (a year, month or day), which means every time in it. The parser makes these; a request cannot send them.
  ...{ during: 'one', outside: 'one', duringAny: 'list', outsideAll: 'list' },
  ...{ below: 'one', above: 'one' },
  ...{ in: 'list', nin: 'list', contains: 'part', starts: 'part', ends: 'part', null: 'flag' },
} as const satisfies Record<string, Takes>;

/** Names of operators with one value; `between` becomes `gte` and `lte`. */
export type OperatorName = keyof typeof OPERATORS;
export const operators: Readonly<Record<OperatorName, Takes>> = OPERATORS;

export const isOperatorName = (text: string): text is OperatorName => Object.hasOwn(OPERATORS, text);

/** Escapes text for LIKE, so that `%` and `_` match themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
