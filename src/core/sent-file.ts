/** A file that was sent: in a form, as `getFiles` gives it, or as a data URI. Its bytes are left out when it is printed. */
export interface SentFile {
  /** As the sender named it, without folders: for showing only, never a path to write to. Empty for a data URI. */
  readonly name: string;
  /** As the sender claims it. */
  readonly type: string;
  readonly bytes: number;
  readonly buffer: Buffer;
}

export function createSentFile(name: string, type: string, buffer: Buffer): SentFile {
  const file = { name, type, bytes: buffer.length, buffer };
  Object.defineProperty(file, 'toJSON', { value: () => ({ name, type, bytes: buffer.length }) });
  return file;
}

/** Whether a value is a sent file: nothing that JSON or a form's text can hold is one. */
export function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'buffer' in value && Buffer.isBuffer(value.buffer);
}

const DATA_URI = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=._+-]+)*;base64,/i;

/** Whether a text is a data URI, well formed or not. */
export const isDataUri = (text: string): boolean => /^data:/i.test(text);

/** The file that a base64 data URI holds; undefined where the text is none. @see RFC 2397 */
export function readDataUri(text: string): SentFile | undefined {
  const found = DATA_URI.exec(text.slice(0, 256));
  if (!found) return undefined;
  const data = text.slice(found[0].length);
  if (data.length === 0 || !/^[A-Za-z0-9+/_-]+={0,2}\s*$/.test(data)) return undefined;
  return createSentFile('', (found[1] ?? '').toLowerCase(), Buffer.from(data, 'base64'));
}
