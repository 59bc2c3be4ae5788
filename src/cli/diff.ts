/** Lines beyond which two texts are compared by place, not by what they share: rows of data, whose number stays. */
const MOST_LINES = 600;
const CONTEXT = 1;
/** Changed lines of one file that are shown. */
const MOST_SHOWN = 24;
const LINE_CHARACTERS = 140;
/** Characters before the first difference of a long line. */
const LEAD_CHARACTERS = 30;

type Pair = readonly [number, number];

/** A stretch that both texts have, or one that is another. */
interface Hunk {
  readonly same: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The longest list of lines that both have, as pairs of places. */
function findShared(from: readonly string[], to: readonly string[]): Pair[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let a = from.length - 1; a >= 0; a -= 1) {
    const row = lengths[a] as Uint16Array;
    const below = lengths[a + 1] as Uint16Array;
    for (let b = to.length - 1; b >= 0; b -= 1) {
      row[b] = from[a] === to[b] ? (below[b + 1] ?? 0) + 1 : Math.max(below[b] ?? 0, row[b + 1] ?? 0);
    }
  }
  const shared: Pair[] = [];
  let [a, b] = [0, 0];
  while (a < from.length && b < to.length) {
    if (from[a] === to[b]) shared.push([a++, b++]);
    else if ((lengths[a + 1]?.[b] ?? 0) >= (lengths[a]?.[b + 1] ?? 0)) a += 1;
    else b += 1;
  }
  return shared;
}

const pairByPlace = (from: readonly string[], to: readonly string[]): Pair[] =>
  from.flatMap((line, index): Pair[] => (line === to[index] ? [[index, index]] : []));

function toHunks(from: readonly string[], to: readonly string[]): Hunk[] {
  const isLong = Math.max(from.length, to.length) > MOST_LINES;
  const shared = isLong ? pairByPlace(from, to) : findShared(from, to);
  const hunks: Hunk[] = [];
  let same: string[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...shared, [from.length, to.length] as const]) {
    if (nextA > a || nextB > b) {
      hunks.push({ same, from: from.slice(a, nextA), to: to.slice(b, nextB) });
      same = [];
    }
    same.push(from[nextA] ?? '');
    [a, b] = [nextA + 1, nextB + 1];
  }
  return [...hunks, { same: same.slice(0, -1), from: [], to: [] }];
}

/** A long line from shortly before where it becomes another. */
function cut(text: string, other: string | undefined): string {
  if (text.length <= LINE_CHARACTERS) return text;
  let at = 0;
  while (other !== undefined && at < text.length && text[at] === other[at]) at += 1;
  const start = other === undefined || at < LINE_CHARACTERS - LEAD_CHARACTERS ? 0 : at - LEAD_CHARACTERS;
  const part = text.slice(start, start + LINE_CHARACTERS);
  return `${start > 0 ? '…' : ''}${part}${start + LINE_CHARACTERS < text.length ? '…' : ''}`;
}

/** Lines that were put in another's place stand beside it. */
function printHunk({ from, to }: Hunk): string[] {
  if (from.length !== to.length) {
    return [...from.map((line) => `  - ${cut(line, undefined)}`), ...to.map((line) => `  + ${cut(line, undefined)}`)];
  }
  return from.flatMap((line, index) => [`  - ${cut(line, to[index])}`, `  + ${cut(to[index] ?? '', line)}`]);
}

/** What of a text is another, line by line, with the line before and after each place. */
export function toDiff(before: string, after: string, most = MOST_SHOWN): string[] {
  const hunks = toHunks(before.trimEnd().split('\n'), after.trimEnd().split('\n'));
  const lines: string[] = [];
  let left = 0;
  for (const [index, hunk] of hunks.entries()) {
    const isChange = hunk.from.length + hunk.to.length > 0;
    const head = index === 0 ? [] : hunk.same.slice(0, CONTEXT);
    const tail = isChange ? hunk.same.slice(head.length).slice(-CONTEXT) : [];
    const isGap = index > 0 && isChange && hunk.same.length > head.length + tail.length;
    if (lines.length < most) {
      lines.push(...head.map(toContext), ...(isGap ? ['    …'] : []), ...tail.map(toContext));
    }
    for (const line of printHunk(hunk)) {
      if (lines.length < most) lines.push(line);
      else left += 1;
    }
  }
  return left === 0 ? lines : [...lines, `    … and ${left} more lines`];
}

const toContext = (line: string): string => `    ${cut(line, undefined)}`;
