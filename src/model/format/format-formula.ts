const MAX_CHARACTERS = 1000;
const MAX_DEPTH = 50;
const TOKEN = /\s*(?:(\d+\.?\d*|\.\d+)|([-+*/%()]))/y;

/** Parses numbers and `+ - * / % ( )`, so that a row's values are never run as code. */
class Reader {
  readonly #tokens: string[];
  #index = 0;
  #depth = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#index === this.#tokens.length;
  }

  #take(...wanted: string[]): string | undefined {
    const token = this.#tokens[this.#index];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#index += 1;
    return token;
  }

  sum(): number {
    let left = this.#product();
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-')) {
      const right = this.#product();
      left = sign === '+' ? left + right : left - right;
    }
    return left;
  }

  #product(): number {
    let left = this.#factor();
    for (let sign = this.#take('*', '/', '%'); sign !== undefined; sign = this.#take('*', '/', '%')) {
      const right = this.#factor();
      if (sign === '*') left *= right;
      else left = sign === '/' ? left / right : left % right;
    }
    return left;
  }

  #factor(): number {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return Number.NaN;
    const value = this.#unary();
    this.#depth -= 1;
    return value;
  }

  #unary(): number {
    if (this.#take('-')) return -this.#factor();
    if (this.#take('+')) return this.#factor();
    if (this.#take('(')) {
      const inner = this.sum();
      return this.#take(')') ? inner : Number.NaN;
    }
    const number = Number(this.#tokens[this.#index]);
    this.#index += 1;
    return number;
  }
}

/** The value of an arithmetic expression such as `2 * (3 + 4)`; undefined if it is invalid or not finite. */
export function computeFormula(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const tokens: string[] = [];
  const pattern = new RegExp(TOKEN);
  const trimmed = text.trim();
  while (pattern.lastIndex < trimmed.length) {
    const found = pattern.exec(trimmed);
    if (!found) return undefined;
    tokens.push(found[1] ?? found[2] ?? '');
  }
  const reader = new Reader(tokens);
  const value = reader.sum();
  if (!reader.isAtEnd || !Number.isFinite(value)) return undefined;
  // A double keeps 15 digits: 0.1 + 0.2 is 0.3.
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
