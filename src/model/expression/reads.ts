import type { Expression } from './tree.ts';

/** What an expression reads besides its own row. */
export interface RelatedReads {
  /** Schema of the related rows. */
  readonly schema: string;
  /** The relation's table, if it is one of pairs. */
  readonly pairs: string | undefined;
  /** Columns that it sums. */
  readonly columns: readonly string[];
}

/** What a value is computed of. */
export interface ExpressionReads {
  /** Full names of the row's own columns. */
  readonly columns: readonly string[];
  readonly related: readonly RelatedReads[];
}

function* walk(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.related !== undefined) return;
  for (const part of expression.parts) yield* walk(part);
}

const listColumns = (parts: readonly Expression[]): string[] => [
  ...new Set(parts.flatMap(({ column }) => (column === undefined ? [] : [column]))),
];

/** Lists the columns and the related rows that an expression reads. */
export function listReads(expression: Expression): ExpressionReads {
  const all = [...walk(expression)];
  const related = all.flatMap(({ related: rows, parts }): RelatedReads[] => {
    if (rows === undefined) return [];
    const { keys } = rows;
    const pairs = keys.through === undefined ? undefined : keys.table;
    return [{ schema: keys.target, pairs, columns: listColumns(parts.flatMap((part) => [...walk(part)])) }];
  });
  return { columns: listColumns(all), related };
}
