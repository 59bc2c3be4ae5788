/** A text with numbered places, such as `There is no schema "{0}".`, that a made text may have been. */
export interface TextPattern {
  readonly source: string;
  /** What stands before, between and after the places. */
  readonly pieces: readonly string[];
  /** Number of each place. */
  readonly places: readonly string[];
}

const PLACE = /\{(\d+)\}/;
/** Fewer letters would fit any text. */
const LEAST_LETTERS = 6;

/** The pattern of a text; undefined if it has no numbered place, or hardly anything besides. */
export function toPattern(source: string): TextPattern | undefined {
  if (!PLACE.test(source)) return undefined;
  const parts = source.split(PLACE);
  const pieces = parts.filter((_part, index) => index % 2 === 0);
  const places = parts.filter((_part, index) => index % 2 === 1);
  return pieces.join('').replace(/\P{L}/gu, '').length < LEAST_LETTERS ? undefined : { source, pieces, places };
}

/**
 * Values of the places, if the text is made of the pattern. Each piece is looked for once from left to right, so that it
 * takes as long as the text is long.
 */
export function matchPattern({ pieces, places }: TextPattern, text: string): Record<string, string> | undefined {
  const [first = '', ...rest] = pieces;
  const last = rest.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: Record<string, string> = {};
  let at = first.length;
  for (const [index, piece] of rest.entries()) {
    const isLast = index === rest.length - 1;
    // A place has at least one character.
    const end = isLast ? text.length - last.length : text.indexOf(piece, at + 1);
    if (end <= at) return undefined;
    values[places[index] ?? ''] = text.slice(at, end);
    at = end + piece.length;
  }
  return values;
}
