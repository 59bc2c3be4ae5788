import type { Field } from './shape.ts';

/** A kind of file, by its extension. */
export interface FileType {
  readonly mime: string;
  /** Shown in the browser where it lies; all else is a download. */
  readonly isInline: boolean;
  /** Taken where the field says nothing about types. */
  readonly isUsual: boolean;
}

const shown = (mime: string): FileType => ({ mime, isInline: true, isUsual: true });
const saved = (mime: string): FileType => ({ mime, isInline: false, isUsual: true });
/** Taken only where the field's `accept` names it: it can hold script, or few programs open it. */
const asked = (mime: string): FileType => ({ mime, isInline: false, isUsual: false });
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';

/** The kinds of file that are known by name. Others are taken where `accept` names them, and served as mere bytes. */
export const FILE_TYPES: Readonly<Record<string, FileType>> = {
  jpg: shown('image/jpeg'),
  png: shown('image/png'),
  gif: shown('image/gif'),
  webp: shown('image/webp'),
  avif: shown('image/avif'),
  mp3: shown('audio/mpeg'),
  m4a: shown('audio/mp4'),
  ogg: shown('audio/ogg'),
  opus: shown('audio/ogg'),
  wav: shown('audio/wav'),
  flac: shown('audio/flac'),
  mp4: shown('video/mp4'),
  webm: shown('video/webm'),
  ogv: shown('video/ogg'),
  pdf: shown('application/pdf'),
  docx: saved(`${OFFICE}wordprocessingml.document`),
  xlsx: saved(`${OFFICE}spreadsheetml.sheet`),
  pptx: saved(`${OFFICE}presentationml.presentation`),
  odt: saved(`${OPEN}text`),
  ods: saved(`${OPEN}spreadsheet`),
  odp: saved(`${OPEN}presentation`),
  epub: saved('application/epub+zip'),
  zip: saved('application/zip'),
  txt: saved('text/plain'),
  csv: saved('text/csv'),
  md: saved('text/markdown'),
  json: saved('application/json'),
  svg: asked('image/svg+xml'),
  html: asked('text/html'),
  xml: asked('application/xml'),
  mov: asked('video/quicktime'),
  heic: asked('image/heic'),
  tif: asked('image/tiff'),
  bmp: asked('image/bmp'),
  rtf: asked('application/rtf'),
  gz: asked('application/gzip'),
};

/** Types that are text, so that no bytes at their beginning tell them apart: the sent name's extension does. */
export const TEXT_EXTENSIONS: ReadonlySet<string> = new Set(['txt', 'csv', 'md', 'json', 'svg', 'html', 'xml']);

const ALIASES: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  apng: 'png',
  oga: 'ogg',
  htm: 'html',
  tiff: 'tif',
  markdown: 'md',
  m4v: 'mp4',
};
/** The one extension that a kind of file is stored under. */
export const toExtension = (extension: string): string => ALIASES[extension.toLowerCase()] ?? extension.toLowerCase();

const IMAGES = ['jpg', 'png', 'gif', 'webp', 'avif'] as const;
const IMAGE_FIELDS: ReadonlySet<string> = new Set(['image', 'imagelist']);
export const isImageField = ({ type }: Field): boolean => IMAGE_FIELDS.has(type);

/** The types that a field's `accept` names, such as `.pdf`, `image/*`, `application/zip`. */
export function listAccepted({ attributes }: Field): string[] {
  return String(attributes?.accept ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

/** Whether a field takes a kind of file: an image field images only, any field what `accept` names or what is usual. */
export function isAccepted(field: Field, extension: string, mime: string): boolean {
  const known = FILE_TYPES[extension];
  const type = known?.mime ?? mime;
  if (isImageField(field) && !type.startsWith('image/')) return false;
  const accepted = listAccepted(field);
  if (accepted.length === 0) {
    return isImageField(field) ? (IMAGES as readonly string[]).includes(extension) : known?.isUsual === true;
  }
  return accepted.some((part) => {
    if (part.startsWith('.')) return toExtension(part.slice(1)) === extension;
    if (!part.endsWith('/*')) return part === type || part === mime;
    // A wildcard takes what is usual: SVG and HTML are named one by one.
    return type.startsWith(part.slice(0, -1)) && (known === undefined || known.isUsual);
  });
}

/** The types of file that a field takes, for people. */
export function describeAccepted(field: Field): string {
  const accepted = listAccepted(field);
  if (accepted.length > 0) return accepted.join(', ');
  if (isImageField(field)) return IMAGES.join(', ');
  return Object.keys(FILE_TYPES)
    .filter((extension) => FILE_TYPES[extension]?.isUsual)
    .join(', ');
}

/** Where uploads are served. */
export const UPLOAD_PATH = '/upload/';
/** 132 random bits, and the extension of what the bytes were seen to be. */
export const UPLOAD_NAME = /^[A-Za-z0-9_-]{22}\.[a-z0-9]{1,8}$/;

/** The name in an address of this site's uploads; undefined where the address is none. */
export function toUploadName(address: string): string | undefined {
  const name = address.startsWith(UPLOAD_PATH) ? address.slice(UPLOAD_PATH.length) : '';
  return UPLOAD_NAME.test(name) ? name : undefined;
}
