import * as z from 'zod';
import { isDataUri, isSentFile, readDataUri } from '../../core/request/sent-file.ts';
import { isRecord } from '../json/json-value.ts';
import type { Field } from '../shape.ts';
import { createJsonKind, toList } from './field-kind-json.ts';
import { createKind, type FieldKind, type PrepareTools, TEXT, ValueRefused } from './field-kind-row.ts';
import { trimmed } from './field-kind-text.ts';
import { describeAccepted, isImageField, toUploadName, UPLOAD_PATH } from './file-type.ts';

const ADDRESS_CHARACTERS = 2048;
/** Maximum files in a list. */
const MAX_FILES = 100;

/** True for an address of this site, or an http(s) address. */
function isAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
  if (text.length > ADDRESS_CHARACTERS || /[\s\u0000-\u001f\u007f\\<>"]/.test(text)) return false;
  if (text.startsWith(UPLOAD_PATH)) return toUploadName(text) !== undefined;
  if (/^\/(?!\/)/.test(text)) return true;
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

const isFileValue = (value: unknown): boolean =>
  isSentFile(value) || (typeof value === 'string' && (isDataUri(value) || isAddress(value)));

const noun = (field: Field): string => (isImageField(field) ? 'picture' : 'file');
const words = (field: Field): string =>
  `a ${noun(field)} (${describeAccepted(field)}), the address of one, or a data URI in base64`;

const splitList = toList(/\r?\n/);

/** A list of files and addresses. Text is split at lines, because an address may contain commas. */
function toFiles(value: unknown): unknown {
  if (isSentFile(value)) return [value];
  if (Array.isArray(value)) return value.map(trimmed).filter((item) => item !== null);
  // An object made by a form's indexes.
  if (isRecord(value))
    return Object.values(value)
      .map(trimmed)
      .filter((item) => item !== null);
  return typeof value === 'string' && isDataUri(value.trim()) ? [value.trim()] : splitList(value);
}

/** The address to store for a value: a sent file is saved first, an address stays. */
async function storeFile(value: unknown, tools: PrepareTools, field: Field): Promise<string | null> {
  if (value === null || value === undefined) return null;
  const isData = typeof value === 'string' && isDataUri(value);
  const file = isSentFile(value) ? value : isData ? readDataUri(value) : undefined;
  if (file) {
    if (!tools.files) throw new ValueRefused('cannot be a file here');
    return tools.files.take(file, field);
  }
  const address = String(value);
  if (isData) throw new ValueRefused('is a data URI that is not base64');
  if (toUploadName(address) !== undefined) await tools.files?.check(address, field);
  return address;
}

function createFileKind(type: 'file' | 'image', description: string, defaultFormat: string): FieldKind {
  const accept = type === 'image' ? { accept: 'image/*' } : {};
  return createKind({
    type,
    description,
    group: 'file',
    sql: TEXT,
    isText: true,
    flags: { searchable: false, filterable: true, sortable: true },
    coerce: trimmed,
    shape: () => z.unknown().refine(isFileValue),
    expects: (field) => `must be ${words(field)}`,
    jsonSchema: (field) => ({
      type: 'string',
      description: `Address of the ${noun(field)}; ${words(field)}, to write it`,
    }),
    control: { element: 'input', inputType: 'file', attributes: accept },
    defaultFormat,
    prepare: (value, tools, field = { name: type, type }) => storeFile(trimmed(value), tools, field),
  });
}

function createFileListKind(type: 'filelist' | 'imagelist', description: string, defaultFormat: string): FieldKind {
  const accept = type === 'imagelist' ? { accept: 'image/*' } : {};
  const kind = createJsonKind({
    type,
    description,
    group: 'file',
    coerce: toFiles,
    shape: () => z.array(z.unknown().refine(isFileValue)).max(MAX_FILES),
    expects: (field) => `must be a list of at most ${MAX_FILES}, each ${words(field)}`,
    jsonSchema: (field) => ({
      type: 'array',
      maxItems: MAX_FILES,
      items: { type: 'string', description: `Address of a ${noun(field)}; ${words(field)}, to write it` },
    }),
    control: { element: 'input', inputType: 'file', attributes: { ...accept, multiple: true } },
    defaultFormat,
  });
  return Object.freeze({
    ...kind,
    prepare: async (value: unknown, tools: PrepareTools, field: Field = { name: type, type }) => {
      const items = toFiles(value);
      if (!Array.isArray(items) || items.length === 0) return null;
      const addresses: (string | null)[] = [];
      for (const item of items) addresses.push(await storeFile(item, tools, field));
      return JSON.stringify(addresses);
    },
  });
}

export const fileKinds: Readonly<Record<'file' | 'image' | 'filelist' | 'imagelist', FieldKind>> = {
  file: createFileKind('file', 'A file: it is stored, and the column holds its address.', 'link'),
  image: createFileKind('image', 'A picture: it is stored, and the column holds its address.', 'image'),
  filelist: createFileListKind('filelist', 'A list of files.', 'ul'),
  imagelist: createFileListKind('imagelist', 'A list of pictures.', 'carousel'),
};
