import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { once } from '../../core/memoize.ts';

/** A place in a text; both numbers start at 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

type Path = readonly PropertyKey[];

interface JsonError extends Place {
  readonly message: string;
}

/** Parsed JSON with the places of its parts, so that a problem can name a line. */
export interface JsonText {
  readonly value: unknown;
  readonly error: JsonError | undefined;
  /** Where the value at a path (for a property: its key) begins; for a missing path, its nearest parent. */
  findPlace(path: Path): Place;
}

const MAX_DEPTH = 200;

/** Messages by the parser's error code; `found` is the unexpected text. */
const MESSAGES: Readonly<Record<string, (found: string) => string>> = {
  ValueExpected: (found) => `a value is missing before ${found}`,
  PropertyNameExpected: (found) => `a key in double quotes is missing before ${found}`,
  ColonExpected: (found) => `":" is missing before ${found}`,
  CommaExpected: (found) => `"," or a closing bracket is missing before ${found}`,
  CloseBraceExpected: (found) => `"," or "}" is missing before ${found}`,
  CloseBracketExpected: (found) => `"," or "]" is missing before ${found}`,
  EndOfFileExpected: (found) => `nothing may follow, but ${found} does`,
  InvalidSymbol: (found) => `${found} is not a text in double quotes, a number, true, false or null`,
  InvalidCommentToken: () => 'JSON has no comments',
  UnexpectedEndOfNumber: (found) => `the number ${found} is not complete`,
};
const TEXT_ERROR = 'a text is not closed, or holds a line break or a wrong escape';
/** Maximum characters of the text in a message. */
const SHOWN = 40;

class JsonSyntaxError extends Error {
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

const toPlace = (line: number, character: number): Place => ({ line: line + 1, column: character + 1 });

/** The place of a trailing comma before the closing bracket at `offset`. */
function findLastComma(text: string, offset: number): Place | undefined {
  const before = text.slice(0, offset).trimEnd();
  if (!/^[\]}]/.test(text.slice(offset)) || !before.endsWith(',')) return undefined;
  const lines = before.split('\n');
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}

/** Records the places of a text's parts, and throws the first error. */
function createVisitor(text: string, places: Map<string, Place>): JSONVisitor {
  const note = (path: Path, place: Place): void => {
    if (path.length > MAX_DEPTH) throw new JsonSyntaxError(`nested more than ${MAX_DEPTH} deep`, place);
    const name = JSON.stringify(path);
    // A property's place is that of its key.
    if (!places.has(name)) places.set(name, place);
  };
  const begin: JSONVisitor['onObjectBegin'] = (_offset, _length, line, character, path) =>
    note(path(), toPlace(line, character));
  return {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onLiteralValue: (_value, _offset, _length, line, character, path) => note(path(), toPlace(line, character)),
    onObjectProperty(key, _offset, _length, line, character, path) {
      const place = toPlace(line, character);
      const name = JSON.stringify([...path(), key]);
      if (key === '__proto__') throw new JsonSyntaxError(`the key "${key}" is refused`, place);
      // JSON.parse would keep only the last.
      if (places.has(name)) throw new JsonSyntaxError(`the key "${key}" appears twice`, place);
      places.set(name, place);
    },
    onError(code, offset, length, line, character) {
      const comma = findLastComma(text, offset);
      if (comma) throw new JsonSyntaxError('there is a "," after the last part', comma);
      const found = text.slice(offset, offset + Math.min(length, SHOWN)) || 'the end of the file';
      const message = MESSAGES[printParseErrorCode(code)]?.(found) ?? TEXT_ERROR;
      throw new JsonSyntaxError(message, toPlace(line, character));
    },
  };
}

/** Spaces before a line that is nested deeper than the limit. */
const TOO_DEEP = ' '.repeat(2 * MAX_DEPTH);

/**
 * Whether a value prints as its own text. If so, the text is strict JSON and no key appears twice: reading its places,
 * which takes ten times as long as parsing it, can wait until a problem needs one.
 */
const printsAs = (value: unknown, text: string): boolean =>
  JSON.stringify(value, null, 2) === text.trimEnd() && !text.includes('__proto__') && !text.includes(TOO_DEEP);

function parsePlain(text: string): unknown {
  try {
    const value = JSON.parse(text);
    return printsAs(value, text) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Places = ReadonlyMap<string, Place>;

/** @throws JsonSyntaxError */
function readPlaces(text: string, places = new Map<string, Place>()): Places {
  visit(text, createVisitor(text, places), { disallowComments: true });
  return places;
}

const createFinder =
  (list: () => Places): JsonText['findPlace'] =>
  (path) => {
    const places = list();
    for (let length = path.length; length >= 0; length -= 1) {
      const place = places.get(JSON.stringify(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return { line: 1, column: 1 };
  };

/** Reads strict JSON (RFC 8259). Invalid text gives an error with its line and column; so does a key that appears twice. */
export function parseJsonText(given: string): JsonText {
  const text = given.replace(/^\uFEFF/, '');
  const value = parsePlain(text);
  if (value !== undefined) return { value, error: undefined, findPlace: createFinder(once(() => readPlaces(text))) };
  const places = new Map<string, Place>();
  const findPlace = createFinder(() => places);
  try {
    readPlaces(text, places);
    return { value: JSON.parse(text), error: undefined, findPlace };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { value: undefined, error: { ...error.place, message: error.message }, findPlace };
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

/** The keys of a path as {@link printPath} prints it; undefined if it is none. */
export function parsePath(text: string): (string | number)[] | undefined {
  const keys: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const [whole = '', index, quoted, plain] =
      /^(?:\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([A-Za-z_$][\w$-]*))/.exec(rest) ?? [];
    if (whole === '') return undefined;
    keys.push(index !== undefined ? Number(index) : quoted !== undefined ? String(JSON.parse(quoted)) : (plain ?? ''));
    rest = rest.slice(whole.length);
  }
  return keys;
}
