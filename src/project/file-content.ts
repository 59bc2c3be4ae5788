import { TEXT_EXTENSIONS, toExtension } from '../model/file-type.ts';

/** What the bytes of a file are. */
export interface FileContent {
  /** Letters and digits, the one that such files are stored under. */
  readonly extension: string;
  readonly mime: string;
}

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const EXTENSION = /^[a-z0-9]{1,8}$/;
/** Bytes that are looked at to tell text from other bytes. */
const TEXT_BYTES = 65_536;

/** Whether bytes are text in UTF-8, without control characters but tabs and line ends. */
function isText(bytes: Buffer): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(bytes.toString('latin1', 0, TEXT_BYTES))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const extensionOf = (name: string): string => toExtension(/\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? '');

/** Text by its beginning: HTML and SVG stay what they are, whatever they are named. */
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
 * Tells what a file is by its bytes; undefined where nothing is known of them. What the sender claims counts for kinds of
 * text alone, which no bytes tell apart.
 */
export async function readContent(bytes: Buffer, name: string): Promise<FileContent | undefined> {
  // Imported late: it costs some 40 ms, which a process that takes no files saves.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found && !/xml/.test(found.mime)) {
    const extension = toExtension(found.ext).replace(/[^a-z0-9]/g, '');
    return EXTENSION.test(extension) ? { extension, mime: found.mime } : undefined;
  }
  return isText(bytes) ? readText(bytes, name) : undefined;
}

/** Width and height that a picture's header tells; undefined where it tells none. Nothing is unpacked. */
export async function readImageSize(bytes: Buffer): Promise<ImageSize | undefined> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
