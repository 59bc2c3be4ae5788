import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { readCode, TreadleError } from '../../core/errors.ts';
import {
  type ArchiveTable,
  DECIMAL_FORMAT,
  type EncodedRow,
  Header,
  Line,
  MARK,
  type RowBatch,
  type RowSource,
  type TableSum,
} from './shape.ts';
import { isSafeUpload } from './upload.ts';
import { Digest } from './value.ts';

/** Rows per batch. */
const BATCH_ROWS = 256;
const BATCH_CHARACTERS = 1_000_000;
/** Maximum characters of a line, below the string limit of V8. */
const LINE_CHARACTERS = 400_000_000;
/**
 * Limit for a line: this many characters, or a multiple of the file's bytes. It stops a small file that
 * decompresses to a huge line.
 */
const USUAL_CHARACTERS = 32_000_000;
const CHARACTERS_A_BYTE = 50;
/** Limit for the header, which names tables and columns. */
const HEADER_CHARACTERS = 8_000_000;

const HINT = 'Take another backup: nothing of this one was used.';

function brokenError(file: string, message: string, cause?: unknown): TreadleError {
  return new TreadleError('ARCHIVE_BROKEN', `${file} is damaged: ${message}.`, { hint: HINT, cause });
}

function unknownError(file: string, message: string): TreadleError {
  return new TreadleError('ARCHIVE_UNKNOWN', `${file} ${message}.`, {
    hint: 'Give a file that "treadle backup" wrote.',
  });
}

