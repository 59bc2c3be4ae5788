import type { LogLevel, LogLine } from './log.ts';

/** Lines and characters that a process keeps; the oldest go first. */
const MOST_LINES = 2000;
const MOST_CHARACTERS = 1_000_000;
/** Characters of one line; of a longer one only time, level and event are kept. */
const MOST_OF_LINE = 16_384;

/** The last lines of a process's log, in memory. */
export class LogRing {
  readonly #lines: string[] = [];
  #characters = 0;
  /** Lines before this index are forgotten; they are cut off together, because each cut moves the rest. */
  #first = 0;

  /** @param line A line as JSON: `time`, `level`, `event` and its fields. */
  add(line: string): void {
    const kept = line.length > MOST_OF_LINE ? shorten(line) : line;
    this.#lines.push(kept);
    this.#characters += kept.length;
    while (this.#lines.length - this.#first > MOST_LINES || this.#characters > MOST_CHARACTERS) {
      this.#characters -= this.#lines[this.#first]?.length ?? 0;
      this.#lines[this.#first] = '';
      this.#first += 1;
    }
    if (this.#first < MOST_LINES) return;
    this.#lines.splice(0, this.#first);
    this.#first = 0;
  }

  /** The kept lines, oldest first. */
  read(): LogLine[] {
    return this.#lines.slice(this.#first).map(parseLine);
  }
}

/** A line as the log wrote it. */
interface WrittenLine extends Readonly<Record<string, unknown>> {
  readonly level: LogLevel;
}

const readLine = (line: string): WrittenLine => JSON.parse(line);

function shorten(line: string): string {
  const { time, level, event } = readLine(line);
  const cut = `${String(event).slice(0, 200)} (${line.length} characters, cut)`;
  return JSON.stringify({ time, level, event: String(event).length > 200 ? cut : event, cut: line.length });
}

function parseLine(line: string): LogLine {
  const { time, level, event, ...fields } = readLine(line);
  return { at: Date.parse(String(time)), level, event: String(event), fields };
}
