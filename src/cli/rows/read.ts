import { createUsageError } from '../failure.ts';
import { readCsv } from './csv.ts';
import { readList } from './json.ts';
import { readLines } from './ndjson.ts';
import type { RowStream } from './row.ts';

export const FORMATS = ['ndjson', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that a file's ending tells; undefined where it has none. @throws CLI_USAGE for an ending of another format. */
export function findFormat(file: string): Format | undefined {
  const ending = /\.(ndjson|jsonl|json|csv|tsv)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === 'jsonl') return 'ndjson';
  if (ending === 'tsv') return 'csv';
  const found = FORMATS.find((format) => format === ending);
  if (found) return found;
  const [other] = /\.[A-Za-z0-9]+$/.exec(file) ?? [];
  if (other === undefined || /^\.txt$/i.test(other)) return undefined;
  const isPacked = /^\.(gz|zip|bz2|xz|zst)$/i.test(other);
  throw createUsageError(
    isPacked ? `"${other}" files are not read packed.` : `"${other}" is the ending of no format that is known.`,
    isPacked
      ? 'Unpack it on the way: gunzip -c file.csv.gz | treadle import <schema> - --format csv'
      : `Name it: --format ${FORMATS.join('|')}`,
  );
}

/** The format that a text's beginning tells. */
function guessFormat(text: string): Format {
  const first = text.trimStart()[0];
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}

export interface ReadOptions {
  /** By the text's beginning where it is undefined. */
  readonly format: Format | undefined;
  /** Told of the names in a CSV file's heading, before any row. */
  readonly checkHeading?: (names: readonly string[]) => void;
}

/** Reads the rows of a text as it comes. @throws IMPORT_FILE_BROKEN where it cannot be read on. */
export async function* readRows(pieces: AsyncIterable<string>, { format, checkHeading }: ReadOptions): RowStream {
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
  if (known === 'csv') yield* readCsv(text, checkHeading);
  else if (known === 'json') yield* readList(text);
  else yield* readLines(text);
}

async function* join(held: readonly string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
