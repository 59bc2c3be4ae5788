import { diffWordsWithSpace } from 'diff';
import { toPlain } from '../../../model/format-text.ts';

/** A piece of a text; `isChanged` if the other side does not have it. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A value on each side, in pieces. */
export interface Compared {
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

/** Characters of a text that are compared by words. Longer ones are shown whole. */
const MOST_COMPARED = 50_000;
/** Milliseconds for a comparison. */
const TIME = 300;

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : toPlain(value);
};

const whole = (text: string, isChanged: boolean): Piece[] => (text === '' ? [] : [{ text, isChanged }]);

/** Compares two values by words, so that a page can mark what changed inside a long text. */
export function compareValues(before: unknown, after: unknown): Compared {
  const [from, to] = [toText(before), toText(after)];
  const isLong = from.length + to.length > MOST_COMPARED;
  const parts = from === '' || to === '' || isLong ? undefined : diffWordsWithSpace(from, to, { timeout: TIME });
  if (parts === undefined) return { before: whole(from, false), after: whole(to, false) };
  return {
    before: parts
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed === true })),
    after: parts
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added === true })),
  };
}
