import { setImmediate as turn } from 'node:timers/promises';
import { createFileError } from './row-error.ts';

/** First bytes of other kinds of files, with a remedy for each. */
const FOREIGN: readonly { readonly bytes: readonly number[]; readonly what: string; readonly remedy: string }[] = [
  {
    bytes: [0x1f, 0x8b],
    what: 'compressed (gzip)',
    remedy: 'Unpack it on the way: gunzip -c file.csv.gz | treadle import <schema> - --format csv',
  },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    what: 'a ZIP archive or a spreadsheet',
    remedy: 'Unpack it, or save the spreadsheet as CSV (UTF-8).',
  },
  { bytes: [0xff, 0xfe], what: 'UTF-16', remedy: 'Save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 file > other' },
  { bytes: [0xfe, 0xff], what: 'UTF-16', remedy: 'Save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 file > other' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: 'compressed (zstd)', remedy: 'Unpack it first.' },
];

/** Number of first bytes that identify a file. */
const START_BYTES = 64;

/** Bytes that are read in one turn: a longer piece would hold the server while its rows are parsed. */
const TURN_BYTES = 64 * 1024;

/** The same bytes in pieces of one turn each. */
async function* splitTurns(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source)
    for (let at = 0; at < bytes.length; at += TURN_BYTES) {
      if (at > 0) await turn();
      yield bytes.subarray(at, at + TURN_BYTES);
    }
}

/** The same bytes, with a first piece long enough to identify the file. */
async function* collectStart(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const piece of source) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (start === undefined) yield bytes;
    else {
      start = start.length === 0 ? bytes : Buffer.concat([start, bytes]);
      if (start.length < START_BYTES) continue;
      yield start;
      start = undefined;
    }
  }
  if (start !== undefined && start.length > 0) yield start;
}

function assertText(first: Uint8Array): void {
  const found = FOREIGN.find(({ bytes }) => bytes.every((byte, index) => first[index] === byte));
  if (found) throw createFileError(`The file is ${found.what}.`, found.remedy);
  // UTF-16 text without a byte order mark has a NUL byte in every ASCII character.
  if (first.subarray(0, START_BYTES).includes(0)) {
    throw createFileError(
      'The file is not text, or is UTF-16.',
      'Save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 file > other',
    );
  }
}

/**
 * Decodes a byte stream as text, without the byte order mark.
 *
 * @param count Called with the number of bytes of each piece.
 * @throws IMPORT_FILE_BROKEN for invalid UTF-8: names the line.
 */
export async function* readText(
  source: AsyncIterable<string | Uint8Array>,
  count: (bytes: number) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  let line = 1;
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      const place = line + (bytes === undefined ? 0 : countLines(bytes));
      throw createFileError(
        `The file is not UTF-8: invalid bytes near line ${place}.`,
        'Save it as UTF-8, or: iconv -f WINDOWS-1252 -t UTF-8 file > other',
      );
    }
  };
  for await (const bytes of splitTurns(collectStart(source))) {
    if (isFirst) assertText(bytes);
    isFirst = false;
    count(bytes.length);
    const text = decode(bytes);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1;
    if (text !== '') yield text;
  }
  const rest = decode(undefined);
  if (rest !== '') yield rest;
}

/** Number of lines before the first invalid UTF-8 sequence. */
function countLines(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  const isText = (end: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isText(middle)) low = middle;
    else high = middle - 1;
  }
  return bytes.subarray(0, low).reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0);
}
