import process from 'node:process';
import { type Context, createContext, Script } from 'node:vm';
import { readCode } from '../../core/errors.ts';

/** Maximum characters to test a definition's regular expression on; a longer value does not match. */
const PATTERN_CHARACTERS = 100_000;
/**
 * Maximum backtracking paths of an expression that runs without a time limit: at worst some 10 ms of work.
 */
const MOST_WAYS = 1_000_000;
/** Milliseconds for one evaluation, and for all evaluations of one row together. */
const PATIENCE = 50;

/** Milliseconds left for the expressions of one row, so that many values of a list do not add up. */
export interface Patience {
  left: number;
}

export const createPatience = (): Patience => ({ left: PATIENCE });

/** True if a text matches; false also if the time limit was reached. */
export type PatternTest = (text: string, patience?: Patience) => boolean;

interface PatternParts {
  readonly source: string;
  readonly flags: string;
}

/** Splits a pattern with delimiters (`/^a+$/i`, `#…#`) or without. */
function splitPattern(pattern: string): PatternParts {
  const [, , source, flags] = /^([/#~%!@])([\s\S]*)\1([a-z]*)$/.exec(pattern) ?? [];
  return source === undefined
    ? { source: pattern, flags: '' }
    : { source, flags: (flags ?? '').replace(/[^imsu]/g, '') };
}

/**
 * The error of a definition's regular expression; undefined if valid.
 *
 * Refuses expressions that do not compile, and unbounded repetitions of something that itself repeats or has
 * alternatives, such as `(a+)+` and `(a|ab)*`: they could reach the time limit on short and harmless texts.
 */
export function findPatternError(pattern: string): string | undefined {
  const { source, flags } = splitPattern(pattern);
  try {
    // Tested once: a well-formed expression may still be too large.
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
/** A repeated group of a separator and a run, such as `(-[a-z]+)*`, or with the run first. */
const LIST = new RegExp(String.raw`\((?:\?:)?(?:(${ATOM})(${ATOM})[+*]|(${ATOM})[+*](${ATOM}))\)[*+]`, 'g');
/** Characters to compare two atoms with: beyond these, `\w` and similar atoms never equal a separator. */
const SAMPLE = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code));

/** Replaces lists with a separator that the run cannot match: they can be matched in only one way. */
function withoutLists(source: string, flags: string): string {
  return source.replace(LIST, (found, ...atoms: (string | undefined)[]) => {
    const [one, other] = atoms.slice(0, 4).filter((atom) => atom !== undefined);
    const toTest = (atom = ''): RegExp => new RegExp(`^(?:${atom})$`, flags);
    const [a, b] = [toTest(one), toTest(other)];
    return SAMPLE.some((character) => a.test(character) && b.test(character)) ? found : 'x*';
  });
}

/** Replaces escapes and classes by a plain letter, which leaves only the structure. */
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
      // A single optional part keeps one way to match; with two, as in `(a?b?)+`, there are as many as the
      // text has letters.
      top.optional += 1;
      if (top.optional > 1) top.isRisky = true;
    }
  }
  return false;
}

/** Replaces groups without variation by one letter: `(ab)+` has as many backtracking paths as `x+`. */
function withoutPlainGroups(bare: string): string {
  const fixed = bare.replace(/(?<!\))\{\d+\}/g, '');
  const plain = fixed.replace(/\((?:\?:)?[^()*+?{}|]*\)/g, 'x');
  return plain === fixed ? plain : withoutPlainGroups(plain);
}

/**
 * Computes the maximum backtracking paths for a text of some length: each unbounded repetition multiplies
 * them by the length, each alternative and each optional part by two. Infinite if a group repeats.
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
/** Created on first use, which most processes never reach: a context costs 1 ms and half a megabyte. */
const watch: Watch = { context: undefined };
const script = new Script('regexp.test(text)');

/** Maximum tries on a machine that gives the process no time. */
const MAX_TRIES = 4;

/** True if a text matches; undefined if the time limit interrupted it. */
function tryWatched(regexp: RegExp, text: string, limit: number): boolean | undefined {
  watch.context ??= createContext(Object.create(null));
  const { context } = watch;
  try {
    Object.assign(context, { regexp, text });
    return script.runInContext(context, { timeout: limit }) === true;
  } catch (error) {
    return readCode(error).endsWith('TIMEOUT') ? undefined : false;
  } finally {
    Object.assign(context, { regexp: undefined, text: undefined });
  }
}

/** Runs an expression with a time limit, which costs 0.07 ms: V8 can be interrupted while it backtracks. */
function testWatched(regexp: RegExp, text: string, patience: Patience): boolean {
  for (let tries = 0; tries < MAX_TRIES && patience.left > 0; tries += 1) {
    const before = process.cpuUsage();
    const limit = Math.ceil(Math.min(patience.left, PATIENCE));
    const isMatch = tryWatched(regexp, text, limit);
    const { user, system } = process.cpuUsage(before);
    const worked = (user + system) / 1000;
    patience.left -= worked;
    if (isMatch !== undefined) return isMatch;
    // The limit is wall-clock time: if other processes used the processor, the result is unknown.
    if (worked > limit / 2) return false;
  }
  return false;
}

/**
 * Compiles a definition's regular expression to a test that ends within 50 ms for any expression and text. A
 * refused expression matches nothing. Fast expressions run directly, all others with a time limit.
 */
export function compilePatternTest(pattern: string): PatternTest {
  if (findPatternError(pattern) !== undefined) return () => false;
  const { source, flags } = splitPattern(pattern);
  const regexp = new RegExp(source, flags);
  const countWays = compileWays(source, flags);
  return (text, patience = createPatience()) => {
    if (text.length > PATTERN_CHARACTERS) return false;
    return countWays(text.length) <= MOST_WAYS ? regexp.test(text) : testWatched(regexp, text, patience);
  };
}
