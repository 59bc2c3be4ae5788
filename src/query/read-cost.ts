import type { ReadCost } from '../database/read-cost.ts';
import type { Search } from './search.ts';

/** Milliseconds that a search is taken for until it has run once: one could be written that takes seconds. */
const GUESS = 50;
/** A word of so many letters is about as rare as a longer one. */
const MOST_LETTERS = 4;

const PLAIN: ReadCost = { kind: '', guess: GUESS };

/**
 * What a search's cost is remembered by, besides its statement: a beginning of one letter finds most rows where one of
 * four finds few, and rows that `offset` passes over are read.
 */
export function toReadCost({ words, offset }: Search): ReadCost {
  if (words === undefined && offset === 0) return PLAIN;
  const letters = words === undefined ? '' : Math.min(words.letters, MOST_LETTERS);
  return { kind: `${letters}/${offset === 0 ? '' : Math.floor(Math.log10(offset))}`, guess: GUESS };
}
