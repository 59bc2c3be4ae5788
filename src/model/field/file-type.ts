import { findOwn, isOneOf } from '../../core/record.ts';
import type { Field } from '../shape.ts';

/** A file type, by its extension. */
export interface FileType {
  readonly mime: string;
  /** True if shown in the browser; other types are downloaded. */
  readonly isInline: boolean;
  /** True if accepted by fields without an `accept` attribute. */
  readonly isUsual: boolean;
  /** What its bytes show, where they show no more: the extension of the sent name decides between such types. */
  readonly form?: FileForm;
}

/**
 * What the bytes of a file show if they do not show its type: text, XML, a ZIP or gzip archive, Microsoft's compound file, or
 * `unknown` bytes.
 */
export type FileForm = 'text' | 'xml' | 'zip' | 'gz' | 'cfb' | 'unknown';

const shown = (mime: string): FileType => ({ mime, isInline: true, isUsual: true });
const saved = (mime: string): FileType => ({ mime, isInline: false, isUsual: true });
/** Accepted only if the field's `accept` names it, because it can contain script or is unusual. */
const unusual = (mime: string): FileType => ({ mime, isInline: false, isUsual: false });
/** As {@link unusual}, for a type whose bytes only show a form. */
const named = (form: FileForm, mime: string): FileType => ({ ...unusual(mime), form });
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
  txt: { ...saved('text/plain'), form: 'text' },
  csv: { ...saved('text/csv'), form: 'text' },
  md: { ...saved('text/markdown'), form: 'text' },
  json: { ...saved('application/json'), form: 'text' },
  svg: named('xml', 'image/svg+xml'),
  html: named('text', 'text/html'),
  xml: named('xml', 'application/xml'),
  mov: unusual('video/quicktime'),
  heic: unusual('image/heic'),
  tif: unusual('image/tiff'),
  bmp: unusual('image/bmp'),
  rtf: unusual('application/rtf'),
  gz: unusual('application/gzip'),
  ics: named('text', 'text/calendar'),
  vcf: named('text', 'text/vcard'),
  vtt: named('text', 'text/vtt'),
  srt: named('text', 'application/x-subrip'),
  tsv: named('text', 'text/tab-separated-values'),
  yaml: named('text', 'application/yaml'),
  geojson: named('text', 'application/geo+json'),
  gpx: named('xml', 'application/gpx+xml'),
  kml: named('xml', 'application/vnd.google-earth.kml+xml'),
  rss: named('xml', 'application/rss+xml'),
  atom: named('xml', 'application/atom+xml'),
  kmz: named('zip', 'application/vnd.google-earth.kmz'),
  doc: named('cfb', 'application/msword'),
  xls: named('cfb', 'application/vnd.ms-excel'),
  ppt: named('cfb', 'application/vnd.ms-powerpoint'),
  msg: named('cfb', 'application/vnd.ms-outlook'),
};

const ALIASES: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  jpe: 'jpg',
  jfif: 'jpg',
  apng: 'png',
  oga: 'ogg',
  htm: 'html',
  tiff: 'tif',
  markdown: 'md',
  m4v: 'mp4',
  heif: 'heic',
  xhtml: 'html',
  yml: 'yaml',
  ical: 'ics',
  vcard: 'vcf',
  wave: 'wav',
  aiff: 'aif',
  aifc: 'aif',
  midi: 'mid',
  mpeg: 'mpg',
};

/** Other names of media types, as programs and older documents write them. */
const MIME_ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'image/svg': 'image/svg+xml',
  'image/tif': 'image/tiff',
  'image/x-ms-bmp': 'image/bmp',
  'audio/mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/csv': 'text/csv',
  'application/vnd.geo+json': 'application/geo+json',
  'application/x-yaml': 'application/yaml',
  'application/xhtml+xml': 'text/html',
  'text/xml': 'application/xml',
  'text/rtf': 'application/rtf',
  'text/json': 'application/json',
  'text/yaml': 'application/yaml',
  'text/x-yaml': 'application/yaml',
  'text/x-markdown': 'text/markdown',
  'text/x-vcard': 'text/vcard',
  'text/srt': 'application/x-subrip',
};
const toMime = (type: string): string => findOwn(MIME_ALIASES, type) ?? type;
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

