/** Characters of an expression at most. */
const MOST_CHARACTERS = 2000;

/** An expression that says nothing valid, with the place in its text. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** Character of the text where it is wrong, from 1. */
  readonly at: number;
  /** What to do. */
  readonly hint: string;

  constructor(at: number, message: string, hint: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}

export interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'sign' | 'end';
  /** As written; of a text its value. */
  readonly text: string;
  /** Character of the expression, from 1. */
  readonly at: number;
  /** Character after it. */
  readonly end: number;
}

const TOKEN =
  /(?<space>[ \t\r\n]+)|(?<number>\d+(?:\.\d*)?|\.\d+)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<text>'(?:[^']|'')*')|(?<sign>!=|<=|>=|[-+*/%()<>=,.])/y;

const KINDS = ['number', 'word', 'text', 'sign'] as const;

/** Signs of other languages, and what they are called here. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['&', 'Write `and`.'],
  ['|', 'Write `or`, and `concat(…)` to join texts.'],
  ['!', 'Write `not`, and `!=` for "is not".'],
  ['"', "Write a text between single quotes: 'text'."],
  ['`', "Write a text between single quotes: 'text'."],
  ['?', 'Write `if(test, a, b)`.'],
  ['^', 'There is no power: multiply.'],
]);

function refuse(text: string, index: number): ExpressionError {
  const sign = String.fromCodePoint(text.codePointAt(index) ?? 0);
  if (sign === "'")
    return new ExpressionError(index + 1, 'A text is not closed', "End it with a single quote: 'text'.");
  const hint = FOREIGN.get(sign) ?? 'Use names, numbers, texts, + - * / % = != < <= > >= and parentheses.';
  const shown = sign === '"' ? 'A double quote' : `"${sign}"`;
  return new ExpressionError(index + 1, `${shown} is not part of an expression`, hint);
}

/** The value of a text between single quotes; two of them inside stand for one. */
function readText(written: string, at: number): string {
  const value = written.slice(1, -1).replaceAll("''", "'");
  // A NUL is no part of a text in PostgreSQL, and half a surrogate pair is no character.
  const isStorable = !value.includes('\0') && !/\p{Cs}/u.test(value);
  if (!isStorable) throw new ExpressionError(at, 'A text has a character that no database stores', 'Remove it.');
  return value;
}

/** Splits an expression into its tokens; the last is the end. @throws ExpressionError */
export function listTokens(text: string): Token[] {
  if (text.length > MOST_CHARACTERS) {
    const message = `The expression has ${text.length} characters, and at most ${MOST_CHARACTERS} are allowed`;
    throw new ExpressionError(MOST_CHARACTERS + 1, message, 'Move a part of it into another computed field.');
  }
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const index = pattern.lastIndex;
    const { groups } = pattern.exec(text) ?? {};
    if (groups === undefined) throw refuse(text, index);
    const kind = KINDS.find((each) => groups[each] !== undefined);
    if (kind === undefined) continue;
    const at = index + 1;
    const written = groups[kind] ?? '';
    const value = kind === 'text' ? readText(written, at) : written;
    tokens.push({ kind, text: value, at, end: at + written.length });
  }
  tokens.push({ kind: 'end', text: '', at: text.length + 1, end: text.length + 1 });
  return tokens;
}
