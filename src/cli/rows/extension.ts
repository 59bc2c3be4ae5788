import { FORMATS, type Format } from '../../rows/read.ts';
import { createUsageError } from '../failure.ts';

/** The format for a file extension; undefined without one. @throws CLI_USAGE for the extension of another format. */
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
    isPacked ? `"${other}" files must be unpacked first.` : `"${other}" is not a known file extension.`,
    isPacked
      ? 'Unpack it on the way: gunzip -c file.csv.gz | treadle import <schema> - --format csv'
      : `Name it: --format ${FORMATS.join('|')}`,
  );
}