/** The lines of a compressed file in groups, without line breaks. A truncated file is an error. */
async function* readLines(file: string): AsyncGenerator<string[]> {
  const { size = 0 } = await stat(file).catch((): { size?: number } => ({}));
  let most = HEADER_CHARACTERS;
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  const decoder = new StringDecoder('utf8');
  // The start of an unfinished line, in pieces: joining a long line at each piece would copy it again and
  // again.
  let pieces: string[] = [];
  let characters = 0;
  try {
    const chunks: AsyncIterable<Buffer> = source.pipe(gunzip);
    for await (const chunk of chunks) {
      const lines = decoder.write(chunk).split('\n');
      const last = lines.pop() ?? '';
      if (lines.length > 0) {
        lines[0] = pieces.join('') + lines[0];
        pieces = [];
        characters = 0;
        most = Math.min(LINE_CHARACTERS, Math.max(USUAL_CHARACTERS, size * CHARACTERS_A_BYTE));
      }
      pieces.push(last);
      characters += last.length;
      if (characters > most) throw brokenError(file, `a line has more than ${most} characters`);
      if (lines.length > 0) yield lines;
    }
  } catch (error) {
    const code = readCode(error);
    if (code === 'ENOENT') throw unknownError(file, 'does not exist');
    if (code === 'EISDIR') throw unknownError(file, 'is a folder');
    if (code === 'Z_DATA_ERROR' && /header/.test(String(error))) throw unknownError(file, 'is not an archive');
    if (!code.startsWith('Z_')) throw error;
    throw brokenError(file, code === 'Z_BUF_ERROR' ? 'its end is missing' : 'its bytes were changed', error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
  if (characters > 0) throw brokenError(file, 'its last line is cut off');
}

function parseHeader(file: string, line: string | undefined): Header {
  let value: unknown;
  try {
    value = JSON.parse(line ?? '');
  } catch {
    throw unknownError(file, 'is not an archive');
  }
  const { archive, format }: { readonly archive?: unknown; readonly format?: unknown } = value ?? {};
  if (archive !== MARK) throw unknownError(file, 'is not an archive');
  if (typeof format === 'number' && format > DECIMAL_FORMAT) {
    throw new TreadleError('ARCHIVE_UNKNOWN', `${file} was written by a newer Treadle, in format ${format}.`, {
      hint: `This one reads formats up to ${DECIMAL_FORMAT}: install the newer version.`,
    });
  }
  const parsed = Header.safeParse(value);
  if (!parsed.success) throw brokenError(file, 'its first line is not as it should be', parsed.error);
  return parsed.data;
}

/** Items of an archive, in order. */
export type Entry =
  | RowBatch
  | TableSum
  | { readonly file: string; readonly bytes: number }
  | { readonly part: string }
  | { readonly fileEnd: string; readonly sha256: string };

interface Totals {
  rows: number;
  tables: number;
  files: number;
}

/** Reads the lines after the header and checks their order. */
class Walk {
  readonly totals: Totals = { rows: 0, tables: 0, files: 0 };
  isEnded = false;
  readonly #file: string;
  readonly #header: Header;
  readonly #sum = createHash('sha256');
  #table: { readonly shape: ArchiveTable; readonly digest: Digest } | undefined;
  #upload:
    | { readonly name: string; readonly bytes: number; read: number; readonly sum: ReturnType<typeof createHash> }
    | undefined;

  constructor(file: string, header: Header, first: string) {
    this.#file = file;
    this.#header = header;
    this.#sum.update(`${first}\n`);
  }

  #refuse(message: string): never {
    throw brokenError(this.#file, message);
  }

  /** A row, another entry, or undefined for a line that only changes the position. */
  next(text: string): { readonly row: EncodedRow } | Entry | undefined {
    if (this.isEnded) this.#refuse('something follows its end');
    const value = this.#parse(text);
    if (Array.isArray(value)) {
      this.#sum.update(`${text}\n`);
      return this.#row(value, text);
    }
    const parsed = Line.safeParse(value);
    if (!parsed.success) return this.#refuse(`there is a line that means nothing${this.#where()}`);
    const line = parsed.data;
    if ('tables' in line) return this.#end(line);
    this.#sum.update(`${text}\n`);
    if ('table' in line) return this.#beginTable(line.table);
    if ('end' in line) return this.#endTable(line);
    return this.#fileLine(line);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return this.#refuse(`there is a line that cannot be read${this.#where()}`);
    }
  }

  #where(): string {
    if (this.#table === undefined) return '';
    return `, at row ${this.#table.digest.rows + 1} of ${this.#table.shape.name}`;
  }

  #row(row: EncodedRow, text: string): { readonly row: EncodedRow } {
    const table = this.#table;
    if (table === undefined) return this.#refuse('a row belongs to no table');
    if (row.length !== table.shape.columns.length) this.#refuse(`a row has another length${this.#where()}`);
    if (!row.every(isEncoded)) this.#refuse(`a row has a value of no kind${this.#where()}`);
    table.digest.add(row, text);
    this.totals.rows += 1;
    return { row };
  }

  #beginTable(name: string): undefined {
    const shape = this.#header.tables[this.totals.tables];
    if (this.#table !== undefined || this.#upload !== undefined || shape?.name !== name) {
      this.#refuse(`the table ${name} comes where it does not belong`);
    }
    this.#table = { shape, digest: new Digest(shape) };
    this.totals.tables += 1;
  }

  #endTable(line: Extract<Line, { end: string }>): TableSum {
    const { end, ...said } = line;
    if (this.#table?.shape.name !== end) return this.#refuse(`the table ${end} ends where it did not begin`);
    const { digest } = this.#table;
    this.#table = undefined;
    if (digest.rows !== said.rows) this.#refuse(`${end} has ${digest.rows} rows instead of ${said.rows}`);
    if (String(digest) !== said.sha256) this.#refuse(`the rows of ${end} are not those that were written`);
    return { table: end, ...said };
  }

  #fileLine(line: Exclude<Line, { table: string } | { end: string } | { tables: number }>): Entry {
    const upload = this.#upload;
    if ('file' in line) {
      if (!this.#header.hasFiles || this.#table !== undefined || upload !== undefined)
        this.#refuse('a file is misplaced');
      if (!isSafeUpload(line.file)) this.#refuse('a file has a name that leads out of the folder of uploads');
      this.#upload = { name: line.file, bytes: line.bytes, read: 0, sum: createHash('sha256') };
      this.totals.files += 1;
      return line;
    }
    if (upload === undefined) return this.#refuse('a part belongs to no file');
    if ('part' in line) {
      const bytes = Buffer.from(line.part, 'base64');
      upload.read += bytes.length;
      upload.sum.update(bytes);
      return line;
    }
    this.#upload = undefined;
    const isWhole =
      upload.name === line.fileEnd && upload.read === upload.bytes && upload.sum.digest('hex') === line.sha256;
    if (!isWhole) this.#refuse(`the file ${upload.name} is not the one that was written`);
    return line;
  }

  #end(line: Extract<Line, { tables: number }>): undefined {
    const { totals } = this;
    const isWhole =
      this.#table === undefined &&
      this.#upload === undefined &&
      totals.tables === this.#header.tables.length &&
      totals.tables === line.tables &&
      totals.rows === line.rows &&
      totals.files === line.files;
    if (!isWhole) this.#refuse('its end comes too early');
    if (this.#sum.digest('hex') !== line.sha256) this.#refuse('its lines are not those that were written');
    this.isEnded = true;
  }
}

