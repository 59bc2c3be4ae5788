/**
 * Number of edits (insert, delete, replace or swap a letter) between two words, or `limit` if there are as many or more.
 * Only cells near the diagonal can hold less than the limit: a check compares hundreds of sentences with each other.
 */
function countEdits(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const first = Math.max(1, row - limit + 1);
    const end = Math.min(to.length, row + limit - 1);
    const line: number[] = new Array(to.length + 1).fill(limit);
    line[0] = row;
    let least = row;
    for (let column = first; column <= end; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      line[column] = edits;
      if (edits < least) least = edits;
    }
    // No later row gets below: a swap reaches back two rows, and then this row has an edit more than what it starts from.
    if (least >= limit) return limit;
    before = last;
    last = line;
  }
  return Math.min(limit, last[to.length] ?? 0);
}

/**
 * The candidate that a mistyped word most likely meant; undefined if none is close (a third of its letters,
 * at least 1).
 *
 * @param most Maximum edits, if fewer.
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const wanted = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  // Any two words of one letter differ by only one edit.
  let least = Math.min(most, wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    const edits = countEdits(wanted, candidate.slice(0, 64).toLowerCase(), least);
    if (edits < least) {
      best = candidate;
      least = edits;
    }
  }
  return best;
}

/** Hint for an unknown word: `Did you mean "x"?`, else the candidates. */
export function toDidYouMean(word: string, candidates: Iterable<string>): string {
  const list = [...candidates];
  const found = suggest(word, list);
  if (found !== undefined) return `Did you mean "${found}"?`;
  if (list.length === 0) return 'None yet.';
  const shown = list.slice(0, 12).join(', ');
  if (list.length > 12) return `There are ${shown} and ${list.length - 12} more.`;
  return list.length === 1 ? `There is only ${shown}.` : `There are ${shown}.`;
}
