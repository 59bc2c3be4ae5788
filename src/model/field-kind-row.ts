import type { z } from 'zod';
import type { Random } from '../core/clock.ts';
import type { SentFile } from '../core/sent-file.ts';
import type { Field, FieldType } from './shape.ts';

/** What a value is made with when it is stored. */
export interface PrepareTools {
  /** Milliseconds since 1970: what `NOW()` means. */
  readonly now: number;
  readonly random: Random;
  /** Address of whoever asks, for fields of type `ipaddress`. */
  readonly address?: string | undefined;
  /** Takes files that are sent; without it none can be. */
  readonly files?: FileTaker | undefined;
  /** Hashes that were made ahead; what is not among them is hashed when it is stored. */
  readonly hashes?: PasswordHashes | undefined;
  /** Cleans long HTML beside the event loop; without it that is done here. */
  readonly html?: HtmlCleaner | undefined;
}

/** Cleans HTML off the event loop. */
export interface HtmlCleaner {
  /** @throws {@link ValueRefused} */
  clean(html: string): Promise<string>;
}

/** Hashes of passwords that were made before a transaction, which has no time for them. */
export interface PasswordHashes {
  take(password: string): string | undefined;
}

/** Keeps the files that come with one row; what becomes of them follows what becomes of the row. */
export interface FileTaker {
  /** Stores a file that the field takes and gives its address. @throws {@link ValueRefused} */
  take(file: SentFile, field: Field): Promise<string>;
  /** Whether an address of this site's uploads leads to a file. */
  has(address: string): Promise<boolean>;
}

/** A value that only preparing it showed to be wrong, such as a file of another type. Thrown with words that follow the label. */
export class ValueRefused extends Error {
  override readonly name = 'ValueRefused';
}

const FIELD_GROUPS = ['none', 'string', 'number', 'date', 'option', 'file', 'json', 'special'] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

/** The form control that edits a field. */
export interface Control {
  readonly element: 'input' | 'textarea' | 'select' | 'radios' | 'checkboxes' | 'fieldset' | 'none';
  /** `type` of an `input`. */
  readonly inputType?: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** One field type, complete: how it is stored, checked, prepared, edited and shown. */
export interface FieldKind {
  readonly type: FieldType;
  /** One line for the docs and `treadle schema create -h`. */
  readonly description: string;
  readonly group: FieldGroup;
  /** Column type by dialect; undefined where the field has no column. See `columnType`. */
  readonly sql: { readonly sqlite: string; readonly postgres: string } | undefined;
  /** Brings what a form, a query string or JSON sends to the value's own form: `"5"` to 5, `""` to null. Repeatable. */
  coerce(value: unknown, now: number): unknown;
  /** Shape of one coerced value that is not null. */
  shape(field: Field): z.ZodType;
  /** The rule in words, after the label: `must be a number`. */
  expects(field: Field): string;
  /** JSON Schema of a value, where it says more than the one made from {@link shape}. */
  jsonSchema?(field: Field): Readonly<Record<string, unknown>>;
  readonly control: Control;
  /** The stored value is text, so that it can be searched by parts of it. */
  readonly isText: boolean;
  /** Text of any length: its column is never indexed. */
  readonly isLong: boolean;
  /** Stored as JSON text; given and shown decoded. */
  readonly isJson: boolean;
  /** Never in results, formats, searches or logs. */
  readonly isSecret: boolean;
  /** Set by Treadle alone: what is sent for it is left out. */
  readonly isSystem: boolean;
  readonly flags: { readonly searchable: boolean; readonly filterable: boolean; readonly sortable: boolean };
  readonly defaultFormat: string;
  /** Turns a valid value (coerced or not) into what is stored. @throws {@link ValueRefused} */
  prepare(value: unknown, tools: PrepareTools, field?: Field): unknown | Promise<unknown>;
}

/** Compared by its bytes on both, so that order and uniqueness do not hang on the server's language. */
export const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const;
export const INTEGER = { sqlite: 'integer', postgres: 'bigint' } as const;
export const REAL = { sqlite: 'real', postgres: 'double precision' } as const;
export const JSON_TEXT = { sqlite: 'text', postgres: 'jsonb' } as const;

export const ALL_FLAGS = { searchable: true, filterable: true, sortable: true } as const;
export const NO_FLAGS = { searchable: false, filterable: false, sortable: false } as const;

type Needed = Pick<FieldKind, 'type' | 'description' | 'group' | 'sql' | 'coerce' | 'shape' | 'expects' | 'control'>;

/** Completes a row of the table: what is not said is the plainest. A value is stored as it was coerced. */
export function toKind(row: Needed & Partial<FieldKind>): FieldKind {
  const { coerce } = row;
  return Object.freeze({
    isText: false,
    isLong: false,
    isJson: false,
    isSecret: false,
    isSystem: false,
    flags: NO_FLAGS,
    defaultFormat: 'none',
    prepare: (value: unknown, { now }: PrepareTools) => coerce(value, now),
    ...row,
  });
}

/** Text: null for nothing, numbers and booleans written out, anything else left for the shape to refuse. */
export function toText(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** A number: null for nothing, numeric text read, anything else left for the shape to refuse. */
export function toNumber(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed) && Number.isFinite(number) ? number : value;
}
