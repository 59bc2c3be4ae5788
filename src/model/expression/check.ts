import { toDidYouMean } from '../../core/text/suggest.ts';
import { applyArithmetic, applyFunction, expectFlag, expectNumber, FUNCTION_FORMS } from './functions.ts';
import { FLAG, type Item, isExact, make, makeNumber, NULL, TEXT, WHOLE } from './make.ts';
import { parseExpression, type Syntax } from './parse.ts';
import { ExpressionError } from './token.ts';
import { type Expression, printType, type RelatedRowsOf } from './tree.ts';
import { unifyCompared } from './unify.ts';

/** A relation that an expression can count. */
export interface RelationName {
  readonly rows: RelatedRowsOf;
  /** False if a row has at most one related row. */
  readonly isMany: boolean;
  /** Exact values of a field of the related rows. @throws Error with what is wrong with the name. */
  findItem(name: string, at: number): Expression;
}

/** What the names in an expression mean. */
export interface ExpressionNames {
  readonly schema: string;
  /** A field's values, by its own name or its column's; undefined if there is none. */
  findField(name: string, at: number): Expression | undefined;
  listFields(): Iterable<string>;
  findRelation(name: string): RelationName | undefined;
  listRelations(): Iterable<string>;
}

const LITERALS: ReadonlyMap<string, Expression> = new Map([
  ['true', make(0, 'literal', FLAG, [], { value: 1n })],
  ['false', make(0, 'literal', FLAG, [], { value: 0n })],
  ['null', make(0, 'literal', NULL, [], { value: null })],
]);

function findName(text: string, at: number, names: ExpressionNames): Expression {
  const known = LITERALS.get(text) ?? names.findField(text, at);
  if (known !== undefined) return known;
  if (names.findRelation(text) !== undefined) {
    throw new ExpressionError(at, `"${text}" is a relation`, `Write ${text}.count, or ${text}.sum(field).`);
  }
  const isFunction = FUNCTION_FORMS.some((form) => form.startsWith(`${text}(`));
  const hint = isFunction
    ? `Write ${FUNCTION_FORMS.find((form) => form.startsWith(`${text}(`))}.`
    : toDidYouMean(text, names.listFields());
  throw new ExpressionError(at, `The schema "${names.schema}" has no field "${text.slice(0, 64)}"`, hint);
}

type RelationSyntax = Extract<Syntax, { kind: 'relation' }>;

function checkRelation({ text, at, verb, part }: RelationSyntax, names: ExpressionNames): Expression {
  const relation = names.findRelation(text);
  if (relation === undefined) {
    const message = `The schema "${names.schema}" has no relation "${text.slice(0, 64)}"`;
    throw new ExpressionError(at, message, toDidYouMean(text, names.listRelations()));
  }
  if (!relation.isMany) {
    const message = `A row has at most one "${text}", which is nothing to count`;
    throw new ExpressionError(at, message, 'Count and sum relations that are lists.');
  }
  const { rows: related } = relation;
  if (verb.text === 'count' && part === undefined) return make(at, 'count', WHOLE, [], { related });
  if (verb.text !== 'sum' || part?.kind !== 'word') {
    const message = `"${text}.${verb.text.slice(0, 40)}${part === undefined ? '' : '(…)'}" says nothing about a relation`;
    throw new ExpressionError(verb.at, message, `Write ${text}.count, or ${text}.sum(field).`);
  }
  const item = relation.findItem(part.text, part.at);
  if (!isExact(item.type)) {
    const hint = 'Sum whole numbers, decimals and prices: a sum of doubles would depend on the order of the rows.';
    throw new ExpressionError(part.at, `"${part.text}" is a ${printType(item.type)}`, hint);
  }
  return make(at, 'sum', item.type, [item], { related });
}

type OperatorSyntax = Extract<Syntax, { kind: 'operator' }>;

function checkOperator({ sign, at, left, right }: OperatorSyntax, names: ExpressionNames): Expression {
  const items = [left, right].map((part): Item => ({ node: check(part, names), at: part.at }));
  const nodes = items.map(({ node }) => node);
  if (sign === 'and' || sign === 'or') {
    for (const item of items) expectFlag(item, `"${sign}"`);
    return make(at, sign, FLAG, nodes);
  }
  if (sign !== '+' && sign !== '-' && sign !== '*' && sign !== '/' && sign !== '%') {
    if (nodes.some(({ type }) => type === NULL)) {
      const hint = 'coalesce(x, 0) takes another value where there is none; a filter finds empty ones with "null".';
      throw new ExpressionError(at, 'A comparison with null is never true', hint);
    }
    return make(at, 'compare', FLAG, unifyCompared(items), { sign });
  }
  return applyArithmetic(sign, items, at);
}

function check(syntax: Syntax, names: ExpressionNames): Expression {
  const { kind, at } = syntax;
  switch (kind) {
    case 'number':
      return makeNumber(syntax.text, at);
    case 'text':
      return make(at, 'literal', TEXT, [], { value: syntax.text });
    case 'name':
      return findName(syntax.text, at, names);
    case 'relation':
      return checkRelation(syntax, names);
    case 'call': {
      const parts = syntax.parts.map((part): Item => ({ node: check(part, names), at: part.at }));
      return applyFunction(syntax.text, parts, at);
    }
    case 'operator':
      return checkOperator(syntax, names);
    default: {
      const item = { node: check(syntax.part, names), at: syntax.part.at };
      if (kind === 'not') {
        expectFlag(item, '"not"');
        return make(at, 'not', FLAG, [item.node]);
      }
      expectNumber(item, '"-"');
      return make(at, 'negate', item.node.type, [item.node]);
    }
  }
}

/** Reads an expression, looks up its names and checks its types. @throws ExpressionError */
export function checkExpression(text: string, names: ExpressionNames): Expression {
  const checked = check(parseExpression(text), names);
  if (checked.type === NULL) {
    throw new ExpressionError(1, 'The expression is always empty', 'Write a value besides null.');
  }
  return checked;
}
