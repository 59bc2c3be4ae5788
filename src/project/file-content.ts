import { TEXT_EXTENSIONS, toExtension } from '../model/file-type.ts';

/** Detected type of a file. */
export interface FileContent {
  /** Extension to store the file under: letters and digits. */
  readonly extension: string;
  readonly mime: string;
}

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const EXTENSION = /^[a-z0-9]{1,8}$/;
/** Bytes that are examined to detect text. */
const TEXT_BYTES = 65_536;

/** Whether the bytes are UTF-8 text without control characters other than tabs and line ends. */
function isText(bytes: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
  if (/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(bytes.toString('latin1', 0, TEXT_BYTES))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const extensionOf = (name: string): string => toExtension(/\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? '');

/** Type of a text, by its beginning: HTML and SVG are detected whatever their name says. */
function readText(bytes: Buffer, name: string): FileContent {
  const head = bytes
    .toString('utf8', 0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/<svg[\s>]/i.test(head)) return { extension: 'svg', mime: 'image/svg+xml' };
  if (/^<(?:!doctype\s+html|html|head|body|script|iframe|style|!--)/i.test(head)) {
    return { extension: 'html', mime: 'text/html' };
  }
  if (/^<\?xml/i.test(head)) return { extension: 'xml', mime: 'application/xml' };
  const claimed = extensionOf(name);
  return { extension: TEXT_EXTENSIONS.has(claimed) ? claimed : 'txt', mime: 'text/plain' };
}

/**
 * Detects the type of a file from its bytes; undefined if unknown. Uses the sender's claim only between
 * kinds of text, which bytes cannot tell apart.
 */
export async function readContent(bytes: Buffer, name: string): Promise<FileContent | undefined> {
  // Imported on first use: it costs some 40 ms, which a process without uploads saves.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && !/xml/.test(found.mime)) {
    const extension = toExtension(found.ext).replace(/[^a-z0-9]/g, '');
    return EXTENSION.test(extension) ? { extension, mime: found.mime } : undefined;
  }
  return isText(bytes) ? readText(bytes, name) : undefined;
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
