import { ExpressionError, listTokens, type Token } from './token.ts';

/** Parentheses and operators inside each other, at most. */
const MOST_DEPTH = 40;

export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';
export type ComparisonSign = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** What an expression says, before its names are looked up. */
export type Syntax =
  | { readonly kind: 'number' | 'text' | 'name'; readonly at: number; readonly text: string }
  /** `relation.count`, or `relation.sum(field)` with the field as `part`. */
  | {
      readonly kind: 'relation';
      readonly at: number;
      readonly text: string;
      readonly verb: Token;
      readonly part?: Token;
    }
  | { readonly kind: 'call'; readonly at: number; readonly text: string; readonly parts: readonly Syntax[] }
  | { readonly kind: 'minus' | 'not'; readonly at: number; readonly part: Syntax }
  | {
      readonly kind: 'operator';
      readonly at: number;
      readonly sign: ArithmeticSign | ComparisonSign | 'and' | 'or';
      readonly left: Syntax;
      readonly right: Syntax;
    };

const SUMS = ['+', '-'] as const;
const PRODUCTS = ['*', '/', '%'] as const;
const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;

const describe = ({ kind, text }: Token): string => (kind === 'end' ? 'The expression ends' : `"${text}" stands`);

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = listTokens(text);
  }

  parse(): Syntax {
    const all = this.#either();
    const rest = this.#peek();
    if (rest.kind === 'end') return all;
    const isEqual = rest.text === '=' || COMPARISONS.some((sign) => sign === rest.text);
    const hint = isEqual
      ? 'Compare two values at a time, and join the comparisons with `and`.'
      : 'Remove it, or write an operator before it.';
    throw new ExpressionError(rest.at, `${describe(rest)} where the expression could end`, hint);
  }

  #peek(): Token {
    const token = this.#tokens[this.#index];
    if (token === undefined) throw new TypeError('The last token of an expression is its end');
    return token;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#index += 1;
    return token;
  }

  /** The sign, or the word `and`, `or` or `not`, if it comes next. */
  #take<S extends string>(...signs: readonly S[]): { readonly sign: S; readonly at: number } | undefined {
    const { kind, text, at } = this.#peek();
    const sign = kind === 'sign' || kind === 'word' ? signs.find((one) => one === text) : undefined;
    if (sign === undefined) return undefined;
    this.#index += 1;
    return { sign, at };
  }

  #expect(sign: string, why: string): void {
    const token = this.#peek();
    if (this.#take(sign) === undefined) {
      throw new ExpressionError(token.at, `${describe(token)} where "${sign}" must follow`, why);
    }
  }

  #chain<S extends ArithmeticSign | 'and' | 'or'>(signs: readonly S[], part: () => Syntax): Syntax {
    let left = part();
    for (let found = this.#take(...signs); found !== undefined; found = this.#take(...signs)) {
      left = { kind: 'operator', at: found.at, sign: found.sign, left, right: part() };
    }
    return left;
  }

  #either(): Syntax {
    return this.#chain(['or'], () => this.#chain(['and'], () => this.#negation()));
  }

  #negation(): Syntax {
    const found = this.#take('not');
    return found === undefined
      ? this.#comparison()
      : { kind: 'not', at: found.at, part: this.#deeper(found.at, () => this.#negation()) };
  }

  #comparison(): Syntax {
    const left = this.#sum();
    const found = this.#take(...COMPARISONS);
    if (found === undefined) return left;
    if (found.sign === '=' && this.#take('=') !== undefined) {
      throw new ExpressionError(found.at, '"==" is not part of an expression', 'Write a single "=".');
    }
    return { kind: 'operator', at: found.at, sign: found.sign, left, right: this.#sum() };
  }

  #sum(): Syntax {
    return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#factor()));
  }

  #factor(): Syntax {
    const found = this.#take('-', '+');
    if (found === undefined) return this.#value();
    const part = this.#deeper(found.at, () => this.#factor());
    return found.sign === '+' ? part : { kind: 'minus', at: found.at, part };
  }

  #deeper<T>(at: number, parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > MOST_DEPTH) {
      const hint = 'Move a part of it into another computed field.';
      throw new ExpressionError(at, `The expression nests more than ${MOST_DEPTH} deep`, hint);
    }
    const parsed = parse();
    this.#depth -= 1;
    return parsed;
  }

  #value(): Syntax {
    const token = this.#next();
    const { kind, text, at } = token;
    if (kind === 'number' || kind === 'text') return { kind, text, at };
    if (kind === 'word') return this.#named(token);
    if (kind === 'sign' && text === '(') {
      const inner = this.#deeper(at, () => this.#either());
      this.#expect(')', 'Close the parenthesis.');
      return inner;
    }
    throw new ExpressionError(at, `${describe(token)} where a value must follow`, 'Write a field, a number or a text.');
  }

  #named({ text, at }: Token): Syntax {
    if (this.#take('(')) return { kind: 'call', at, text, parts: this.#parts(at) };
    if (this.#take('.') === undefined) return { kind: 'name', at, text };
    const verb = this.#next();
    if (this.#take('(') === undefined) return { kind: 'relation', at, text, verb };
    const part = this.#next();
    this.#expect(')', `Write the name of one field: ${text}.sum(field).`);
    return { kind: 'relation', at, text, verb, part };
  }

  #parts(at: number): Syntax[] {
    if (this.#take(')')) return [];
    const parts: Syntax[] = [];
    do parts.push(this.#deeper(at, () => this.#either()));
    while (this.#take(','));
    this.#expect(')', 'Close the parenthesis, or write a comma before the next value.');
    return parts;
  }
}

/** Reads the text of an expression; no name in it is looked up yet. @throws ExpressionError */
export const parseExpression = (text: string): Syntax => new Parser(text).parse();
