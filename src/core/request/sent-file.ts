import type { Readable } from 'node:stream';

/**
 * An uploaded file: from a form, as `getFiles` returns it, or from a data URI. Its bytes are left out when
 * serialized.
 */
export interface SentFile {
  /**
   * Name given by the sender, without folders: for display only, never a path to write to. Empty for a data
   * URI.
   */
  readonly name: string;
  /** Type claimed by the sender. */
  readonly type: string;
  readonly bytes: number;
  readonly buffer: Buffer;
}

/** A file of a form while it arrives. */
export interface ArrivingFile extends Pick<SentFile, 'name' | 'type'> {
  readonly stream: Readable;
}

/**
 * Reads a form with one file, and gives what `take` makes of it. `take` reads the stream to its end, or rejects. It rejects
 * as well if the form is refused after the file: then `take` may have succeeded.
 */
export type FileReceiver = <T>(take: (file: ArrivingFile) => Promise<T>) => Promise<T>;

export function createSentFile(name: string, type: string, buffer: Buffer): SentFile {
  const file = { name, type, bytes: buffer.length, buffer };
  Object.defineProperty(file, 'toJSON', { value: () => ({ name, type, bytes: buffer.length }) });
  return file;
}

/** Whether a value is an uploaded file: no JSON or form text can imitate one. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'buffer' in value && Buffer.isBuffer(value.buffer);
}

const DATA_URI = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=._+-]+)*;base64,/i;

/** Whether a text is a data URI, valid or not. */
export const isDataUri = (text: string): boolean => /^data:/i.test(text);

/** The file in a base64 data URI; undefined for any other text. @see RFC 2397 */
export function readDataUri(text: string): SentFile | undefined {
  const found = DATA_URI.exec(text.slice(0, 256));
  if (!found) return undefined;
  const data = text.slice(found[0].length);
  if (data.length === 0 || !/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(data)) return undefined;
  return createSentFile('', (found[1] ?? '').toLowerCase(), Buffer.from(data, 'base64'));
}
