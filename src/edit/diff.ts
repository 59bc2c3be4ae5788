import { structuredPatch } from 'diff';

/** Maximum number of changed lines for the shortest diff; above it, all lines count as replaced. */
const MOST_EDITS = 2000;
const CONTEXT = 1;
/** Maximum number of changed lines shown per file. */
const MOST_SHOWN = 24;
const LINE_CHARACTERS = 140;
/** Characters shown before the first difference of a long line. */
const LEAD_CHARACTERS = 30;

/** The part of a long line around its first difference. */
function cut(text: string, other: string | undefined): string {
  if (text.length <= LINE_CHARACTERS) return text;
  let at = 0;
  while (other !== undefined && at < text.length && text[at] === other[at]) at += 1;
  const start = other === undefined || at < LINE_CHARACTERS - LEAD_CHARACTERS ? 0 : at - LEAD_CHARACTERS;
  const part = text.slice(start, start + LINE_CHARACTERS);
  return `${start > 0 ? '…' : ''}${part}${start + LINE_CHARACTERS < text.length ? '…' : ''}`;
}

const toContext = (line: string): string => `    ${cut(line, undefined)}`;

/** Prints removed and added lines; if they are equally many, each removed line is followed by the one that replaces it. */
function printChange(from: readonly string[], to: readonly string[]): string[] {
  if (from.length !== to.length) {
    return [...from.map((line) => `  - ${cut(line, undefined)}`), ...to.map((line) => `  + ${cut(line, undefined)}`)];
  }
  return from.flatMap((line, index) => [`  - ${cut(line, to[index])}`, `  + ${cut(to[index] ?? '', line)}`]);
}

/** The hunks of a diff: their lines, each after ' ', '-' or '+'. */
function listHunks(before: string, after: string): (readonly string[])[] {
  const [from, to] = [before.trimEnd(), after.trimEnd()];
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', `${from}\n`, `${to}\n`, undefined, undefined, options);
  const list = (text: string, mark: string): string[] => text.split('\n').map((line) => mark + line);
  return patch?.hunks.map(({ lines }) => lines) ?? [[...list(from, '-'), ...list(to, '+')]];
}

function printHunk(hunk: readonly string[]): string[] {
  const printed: string[] = [];
  let at = 0;
  const take = (mark: string): string[] => {
    const start = at;
    while (hunk[at]?.startsWith(mark)) at += 1;
    return hunk.slice(start, at).map((line) => line.slice(1));
  };
  while (at < hunk.length) printed.push(...take(' ').map(toContext), ...printChange(take('-'), take('+')));
  return printed;
}

/** The diff of two texts, with one line of context before and after each change. */
export function toDiff(before: string, after: string, most = MOST_SHOWN): string[] {
  const lines = listHunks(before, after).flatMap((hunk, index) => [
    ...(index > 0 ? ['    …'] : []),
    ...printHunk(hunk),
  ]);
  const left = lines.slice(most).filter((line) => /^ {2}[-+]/.test(line)).length;
  return left === 0 ? lines : [...lines.slice(0, most), `    … and ${left} more lines`];
}
