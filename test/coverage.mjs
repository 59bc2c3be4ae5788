// Reads what V8 counted while bundled suites ran, and tells which lines of the source no suite reached: the source maps
// of the bundle lead from its characters to lines. Only lines with code count.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((char, index) => [char, index]),
);

/** Numbers of a segment. @see Source Map, revision 3, "VLQ" */
function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = DIGITS.get(char);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** Each mapped character of a script as `[offset, file, line]`, in order, for files that are wanted. */
function listMapped(script, isWanted) {
  const text = readFileSync(script, 'utf8');
  const { sources, mappings } = JSON.parse(readFileSync(`${script}.map`, 'utf8'));
  const files = sources.map((source) => resolve(dirname(script), source));
  const mapped = [];
  let begin = 0;
  let [source, line] = [0, 0];
  const ends = text.split('\n').map((row) => row.length + 1);
  for (const [index, row] of mappings.split(';').entries()) {
    let column = 0;
    for (const segment of row === '' ? [] : row.split(',')) {
      const [columns, sourceBy, lineBy] = decode(segment);
      column += columns;
      if (sourceBy === undefined) continue;
      source += sourceBy;
      line += lineBy;
      if (isWanted(files[source])) mapped.push([begin + column, files[source], line + 1]);
    }
    begin += ends[index] ?? 0;
  }
  return mapped;
}

/** Ends and counts of adjoining intervals: an inner range replaces the count of the one around it. */
function flatten(functions) {
  const ranges = functions.flatMap((one) => one.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const intervals = [];
  const open = [];
  const close = (until) => {
    while (open.length > 0 && open.at(-1).endOffset <= until) {
      const { endOffset, count } = open.pop();
      if (endOffset > (intervals.at(-1)?.[0] ?? 0)) intervals.push([endOffset, count]);
    }
  };
  for (const range of ranges) {
    close(range.startOffset);
    if (open.length > 0 && range.startOffset > (intervals.at(-1)?.[0] ?? 0))
      intervals.push([range.startOffset, open.at(-1).count]);
    open.push(range);
  }
  close(Number.POSITIVE_INFINITY);
  return intervals;
}

/** Lines by file with whether a suite reached them. */
function readLines(folder, bundle, isWanted) {
  const maps = new Map();
  const files = new Map();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      const script = url.startsWith('file:') ? fileURLToPath(url) : '';
      // A suite may start a program of its own, which inherits the counting and may be gone.
      if (!script.startsWith(bundle) || !existsSync(`${script}.map`)) continue;
      const mapped = maps.get(script) ?? listMapped(script, isWanted);
      maps.set(script, mapped);
      const intervals = mapped.length === 0 ? [] : flatten(functions);
      let at = 0;
      for (const [offset, file, line] of mapped) {
        while (at < intervals.length && intervals[at][0] <= offset) at += 1;
        const lines = files.get(file) ?? new Map();
        files.set(file, lines);
        lines.set(line, (lines.get(line) ?? false) || (intervals[at]?.[1] ?? 0) > 0);
      }
    }
  }
  return files;
}

/** `3-5,9` of the lines that were not reached, as neighbours in the list of lines with code. */
function toSpans(lines) {
  const spans = [];
  let isOpen = false;
  for (const [line, isReached] of [...lines].sort(([a], [b]) => a - b)) {
    if (!isReached && isOpen) spans.at(-1)[1] = line;
    else if (!isReached) spans.push([line, line]);
    isOpen = !isReached;
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/**
 * Prints the files with lines that no suite reached, and the share of lines that some suite reached.
 * @returns that share in percent
 */
export function reportCoverage({ folder, bundle, root, layers }) {
  const wanted = layers.map((layer) => join(root, 'src', layer, '/'));
  const files = readLines(folder, bundle, (file) => wanted.some((start) => file.startsWith(start)));
  let [all, reached] = [0, 0];
  process.stdout.write('\nLines that no suite reached\n');
  for (const [file, lines] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const hit = [...lines.values()].filter(Boolean).length;
    all += lines.size;
    reached += hit;
    if (hit < lines.size)
      process.stdout.write(
        `${((hit / lines.size) * 100).toFixed(0).padStart(4)}%  ${relative(root, file)}: ${toSpans(lines)}\n`,
      );
  }
  const percent = all === 0 ? 0 : (reached / all) * 100;
  process.stdout.write(`${percent.toFixed(2)}% of ${all} lines with code in ${layers.join(', ')}\n`);
  return percent;
}
