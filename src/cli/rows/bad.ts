import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Messages } from '../../core/request/response.ts';
import type { FedRow } from '../../plan/emit/row-feed.ts';
import type { Terminal } from '../terminal.ts';

/** An invalid row. */
export interface BadRow {
  readonly line: number;
  readonly message: string;
}

/** Maximum number of errors shown on a terminal, and of places per error; the rest is counted. */
const SHOWN = 100;

interface Range {
  readonly from: number;
  to: number;
}

/** Messages by column as one sentence; a message that names its column does not get it as a prefix. */
function toMessage(messages: Readonly<Messages>, path: readonly string[] = []): string {
  return Object.entries(messages)
    .map(([key, message]) => {
      if (typeof message !== 'string') return toMessage(message, [...path, key]);
      const column = [...path, key].join('.');
      return column === 'row' || message.includes(`"${key}"`) ? message : `${column}: ${message}`;
    })
    .join('; ');
}

/**
 * The invalid rows of an import: each message with all its lines, because an unknown column is an error of
 * every row. They are all kept in memory only for `--json`; a file is written as they occur.
 */
export class BadRows {
  readonly all: BadRow[] = [];
  count = 0;
  readonly #storesAll: boolean;
  readonly #stream: WriteStream | undefined;
  readonly #ranges = new Map<string, Range[]>();
  #untold = 0;

  /** @param file Gets the invalid rows as NDJSON: line, messages by column, and the row as read. */
  constructor(keepsAll: boolean, file: string | undefined) {
    this.#storesAll = keepsAll && file === undefined;
    this.#stream = file === undefined ? undefined : createWriteStream(file);
  }

  add({ line, values }: FedRow, messages: Readonly<Messages>): void {
    this.count += 1;
    const message = toMessage(messages);
    if (this.#storesAll) this.all.push({ line, message });
    this.#stream?.write(`${JSON.stringify({ line, messages, row: values })}\n`);
    this.#note(message, line);
  }

  #note(message: string, line: number): void {
    const ranges = this.#ranges.get(message);
    const last = ranges?.at(-1);
    if (last && line === last.to + 1) last.to = line;
    else if (ranges && ranges.length < SHOWN) ranges.push({ from: line, to: line });
    else if (!ranges && this.#ranges.size < SHOWN) this.#ranges.set(message, [{ from: line, to: line }]);
    else this.#untold += 1;
  }

  /** Waits until the file accepts more. */
  async drain(): Promise<void> {
    if (this.#stream?.writableNeedDrain) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (!this.#stream) return;
    this.#stream.end();
    await finished(this.#stream);
  }

  tell({ say, red }: Terminal, place: string): void {
    for (const [message, ranges] of this.#ranges) {
      const isOne = ranges.length === 1 && ranges[0]?.from === ranges[0]?.to;
      const lines = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
      say(red(`${isOne ? place : place.replace(/y$/, 'ie').concat('s')} ${lines}: ${message}`));
    }
    if (this.#untold > 0) say(`… and ${this.#untold} more.`);
  }
}
