/** Letters of a word that are compared. */
const COMPARED = 64;
/** Rows of the table of edits, which are used again and again: a check compares hundreds of sentences with thousands. */
const rows: [Uint8Array, Uint8Array, Uint8Array] = [row(), row(), row()];
function row(): Uint8Array {
  return new Uint8Array(COMPARED + 2);
}

/**
 * Number of edits (insert, delete, replace or swap a letter) between two words of at most {@link COMPARED} letters, or
 * `limit` if there are as many or more. Only cells near the diagonal can hold less than the limit.
 */
function countEdits(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let [before, last, line] = rows;
  before.fill(limit);
  for (let index = 0; index < last.length; index += 1) last[index] = index;
  for (let at = 1; at <= from.length; at += 1) {
    const first = Math.max(1, at - limit + 1);
    const end = Math.min(to.length, at + limit - 1);
    line[first - 1] = first === 1 ? at : limit;
    let least = at;
    const letter = from.charCodeAt(at - 1);
    const letterBefore = from.charCodeAt(at - 2);
    for (let column = first; column <= end; column += 1) {
      const other = to.charCodeAt(column - 1);
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (letter === other ? 0 : 1),
      );
      if (letterBefore === other && letter === to.charCodeAt(column - 2))
        edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      line[column] = edits;
      if (edits < least) least = edits;
    }
    // The next row reads one cell past the end of this one.
    line[end + 1] = limit;
    // No later row gets below: a swap reaches back two rows, and then this row has an edit more than what it starts from.
    if (least >= limit) return limit;
    [before, last, line] = [last, line, before];
  }
  return Math.min(limit, last[to.length] ?? 0);
}

/** Lower case may have more letters. */
const toCompared = (word: string): string => word.slice(0, COMPARED).toLowerCase().slice(0, COMPARED);

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
  const wanted = toCompared(word);
  let best: string | undefined;
  // Any two words of one letter differ by only one edit.
  let least = Math.min(most, wanted.length - 1, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    // Only this letter gets longer in lower case; of any other text the length alone tells that it is too far away.
    const difference = Math.abs(Math.min(candidate.length, COMPARED) - wanted.length);
    if (difference >= least && !candidate.includes('\u0130')) continue;
    const edits = countEdits(wanted, toCompared(candidate), least);
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

/** The one word that a hint of {@link toDidYouMean} proposes; undefined if it proposes none, or several. */
export function readSuggestion(hint: string): string | undefined {
  const [first, ...more] = hint.matchAll(/Did you mean "([^"]+)"\?/g);
  return more.length > 0 ? undefined : first?.[1];
}
