import type { ReadCost } from '../database/read-cost.ts';
import type { Search } from './search.ts';

/** Assumed milliseconds of a search that has not run yet: it could take seconds. */
const GUESS = 50;
/** Words of at least this many letters are assumed equally rare. */
const MOST_LETTERS = 4;

const PLAIN: ReadCost = { kind: '', guess: GUESS };

/**
 * Key for a search's measured cost, in addition to its statement: a prefix of one letter finds far more rows than
 * one of four, and rows skipped by `offset` are read too.
 */
export function toReadCost({ words, offset }: Search): ReadCost {
  if (words === undefined && offset === 0) return PLAIN;
  const letters = words === undefined ? '' : Math.min(words.letters, MOST_LETTERS);
  return { kind: `${letters}/${offset === 0 ? '' : Math.floor(Math.log10(offset))}`, guess: GUESS };
}
