import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findOwn } from '../core/record.ts';
import { type FileForm, toExtension } from '../model/field/file-type.ts';

/** Detected type of a file. */
export interface FileContent {
  /** Letters and digits. */
  readonly extension: string;
  readonly mime: string;
  /** What the bytes show, where they do not show the type. */
  readonly form?: FileForm;
  /** True for a text in another encoding than UTF-8. */
  readonly isOtherText?: boolean;
}

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const EXTENSION = /^[a-z0-9]{1,16}$/;
/** Bytes that are examined to detect text. */
const TEXT_BYTES = 65_536;
/** Archives and containers: their signature does not show what is in them. */
const FORMS: Readonly<Record<string, FileForm>> = { zip: 'zip', gz: 'gz', cfb: 'cfb' };

/** Whether a text has no control characters other than tabs and line ends. */
const isPlain = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
  !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text.slice(0, TEXT_BYTES));

function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text in UTF-16, by its byte order mark. */
function readUtf16(bytes: Buffer): string | undefined {
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  if (mark !== 0xfffe && mark !== 0xfeff) return undefined;
  const text = decode(bytes, mark === 0xfffe ? 'utf-16le' : 'utf-16be');
  return text !== undefined && isPlain(text) ? text : undefined;
}

/** The text from its first element on, without declaration and comments. Linear in its length. */
function toRoot(text: string): string {
  const space = /[\s\uFEFF]*/y;
  for (let at = 0; ; ) {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : '';
    if (end === '') return text.slice(at, at + 4096);
    const next = text.indexOf(end, at);
    if (next === -1) return '';
    at = next + end.length;
  }
}

const UNKNOWN: FileContent = { extension: 'bin', mime: 'application/octet-stream', form: 'unknown' };
const SVG = { extension: 'svg', mime: 'image/svg+xml' };
const HTML = { extension: 'html', mime: 'text/html' };
const SCRIPTS: readonly (readonly [RegExp, FileContent])[] = [
  [/^\uFEFF?\s*<\?(?:php|=)/i, { extension: 'php', mime: 'application/x-php' }],
  [/^\uFEFF?#!\s*\//, { extension: 'sh', mime: 'application/x-sh' }],
];
const HTML_START =
  /^<(?:!doctype\s+html|(?:html|head|body|script|iframe|style|frameset|object|embed|base|meta|link)\b)/i;
const SVG_START = /^<(?:!doctype\s+)?(?:\w+:)?svg\b/i;
const XHTML = /\bxmlns(?::\w+)?\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml/i;

/** Type of a text, by its beginning: HTML, SVG and scripts are detected whatever their name says. */
function readText(text: string): FileContent {
  const script = SCRIPTS.find(([start]) => start.test(text.slice(0, 4096)));
  if (script) return script[1];
  const isXml = /^\uFEFF?\s*<\?xml/i.test(text.slice(0, 4096));
  const root = toRoot(text);
  if (HTML_START.test(root) || XHTML.test(/^<[^>]*>?/.exec(root)?.[0] ?? '')) return HTML;
  if (SVG_START.test(root)) return SVG;
  return isXml
    ? { extension: 'xml', mime: 'application/xml', form: 'xml' }
    : { extension: 'txt', mime: 'text/plain', form: 'text' };
}

/** Type of a text in another encoding: only what may run matters, because Treadle serves text in UTF-8. */
function readOtherText(text: string): FileContent {
  const content = readText(text);
  return content.form === undefined ? content : { ...UNKNOWN, isOtherText: true };
}

/** Type of a file without a signature: text, or bytes that are unknown. */
function readUnsigned(bytes: Buffer): FileContent {
  const latin = bytes.toString('latin1');
  if (!isPlain(latin)) return UNKNOWN;
  const text = decode(bytes, 'utf-8');
  return text === undefined ? readOtherText(latin) : readText(text);
}

/**
 * Detects the type of a file from its bytes. The form decides where they do not show the type: what the file's name says
 * decides there.
 */
export async function readContent(bytes: Buffer): Promise<FileContent> {
  // Some signatures are those of a byte order mark.
  const wide = readUtf16(bytes);
  if (wide !== undefined) return readOtherText(wide);
  // Imported on first use: it costs some 40 ms, which a process without uploads saves.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (!found || /xml/.test(found.mime)) return readUnsigned(bytes);
  return toContent(found);
}

function toContent(found: { readonly ext: string; readonly mime: string }): FileContent {
  const extension = toExtension(found.ext).replace(/[^a-z0-9]/g, '');
  const form = findOwn(FORMS, extension);
  if (!EXTENSION.test(extension)) return UNKNOWN;
  return { extension, mime: found.mime, ...(form === undefined ? {} : { form }) };
}

/** Bytes of a long file that are examined as a whole. */
const HEAD_BYTES = 1_048_576;

/** Whether the rest of a long text is UTF-8, too. */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The first bytes of a file, up to {@link HEAD_BYTES}. */
async function readHead(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: HEAD_BYTES - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Without the bytes of a character that is cut at the end. */
function toWholeCharacters(head: Buffer): Buffer {
  let end = head.length;
  while (end > head.length - 4 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return (head[end - 1] ?? 0) >= 0xc0 ? head.subarray(0, end - 1) : head;
}

/** As {@link readContent}, of a file on this machine, of which no more than a piece is in memory. */
export async function readFileContent(path: string): Promise<FileContent> {
  const head = await readHead(path);
  if (head.length < HEAD_BYTES) return readContent(head);
  const { fileTypeFromFile } = await import('file-type');
  const found = await fileTypeFromFile(path).catch(() => undefined);
  if (found && !/xml/.test(found.mime) && readUtf16(head) === undefined) return toContent(found);
  const content = await readContent(toWholeCharacters(head));
  const isText = content.form === 'text' || content.form === 'xml';
  return !isText || (await isUtf8(path)) ? content : { ...UNKNOWN, isOtherText: true };
}

/** As {@link readImageSize}, of a file on this machine. */
export async function readFileImageSize(path: string): Promise<ImageSize | undefined> {
  const head = await readHead(path);
  return (await readImageSize(head)) ?? (head.length < HEAD_BYTES ? undefined : readImageSize(await readFile(path)));
}

/** Width and height from the image header; undefined if it has none. Does not decode the image. */
export async function readImageSize(bytes: Buffer): Promise<ImageSize | undefined> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
