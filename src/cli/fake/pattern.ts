import type { Chance } from './random.ts';

/** Repetitions for an unbounded quantifier. */
const MOST_REPEATS = 6;
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const WORD = `${LOWER}${LOWER.toUpperCase()}${DIGITS}_`;
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: WORD, s: ' ' };

type TextMaker = (chance: Chance) => string;

const without = (characters: string): string => [...PRINTABLE].filter((each) => !characters.includes(each)).join('');

/** Thrown for unsupported syntax, such as lookahead. */
class UnsupportedSyntaxError extends Error {}

/** Parses a regular expression into a generator of matching texts. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): TextMaker {
    const made = this.#alternatives();
    if (this.#at < this.#source.length) throw new UnsupportedSyntaxError();
    return made;
  }

  #take(): string {
    const character = this.#source[this.#at];
    if (character === undefined) throw new UnsupportedSyntaxError();
    this.#at += 1;
    return character;
  }

  #skip(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(): TextMaker {
    const first = this.#sequence();
    const options = [first];
    while (this.#skip('|')) options.push(this.#sequence());
    return (chance) => (options.length === 1 ? first : chance.pick(options))(chance);
  }

  #sequence(): TextMaker {
    const parts: TextMaker[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      const part = this.#atom();
      parts.push(this.#repeat(part));
    }
    return (chance) => parts.map((part) => part(chance)).join('');
  }

  #repeat(part: TextMaker): TextMaker {
    const [all, least, isOpen, most] = /^\{(\d+)(,)?(\d*)\}/.exec(this.#source.slice(this.#at)) ?? [];
    let range: [number, number] | undefined;
    if (all !== undefined) {
      this.#at += all.length;
      const from = Number(least);
      range = [from, most ? Number(most) : isOpen === undefined ? from : from + MOST_REPEATS];
    } else if (this.#skip('*')) range = [0, MOST_REPEATS];
    else if (this.#skip('+')) range = [1, MOST_REPEATS];
    else if (this.#skip('?')) range = [0, 1];
    if (range === undefined) return part;
    this.#skip('?');
    const [from, to] = range;
    return (chance) => Array.from({ length: chance.whole(from, Math.max(from, to)) }, () => part(chance)).join('');
  }

  #atom(): TextMaker {
    const character = this.#take();
    if (character === '^' || character === '$') return () => '';
    if (character === '.') return (chance) => chance.pick([...LOWER]);
    if (character === '(') return this.#group();
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escape();
    return () => character;
  }

  #group(): TextMaker {
    if (this.#skip('?') && !this.#skip(':')) throw new UnsupportedSyntaxError();
    const made = this.#alternatives();
    if (!this.#skip(')')) throw new UnsupportedSyntaxError();
    return made;
  }

  #escape(): TextMaker {
    const list = this.#escaped();
    return list === '' ? () => '' : (chance) => chance.pick([...list]);
  }

  /** The characters that an escape matches. */
  #escaped(): string {
    const character = this.#take();
    const known = CLASSES[character];
    if (known !== undefined) return known;
    const opposite = CLASSES[character.toLowerCase()];
    if (opposite !== undefined) return without(opposite);
    if (character === 'b') return '';
    if (character === 'p') return this.#property();
    if (character === 'n') return '\n';
    if (character === 't') return '\t';
    if (/[A-Za-z0-9]/.test(character)) throw new UnsupportedSyntaxError();
    return character;
  }

  #property(): string {
    const [all, name] = /^\{([^}]*)\}/.exec(this.#source.slice(this.#at)) ?? [];
    const found = { L: LOWER, Ll: LOWER, Lu: LOWER.toUpperCase(), N: DIGITS, Nd: DIGITS }[name ?? ''];
    if (all === undefined || found === undefined) throw new UnsupportedSyntaxError();
    this.#at += all.length;
    return found;
  }

  #class(): TextMaker {
    const isNegated = this.#skip('^');
    let list = '';
    while (!this.#skip(']')) {
      const first = this.#classPart();
      if (first.length === 1 && /^-[^\]]/.test(this.#source.slice(this.#at))) {
        this.#at += 1;
        list += toRange(first, this.#classPart());
      } else list += first;
    }
    const characters = isNegated ? without(list) : list;
    if (characters === '') throw new UnsupportedSyntaxError();
    return (chance) => chance.pick([...characters]);
  }

  #classPart(): string {
    return this.#skip('\\') ? this.#escaped() : this.#take();
  }
}

function toRange(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  if (last.length !== 1 || to < from || to - from > 1000) throw new UnsupportedSyntaxError();
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index)).join('');
}

/** Compiles a generator of texts that match a definition's regular expression; undefined for unsupported syntax. */
export function compileMaker(pattern: string): TextMaker | undefined {
  const [, , source = pattern] = /^([/#~%!@])([\s\S]*)\1[a-z]*$/.exec(pattern) ?? [];
  try {
    return new Reader(source).read();
  } catch (error) {
    if (error instanceof UnsupportedSyntaxError) return undefined;
    throw error;
  }
}
