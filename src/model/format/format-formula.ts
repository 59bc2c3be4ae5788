import { parseExpression, type Syntax } from '../expression/parse.ts';
import { ExpressionError } from '../expression/token.ts';

const MAX_CHARACTERS = 1000;

/** The value of numbers and `+ - * / % ( )`; NaN of anything else. */
function compute(syntax: Syntax): number {
  if (syntax.kind === 'number') return Number(syntax.text);
  if (syntax.kind === 'minus') return -compute(syntax.part);
  if (syntax.kind !== 'operator') return Number.NaN;
  const [left, right] = [compute(syntax.left), compute(syntax.right)];
  switch (syntax.sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    default:
      return Number.NaN;
  }
}

/**
 * The value of an arithmetic expression such as `2 * (3 + 4)`; undefined if it is invalid or not finite. A row's values are never
 * run as code.
 */
export function computeFormula(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const value = compute(parseExpression(text));
    if (!Number.isFinite(value)) return undefined;
    // A double keeps 15 digits: 0.1 + 0.2 is 0.3.
    return Number.isInteger(value) ? value : Number(value.toPrecision(15));
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
