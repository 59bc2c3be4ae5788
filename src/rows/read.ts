import { readCsv } from './csv.ts';
import { readList } from './json.ts';
import { readLines } from './ndjson.ts';
import type { RowStream } from './row.ts';

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** Guesses the format from the beginning of the text. */
function guessFormat(text: string): Format {
  const first = text.trimStart()[0];
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}

export interface ReadOptions {
  /** If undefined, the format is guessed from the text. */
  readonly format: Format | undefined;
  /** Called with the names of a CSV header, before any row. */
  readonly checkHeading?: (names: readonly string[]) => void;
  /**
   * For files that strangers send to a server: refuses a CSV header by the number of its cells, before it is parsed. With
   * it, a JSON row larger than a body is reported in place of being parsed.
   */
  readonly guard?: ((cells: number) => void) | undefined;
}

/** Reads the rows of a text as a stream. @throws IMPORT_FILE_BROKEN at a fatal error. */
export async function* readRows(
  pieces: AsyncIterable<string>,
  { format, checkHeading, guard }: ReadOptions,
): RowStream {
  const source = pieces[Symbol.asyncIterator]();
  const held: string[] = [];
  let known = format;
  while (known === undefined) {
    const next = await source.next();
    if (next.done) break;
    held.push(next.value);
    if (next.value.trim() !== '') known = guessFormat(held.join(''));
  }
  const text = join(held, source);
  if (known === 'csv') yield* readCsv(text, checkHeading, guard);
  else if (known === 'json') yield* readList(text, guard !== undefined);
  else yield* readLines(text, guard !== undefined);
}

async function* join(held: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