const isEncoded = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'number') return true;
  if (typeof value !== 'object') return false;
  const [entry, ...more] = Object.entries(value);
  if (entry === undefined || more.length > 0) return false;
  const [key, text]: [string, unknown] = entry;
  if (typeof text !== 'string') return false;
  if (key === 'i') return /^-?\d{1,30}$/.test(text);
  return key === 'f' ? /^(-?inf|nan)$/.test(text) : key === 'b' && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
};

/** Rows collected for a batch. */
class RowCollector implements RowBatch {
  readonly table: string;
  readonly batch: EncodedRow[] = [];
  #characters = 0;

  constructor(table: string) {
    this.table = table;
  }

  get isFull(): boolean {
    return this.batch.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS;
  }

  add(row: EncodedRow, characters: number): void {
    this.batch.push(row);
    this.#characters += characters;
  }
}

/** An archive file; each read starts at the beginning. */
export class Archive implements RowSource {
  readonly file: string;
  readonly header: Header;

  private constructor(file: string, header: Header) {
    this.file = file;
    this.header = header;
  }

  /** @throws ARCHIVE_UNKNOWN if the file is not an archive or has a newer format. @throws ARCHIVE_BROKEN */
  static async open(file: string): Promise<Archive> {
    for await (const [line] of readLines(file)) return new Archive(file, parseHeader(file, line));
    throw unknownError(file, 'is empty');
  }

  get dialect(): Header['dialect'] {
    return this.header.dialect;
  }
  get tables(): readonly ArchiveTable[] {
    return this.header.tables;
  }

  /** All entries in order, checked while reading. @throws ARCHIVE_BROKEN */
  async *entries(): AsyncGenerator<Entry> {
    let walk: Walk | undefined;
    let rows = new RowCollector('');
    for await (const lines of readLines(this.file)) {
      for (const line of lines) {
        if (walk === undefined) {
          walk = new Walk(this.file, parseHeader(this.file, line), line);
          continue;
        }
        const found = walk.next(line);
        if (found !== undefined && 'row' in found) {
          rows.add(found.row, line.length);
          if (!rows.isFull) continue;
        }
        if (rows.batch.length > 0) yield rows;
        rows = new RowCollector(this.tables[walk.totals.tables - 1]?.name ?? '');
        if (found !== undefined && !('row' in found)) yield found;
      }
    }
    if (walk?.isEnded !== true) throw brokenError(this.file, 'its end is missing');
  }

  async *read(): AsyncGenerator<RowBatch | TableSum> {
    for await (const entry of this.entries()) if ('table' in entry) yield entry;
  }

  /** Reads the whole archive and keeps only the sums. @throws ARCHIVE_BROKEN */
  async verify(told?: (rows: number) => void): Promise<VerifyResult> {
    const sums: TableSum[] = [];
    let files = 0;
    for await (const entry of this.entries()) {
      if ('batch' in entry) told?.(entry.batch.length);
      else if ('table' in entry) sums.push(entry);
      else if ('fileEnd' in entry) files += 1;
    }
    return { sums, files, rows: sums.reduce((sum, { rows }) => sum + rows, 0) };
  }
}

export interface VerifyResult {
  readonly sums: readonly TableSum[];
  readonly files: number;
  readonly rows: number;
}
