import type { Access } from '../../../core/access.ts';
import { TreadleError } from '../../../core/errors.ts';
import { translate } from '../../../core/text/translate.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { toColumnText, toLabelText } from '../../../model/names.ts';
import { isSystemSet } from '../../../model/server-set.ts';
import { findColumn, listKnown } from '../../../rows/column.ts';
import { readRows } from '../../../rows/read.ts';
import { readText } from '../../../rows/text.ts';

/** A key of the file, with the column that it fills. */
export interface MappedKey {
  readonly key: string;
  /** Empty: the key is left out. */
  readonly column: string;
  /** What the form says in place of a column that can be filled. */
  readonly unknown?: string | undefined;
  /** A value, so that people recognize the key. */
  readonly sample: string;
}

/** What the beginning of a file tells. */
export interface FileHead {
  readonly isCsv: boolean;
  readonly keys: readonly { readonly key: string; readonly sample: string }[];
}

/** Rows that are read to find the keys. */
const HEAD_ROWS = 200;
const SAMPLE_CHARACTERS = 60;
/** Keys of a file: the page has a row of choices for each. */
const MOST_KEYS = 500;

/** Refuses a file of too many keys. @throws IMPORT_FILE_BROKEN */
export function refuseMany(count: number): void {
  if (count <= MOST_KEYS) return;
  const message = translate('The file has more than {count} keys.', { count: MOST_KEYS });
  const hint = translate('Leave out columns that you do not import, or use treadle import.');
  throw new TreadleError('IMPORT_FILE_BROKEN', `${message} ${hint}`, { status: 422 });
}

/** Reads the keys of a file from its first rows. @throws IMPORT_FILE_BROKEN */
export async function readHead(bytes: AsyncIterable<Uint8Array>): Promise<FileHead> {
  const samples = new Map<string, string>();
  const found = { isCsv: false };
  const checkHeading = (names: readonly string[]): void => {
    found.isCsv = true;
    refuseMany(names.length);
    for (const name of names) samples.set(name, '');
  };
  let count = 0;
  let error: string | undefined;
  for await (const rows of readRows(readText(bytes), { format: undefined, checkHeading, guard: refuseMany })) {
    for (const row of rows) {
      if ('message' in row) {
        error ??= row.message;
        continue;
      }
      for (const [key, value] of Object.entries(row.values)) {
        const known = samples.get(key);
        if (known === undefined || known === '') samples.set(key, toPlain(value).slice(0, SAMPLE_CHARACTERS));
        refuseMany(samples.size);
      }
      count += 1;
    }
    if (count >= HEAD_ROWS) break;
  }
  // Without a row that can be read, the first one says why.
  if (samples.size === 0 && error !== undefined) throw new TreadleError('IMPORT_FILE_BROKEN', error, { status: 422 });
  return { isCsv: found.isCsv, keys: [...samples].map(([key, sample]) => ({ key, sample })) };
}

/** A column or a relation that a file can fill. */
export interface ImportTarget {
  readonly name: string;
  readonly label: string;
}

/** What a file can fill, with the rights of the viewer. */
export function listFillable(schema: SchemaModel, access: Access): ImportTarget[] {
  const grant = access.grant(schema.name, 'import');
  const sets = grant?.rules?.map(({ write }) => write) ?? [grant?.write];
  const isOpen = (name: string): boolean =>
    name === schema.primary || sets.some((write) => write === undefined || write.has(name));
  const names = [...new Set(listKnown(schema).map((name) => findColumn(schema, name) ?? name))];
  return names
    .filter((name) => isOpen(name) && !isSetBySite(schema, name))
    .map((name) => ({ name, label: toLabel(schema, name) }));
}

/** Times, identifiers and addresses that an import of a person's file does not bring. */
function isSetBySite(schema: SchemaModel, name: string): boolean {
  const column = schema.byName.get(name);
  return column !== undefined && name !== schema.active && isSystemSet(column);
}

function toLabel(schema: SchemaModel, name: string): string {
  if (name === schema.primary) return translate('ID');
  const label = schema.byName.get(name)?.label ?? toLabelText(name);
  return label === name ? name : `${toColumnText(label)} (${name})`;
}

/** Maps the keys that have the name of a column or a field to it. */
export function guessMapping(schema: SchemaModel, { keys }: FileHead, fillable: readonly ImportTarget[]): MappedKey[] {
  return keys.map(({ key, sample }) => {
    const column = findColumn(schema, key) ?? '';
    return { key, sample, column: fillable.some(({ name }) => name === column) ? column : '' };
  });
}

/**
 * Reads the mapping of a form: `map[0][column]` is the column of the first key, by its name or its label. One field a
 * key, because a form has at most 1,000.
 */
export function readMapping(posted: unknown, head: FileHead, fillable: readonly ImportTarget[]): MappedKey[] {
  const sent = (isRecord(posted) || Array.isArray(posted) ? posted : {}) as Readonly<Record<number, unknown>>;
  const names = new Map(fillable.flatMap(({ name, label }) => [[label, name] as const, [name, name] as const]));
  return head.keys.map(({ key, sample }, index) => {
    const row = sent[index];
    const text = toPlain(isRecord(row) ? row.column : '').trim();
    const column = names.get(text) ?? '';
    return { key, sample, column, unknown: column === '' && text !== '' ? text : undefined };
  });
}

/** Why a mapping cannot be used; undefined if it can. */
export function findMappingError(mapping: readonly MappedKey[]): string | undefined {
  const wrong = mapping.find(({ unknown }) => unknown !== undefined);
  if (wrong?.unknown !== undefined)
    return translate('{key}: {text} is not a column that can be filled. Choose one of the list.', {
      key: wrong.key,
      text: wrong.unknown,
    });
  const used = mapping.filter(({ column }) => column !== '');
  if (used.length === 0) return translate('No key of the file fills a column: choose at least one.');
  const twice = used.find(({ column }, index) => used.findIndex((other) => other.column === column) !== index);
  if (twice === undefined) return undefined;
  const keys = used.filter(({ column }) => column === twice.column).map(({ key }) => key);
  return translate('{keys} fill the same column: leave all but one out.', { keys: keys.join(', ') });
}
