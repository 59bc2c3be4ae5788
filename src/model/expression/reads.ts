import type { Expression } from './tree.ts';

/** The columns of a row that a value is computed of. */
interface RowReads {
  /** Full names of the columns that its table has. */
  readonly columns: readonly string[];
  /** Full names of the computed fields on the way. */
  readonly fields: readonly string[];
}

/** What an expression reads besides its own row: columns that it sums. */
export interface RelatedReads extends RowReads {
  /** Schema of the related rows. */
  readonly schema: string;
  /** The relation's table, if it is one of pairs. */
  readonly pairs: string | undefined;
}

/** What a value is computed of. */
export interface ExpressionReads extends RowReads {
  readonly related: readonly RelatedReads[];
}

function* walk(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.related !== undefined) return;
  for (const part of expression.parts) yield* walk(part);
}

const listOnce = (names: readonly (string | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== undefined)),
];

const toRowReads = (parts: readonly Expression[]): RowReads => ({
  columns: listOnce(parts.map(({ column }) => column)),
  fields: listOnce(parts.map(({ field }) => field)),
});

/** All of a row that one must read to see what is computed of it. */
export const listRead = ({ columns, fields }: RowReads): readonly string[] => [...columns, ...fields];

/** Lists the columns and the related rows that an expression reads. */
export function listReads(expression: Expression): ExpressionReads {
  const all = [...walk(expression)];
  const related = all.flatMap(({ related: rows, parts }): RelatedReads[] => {
    if (rows === undefined) return [];
    const { keys } = rows;
    const pairs = keys.through === undefined ? undefined : keys.table;
    return [{ schema: keys.target, pairs, ...toRowReads(parts.flatMap((part) => [...walk(part)])) }];
  });
  return { ...toRowReads(all), related };
}
