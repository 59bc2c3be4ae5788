/** One record of a CSV text with the line that it starts on. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A quote that is never closed, or text after a closing one. */
export class CsvFault extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const CELL = /"((?:[^"]|"")*)"|([^,"\r\n]*)/y;

/**
 * Reads CSV. Empty lines are left out; a byte order mark is passed over.
 *
 * @see RFC 4180
 * @throws CsvFault
 */
export function* readCsv(text: string): Generator<CsvRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    for (;;) {
      CELL.lastIndex = at;
      const found = CELL.exec(text);
      if (!found || (found[0] === '' && text[at] === '"')) throw new CsvFault('a quote is never closed', line);
      const [whole, quoted, plain = ''] = found;
      cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      line += quoted === undefined ? 0 : quoted.split('\n').length - 1;
      at += whole.length;
      if (text[at] !== ',') break;
      at += 1;
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r') {
      throw new CsvFault('a quote stands in a cell that does not start with one', line);
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    if (cells.length > 1 || cells[0] !== '') yield { line: start, cells };
  }
}

/** One line of CSV, without its line break. */
export function toCsvLine(cells: readonly unknown[]): string {
  return cells
    .map((cell) => {
      const text =
        cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
      return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
}
