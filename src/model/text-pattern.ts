import process from 'node:process';
import { type Context, createContext, Script } from 'node:vm';

/** Characters of a value that a definition's regular expression is tried on; longer values fail it. */
const PATTERN_CHARACTERS = 100_000;
/** Ways that an expression may be tried in without a watch: some 10 ms of work at the very worst. */
const MOST_WAYS = 1_000_000;
/** Milliseconds that one evaluation may take, and all of one row's together. */
const PATIENCE = 50;

/** Milliseconds left for the expressions of one row. Many values of one list must not add up. */
export interface Patience {
  left: number;
}

export const createPatience = (): Patience => ({ left: PATIENCE });

/** Whether a text matches; false too where that could not be found out in time. */
export type PatternTest = (text: string, patience?: Patience) => boolean;

interface PatternParts {
  readonly source: string;
  readonly flags: string;
}

/** Parts of a pattern written with delimiters (`/^a+$/i`, `#…#`) or without. */
function splitPattern(pattern: string): PatternParts {
  const [, , source, flags] = /^([/#~%!@])([\s\S]*)\1([a-z]*)$/.exec(pattern) ?? [];
  return source === undefined
    ? { source: pattern, flags: '' }
    : { source, flags: (flags ?? '').replace(/[^imsu]/g, '') };
}

/**
 * What is wrong with a definition's regular expression; undefined where nothing is.
 *
 * Refused are those that do not compile, and those that repeat without bound what itself repeats or has alternatives,
 * such as `(a+)+` and `(a|ab)*`: they would run into the limit of time on short and harmless texts.
 */
export function findPatternFault(pattern: string): string | undefined {
  const { source, flags } = splitPattern(pattern);
  try {
    // Tried once: an expression may be well formed and yet too large.
    new RegExp(source, flags).test('');
  } catch {
    return 'is not a regular expression';
  }
  if (/\\[1-9]|\\k</.test(source)) return 'refers back to a group, which can take for ever';
  return hasNestedRepeat(withoutLists(source, flags))
    ? 'repeats a group that itself repeats or has alternatives, which can take for ever'
    : undefined;
}

const ATOM = String.raw`\\[^bB]|\[[^\]]*\]|[^\\[\](){}|*+?.^$]`;
/** A repeated group of a separator and a run, such as `(-[a-z]+)*`, or of the run first. */
const LIST = new RegExp(String.raw`\((?:\?:)?(?:(${ATOM})(${ATOM})[+*]|(${ATOM})[+*](${ATOM}))\)[*+]`, 'g');
/** Characters by which two atoms are compared: beyond them `\w` and its like are equal to nothing in a separator. */
const SAMPLE = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code));

/** Replaces lists whose separator no run can hold: there is one way to read them, however often they repeat. */
function withoutLists(source: string, flags: string): string {
  return source.replace(LIST, (found, ...atoms: (string | undefined)[]) => {
    const [one, other] = atoms.slice(0, 4).filter((atom) => atom !== undefined);
    const toTest = (atom = ''): RegExp => new RegExp(`^(?:${atom})$`, flags);
    const [a, b] = [toTest(one), toTest(other)];
    return SAMPLE.some((character) => a.test(character) && b.test(character)) ? found : 'x*';
  });
}

/** Escapes and classes as one plain letter each, so that what is left is structure. */
const toBare = (source: string): string => source.replace(/\\[\s\S]/g, 'x').replace(/\[[^\]]*\]/g, 'x');

function hasNestedRepeat(source: string): boolean {
  const bare = toBare(source);
  const open: { isRisky: boolean; optional: number }[] = [];
  for (let index = 0; index < bare.length; index += 1) {
    const character = bare[index];
    if (character === '(') {
      open.push({ isRisky: false, optional: 0 });
      continue;
    }
    const isRepeat = /^(?:[*+]|\{\d+,\d*\})/.test(bare.slice(index));
    const top = open.at(-1);
    if (character === ')') {
      const closed = open.pop();
      const outer = open.at(-1);
      const isRepeated = /^(?:[*+]|\{\d+,\d*\})/.test(bare.slice(index + 1));
      if (closed?.isRisky && isRepeated) return true;
      if (closed?.isRisky && outer) outer.isRisky = true;
    } else if (top && (isRepeat || character === '|')) top.isRisky = true;
    else if (top && character === '?' && !/[(*+?}]/.test(bare[index - 1] ?? '')) {
      // One optional part leaves one way to read a text; with two, as in `(a?b?)+`, there are as many as it has letters.
      top.optional += 1;
      if (top.optional > 1) top.isRisky = true;
    }
  }
  return false;
}

