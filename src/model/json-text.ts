/** A place in a text, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

type Path = readonly (string | number)[];

interface JsonFault extends Place {
  readonly message: string;
}

/** JSON read with the places of its parts, so that a problem can name a line. */
export interface JsonText {
  readonly value: unknown;
  readonly fault: JsonFault | undefined;
  /** Where a path's value (a property: its key) begins; of a path that is not there, where its nearest parent does. */
  findPlace(path: Path): Place;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Up to the closing quote; a control character or a broken escape ends the match.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON refuses.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const MAX_DEPTH = 200;
const REFUSED: ReadonlySet<string> = new Set(['__proto__']);

class Fault extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function toPlace(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - start + 1 };
}

/** JSON as RFC 8259 has it; a key that stands twice is a fault, since all but the last would be lost. */
class Reader {
  readonly #text: string;
  readonly places = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    this.#at = this.#text.startsWith('\uFEFF') ? 1 : 0;
    const value = this.#value([]);
    this.#blank();
    if (this.#at < this.#text.length) throw new Fault(`nothing may follow, but ${this.#found()} does`, this.#at);
    return value;
  }

  #blank(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #found(): string {
    const character = this.#text[this.#at];
    return character === undefined ? 'the end of the file' : JSON.stringify(character);
  }

  #value(path: Path): unknown {
    this.#blank();
    const key = JSON.stringify(path);
    if (!this.places.has(key)) this.places.set(key, this.#at);
    if (path.length > MAX_DEPTH) throw new Fault(`nested more than ${MAX_DEPTH} deep`, this.#at);
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(path);
    if (first === '[') return this.#array(path);
    if (first === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = this.#match(NUMBER);
    if (number === undefined) throw new Fault(`a value is missing before ${this.#found()}`, this.#at);
    return Number(number);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #string(): string {
    const start = this.#at;
    const found = this.#match(STRING);
    if (found !== undefined) return JSON.parse(found) as string;
    throw new Fault('a text is not closed, or holds a line break or a wrong escape', start);
  }

  /** After a part: whether another follows. */
  #next(close: string): boolean {
    this.#blank();
    const found = this.#text[this.#at];
    if (found === close) {
      this.#at += 1;
      return false;
    }
    if (found !== ',') throw new Fault(`"," or "${close}" is missing before ${this.#found()}`, this.#at);
    const comma = this.#at;
    this.#at += 1;
    this.#blank();
    if (this.#text[this.#at] === close) throw new Fault('there is a "," after the last part', comma);
    return true;
  }

  #isEmpty(close: string): boolean {
    this.#at += 1;
    this.#blank();
    if (this.#text[this.#at] !== close) return false;
    this.#at += 1;
    return true;
  }

  #array(path: Path): unknown[] {
    const list: unknown[] = [];
    if (this.#isEmpty(']')) return list;
    do list.push(this.#value([...path, list.length]));
    while (this.#next(']'));
    return list;
  }

  #object(path: Path): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    if (this.#isEmpty('}')) return map;
    do {
      this.#blank();
      const start = this.#at;
      if (this.#text[start] !== '"')
        throw new Fault(`a key in double quotes is missing before ${this.#found()}`, start);
      const key = this.#string();
      if (REFUSED.has(key)) throw new Fault(`the key "${key}" is refused`, start);
      if (Object.hasOwn(map, key)) throw new Fault(`the key "${key}" appears twice`, start);
      this.#blank();
      if (this.#text[this.#at] !== ':') throw new Fault(`":" is missing before ${this.#found()}`, this.#at);
      this.#at += 1;
      this.places.set(JSON.stringify([...path, key]), start);
      map[key] = this.#value([...path, key]);
    } while (this.#next('}'));
    return map;
  }
}

/** Reads JSON; a text that is none gives a fault with its line and column. */
export function parseJsonText(text: string): JsonText {
  const reader = new Reader(text);
  const findPlace = (path: Path): Place => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = reader.places.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return toPlace(text, offset);
    }
    return toPlace(text, reader.places.get('[]') ?? 0);
  };
  try {
    return { value: reader.read(), fault: undefined, findPlace };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { value: undefined, fault: { ...toPlace(text, error.at), message: error.message }, findPlace };
  }
}

/** A path as problems print it: `fields[2].type`. */
export function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const text = String(key);
      if (!/^[A-Za-z_$][\w$-]*$/.test(text)) return `[${JSON.stringify(text)}]`;
      return index === 0 ? text : `.${text}`;
    })
    .join('');
}