/** The type of a file: its extension, and its media type by its bytes or its extension. */
interface TypeOfFile {
  readonly extension: string;
  readonly mime: string;
}

/**
 * True if a field accepts a file type: an image field only images, any field what `accept` names or the usual
 * types.
 */
function isAccepted(field: Field, { extension, mime }: TypeOfFile): boolean {
  const known = findOwn(FILE_TYPES, extension);
  const type = known?.mime ?? toMime(mime);
  if (isImageField(field) && !type.startsWith('image/')) return false;
  const accepted = listAccepted(field);
  if (accepted.length === 0) {
    return isImageField(field) ? isOneOf(IMAGES, extension) : known?.isUsual === true;
  }
  return accepted.some((part) => {
    if (part.startsWith('.')) return toExtension(part.slice(part.lastIndexOf('.') + 1)) === extension;
    if (!part.endsWith('/*')) return toMime(part) === type || toMime(part) === toMime(mime);
    // A wildcard includes only the usual types and texts; SVG and HTML must be named.
    const isText = known?.form === 'text' && extension !== 'html';
    return type.startsWith(part.slice(0, -1)) && (known === undefined || known.isUsual || isText);
  });
}

const hasForm = (form: FileForm | undefined, content: FileForm): boolean =>
  // GPX and its like may leave out the declaration by which XML is known.
  form === content || (form === 'xml' && content === 'text');

/** The type that the extension of a sent name claims, if the bytes do not contradict and the field names it. */
function findClaim(field: Field, form: FileForm, name: string): TypeOfFile | undefined {
  const extension = toExtension(/\.([A-Za-z0-9]{1,16})$/.exec(name)?.[1] ?? '');
  if (extension === '') return undefined;
  const known = findOwn(FILE_TYPES, extension);
  if (known) return hasForm(known.form, form) ? { extension, mime: known.mime } : undefined;
  const isNamed = listAccepted(field).some(
    (part) => part.startsWith('.') && toExtension(part.slice(part.lastIndexOf('.') + 1)) === extension,
  );
  return isNamed ? { extension, mime: 'application/octet-stream' } : undefined;
}

/**
 * The extension under which a field stores a file; undefined if it does not accept it. The bytes decide; where they show no
 * more than a form, the extension of the sent name does, if the field accepts that.
 *
 * @param content What the bytes show.
 * @param name As the client sent it.
 */
export function findAccepted(
  field: Field,
  content: TypeOfFile & { readonly form?: FileForm },
  name: string,
): string | undefined {
  const claim = content.form && findClaim(field, content.form, name);
  if (claim && isAccepted(field, claim)) return claim.extension;
  return isAccepted(field, content) ? content.extension : undefined;
}

/** Why no file can meet a part of `accept`; undefined if one can. A part is in lower case. */
export function findUnmet(field: Field, part: string): string | undefined {
  if (!isImageField(field)) return undefined;
  const known = part.startsWith('.') ? findOwn(FILE_TYPES, toExtension(part.slice(1)))?.mime : toMime(part);
  return known === undefined || known.startsWith('image/') ? undefined : `is not a picture, as a ${field.type} is`;
}

/** Every media type that is known by name, and every extension with its dot. */
export const listTypeNames = (): { readonly mimes: Set<string>; readonly extensions: string[] } => ({
  mimes: new Set([...Object.values(FILE_TYPES).map(({ mime }) => mime), ...Object.keys(MIME_ALIASES)]),
  extensions: [...Object.keys(FILE_TYPES), ...Object.keys(ALIASES)].map((extension) => `.${extension}`),
});

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
export const UPLOAD_NAME = /^[A-Za-z0-9_-]{22}\.[a-z0-9]{1,16}$/;

/** The file name in an address of this site's uploads; undefined for any other address. */
export function toUploadName(address: string): string | undefined {
  const name = address.startsWith(UPLOAD_PATH) ? address.slice(UPLOAD_PATH.length) : '';
  return UPLOAD_NAME.test(name) ? name : undefined;
}