/** Replaces groups in which nothing varies by one letter: `(ab)+` is tried in as many ways as `x+`. */
function withoutPlainGroups(bare: string): string {
  const fixed = bare.replace(/(?<!\))\{\d+\}/g, '');
  const plain = fixed.replace(/\((?:\?:)?[^()*+?{}|]*\)/g, 'x');
  return plain === fixed ? plain : withoutPlainGroups(plain);
}

/**
 * Tells how many ways an engine that goes back may try on a text of some length, at most: each free repetition
 * multiplies them by the length, each alternative and each optional part by two. Unknown (infinite) where a group repeats.
 */
function compileWays(source: string, flags: string): (length: number) => number {
  const bare = withoutPlainGroups(toBare(withoutLists(source, flags)));
  if (/\)(?:[*+]|\{)/.test(bare)) return () => Number.POSITIVE_INFINITY;
  const repeats = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const forks = bare.match(/\||(?<![(*+?}])\?/g)?.length ?? 0;
  const isAnchored = /^\^/.test(bare) && !bare.includes('|') && !flags.includes('m');
  const power = repeats + (isAnchored ? 0 : 1);
  return (length) => 2 ** forks * Math.max(1, length) ** power;
}

interface Watch {
  context: Context | undefined;
}
/** Made when first needed, which in most processes is never: a context costs 1 ms and half a megabyte. */
const watch: Watch = { context: undefined };
const script = new Script('regexp.test(text)');

/** Tries after which a machine that gives the process no time is not asked again. */
const MAX_TRIES = 4;

/** Whether a text matches; undefined where the watch interrupted it. */
function tryWatched(regexp: RegExp, text: string, limit: number): boolean | undefined {
  watch.context ??= createContext(Object.create(null));
  const { context } = watch;
  try {
    Object.assign(context, { regexp, text });
    return script.runInContext(context, { timeout: limit }) === true;
  } catch (error) {
    return /TIMEOUT$/.test((error as NodeJS.ErrnoException).code ?? '') ? undefined : false;
  } finally {
    Object.assign(context, { regexp: undefined, text: undefined });
  }
}

/** Tries an expression under a watch, which costs 0.07 ms: V8 lets itself be interrupted while it goes back. */
function testWatched(regexp: RegExp, text: string, patience: Patience): boolean {
  for (let tries = 0; tries < MAX_TRIES && patience.left > 0; tries += 1) {
    const before = process.cpuUsage();
    const limit = Math.ceil(Math.min(patience.left, PATIENCE));
    const isMatch = tryWatched(regexp, text, limit);
    const { user, system } = process.cpuUsage(before);
    const worked = (user + system) / 1000;
    patience.left -= worked;
    if (isMatch !== undefined) return isMatch;
    // The watch goes by the clock on the wall: where others had the processor, nothing was found out.
    if (worked > limit / 2) return false;
  }
  return false;
}

/**
 * Compiles a definition's regular expression to a test that ends within 50 ms, whatever the expression and the text; one
 * that is refused passes nothing. What is surely quick is tried directly, all else under a watch.
 */
export function compilePatternTest(pattern: string): PatternTest {
  if (findPatternFault(pattern) !== undefined) return () => false;
  const { source, flags } = splitPattern(pattern);
  const regexp = new RegExp(source, flags);
  const countWays = compileWays(source, flags);
  return (text, patience = createPatience()) => {
    if (text.length > PATTERN_CHARACTERS) return false;
    return countWays(text.length) <= MOST_WAYS ? regexp.test(text) : testWatched(regexp, text, patience);
  };
}
