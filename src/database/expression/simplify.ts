import { evaluate, type ValueRow } from '../../model/expression/evaluate.ts';
import { listReads } from '../../model/expression/reads.ts';
import type { Expression, Operation } from '../../model/expression/tree.ts';

const NO_ROW: ValueRow = { read: () => null, related: () => [] };

/** Operations with null that are not null for that reason alone. */
const LENIENT: ReadonlySet<Operation> = new Set(['and', 'or', 'if', 'coalesce', 'concat', 'least', 'greatest', 'sum']);

const isLiteral = ({ op }: Expression): boolean => op === 'literal';
const toLiteral = (node: Expression, value: bigint | string | null): Expression => ({
  ...node,
  op: 'literal',
  parts: [],
  value,
  isLimited: false,
});

/** A part without columns as a literal; a number other than null stays as it is, for the database computes it as well. */
function foldConstant(node: Expression): Expression {
  const { columns, related } = listReads(node);
  if (columns.length > 0 || related.length > 0) return node;
  const value = evaluate(node, NO_ROW);
  const isNumber = ['whole', 'decimal', 'number'].includes(node.type.name);
  return typeof value !== 'number' && (value === null || !isNumber) ? toLiteral(node, value) : node;
}

function foldLenient(node: Expression): Expression {
  const { op, parts } = node;
  const [first, second, third] = parts;
  if (op === 'if' && first?.op === 'literal') return (first.value === 1n ? second : third) ?? node;
  if (op === 'coalesce') {
    const left = parts.filter((part) => !isLiteral(part) || part.value !== null);
    const [only] = left;
    return only !== undefined && (left.length === 1 || isLiteral(only)) ? only : { ...node, parts: left };
  }
  const deciding = op === 'and' ? 0n : 1n;
  const isDecided = (op === 'and' || op === 'or') && parts.some((part) => isLiteral(part) && part.value === deciding);
  return isDecided ? toLiteral(node, deciding) : node;
}

/**
 * An expression without parts that are constant. PostgreSQL computes these when it adds a generated column, before it knows the
 * collation by which they compare, and refuses the column.
 */
export function simplify(node: Expression): Expression {
  if (isLiteral(node) || node.related !== undefined) return node;
  const made: Expression = { ...node, parts: node.parts.map(simplify) };
  const folded = foldConstant(made);
  if (folded !== made || isLiteral(folded)) return folded;
  if (LENIENT.has(made.op)) return foldLenient(made);
  return made.parts.some((part) => isLiteral(part) && part.value === null) ? toLiteral(made, null) : made;
}
