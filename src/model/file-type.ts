import { findOwn } from '../core/record.ts';
import type { Field } from './shape.ts';

/** A file type, by its extension. */
export interface FileType {
  readonly mime: string;
  /** True if shown in the browser; other types are downloaded. */
  readonly isInline: boolean;
  /** True if accepted by fields without an `accept` attribute. */
  readonly isUsual: boolean;
}

const shown = (mime: string): FileType => ({ mime, isInline: true, isUsual: true });
const saved = (mime: string): FileType => ({ mime, isInline: false, isUsual: true });
/** Accepted only if the field's `accept` names it, because it can contain script or is unusual. */
const asked = (mime: string): FileType => ({ mime, isInline: false, isUsual: false });
const OFFICE = 'application/vnd.openxmlformats-officedocument.';
const OPEN = 'application/vnd.oasis.opendocument.';

/** Known file types. Others are accepted if `accept` names them, and served as plain bytes. */
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

/** Text types: their content has no signature, so the extension of the sent name decides. */
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
/** The extension under which a file type is stored. */
export const toExtension = (extension: string): string =>
  findOwn(ALIASES, extension.toLowerCase()) ?? extension.toLowerCase();

const IMAGES = ['jpg', 'png', 'gif', 'webp', 'avif'] as const;
const IMAGE_FIELDS: ReadonlySet<string> = new Set(['image', 'imagelist']);
export const isImageField = ({ type }: Field): boolean => IMAGE_FIELDS.has(type);

/** The types in a field's `accept`, such as `.pdf`, `image/*`, `application/zip`. */
export function listAccepted({ attributes }: Field): string[] {
  return String(attributes?.accept ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
}

/**
 * True if a field accepts a file type: an image field only images, any field what `accept` names or the usual
 * types.
 */
export function isAccepted(field: Field, extension: string, mime: string): boolean {
  const known = findOwn(FILE_TYPES, extension);
  const type = known?.mime ?? mime;
  if (isImageField(field) && !type.startsWith('image/')) return false;
  const accepted = listAccepted(field);
  if (accepted.length === 0) {
    return isImageField(field) ? (IMAGES as readonly string[]).includes(extension) : known?.isUsual === true;
  }
  return accepted.some((part) => {
    if (part.startsWith('.')) return toExtension(part.slice(1)) === extension;
    if (!part.endsWith('/*')) return part === type || part === mime;
    // A wildcard includes only the usual types; SVG and HTML must be named.
    return type.startsWith(part.slice(0, -1)) && (known === undefined || known.isUsual);
  });
}

/** The accepted file types of a field, in words. */
export function describeAccepted(field: Field): string {
  const accepted = listAccepted(field);
  if (accepted.length > 0) return accepted.join(', ');
  if (isImageField(field)) return IMAGES.join(', ');
  return Object.keys(FILE_TYPES)
    .filter((extension) => FILE_TYPES[extension]?.isUsual)
    .join(', ');
}

/** URL path of uploads. */
export const UPLOAD_PATH = '/upload/';
/** 132 random bits, and the extension of the detected type. */
export const UPLOAD_NAME = /^[A-Za-z0-9_-]{22}\.[a-z0-9]{1,8}$/;

/** The file name in an address of this site's uploads; undefined for any other address. */
export function toUploadName(address: string): string | undefined {
  const name = address.startsWith(UPLOAD_PATH) ? address.slice(UPLOAD_PATH.length) : '';
  return UPLOAD_NAME.test(name) ? name : undefined;
}
