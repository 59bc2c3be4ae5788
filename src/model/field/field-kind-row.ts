import type { z } from 'zod';
import type { Random } from '../../core/clock.ts';
import type { SentFile } from '../../core/request/sent-file.ts';
import type { Passwords } from '../../core/secret/password.ts';
import type { Field, FieldType } from '../shape.ts';

/** What is needed to prepare a value for storage. */
export interface PrepareTools {
  /** Milliseconds since 1970: the value of `NOW()`. */
  readonly now: number;
  readonly random: Random;
  readonly passwords: Passwords;
  /** The client's address, for fields of type `ipaddress`. */
  readonly address?: string | undefined;
  /** Stores sent files. Without it, files are refused. */
  readonly files?: FileTaker | undefined;
  /** Password hashes made beforehand; other passwords are hashed when they are prepared. */
  readonly hashes?: PasswordHashes | undefined;
  /** Cleans long HTML off the event loop; without it HTML is cleaned on the event loop. */
  readonly html?: HtmlCleaner | undefined;
}

/** Cleans HTML off the event loop. */
export interface HtmlCleaner {
  /** @throws {@link ValueRefused} */
  clean(html: string): Promise<string>;
}

/** Hashes of passwords made before a transaction, which is too short for hashing. */
export interface PasswordHashes {
  take(password: string): string | undefined;
}

/** Stores the files of one row; if the row is not written, they are removed. */
export interface FileTaker {
  /** Stores a file that the field accepts, and gives its address. @throws {@link ValueRefused} */
  take(file: SentFile, field: Field): Promise<string>;
  /** Checks that an address of this site's uploads has a file, and that the field accepts it. @throws {@link ValueRefused} */
  check(address: string, field: Field): Promise<void>;
}

/**
 * A value that turned out to be invalid while it was prepared, such as a file of another type. The message
 * follows the label.
 */
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

/** Everything about a field type: how it is stored, checked, prepared, edited and shown. */
export interface FieldKind {
  readonly type: FieldType;
  /** One line for the docs and `treadle schema create -h`. */
  readonly description: string;
  readonly group: FieldGroup;
  /** Column type by dialect; undefined if the field has no column. See `columnType`. */
  readonly sql: { readonly sqlite: string; readonly postgres: string } | undefined;
  /**
   * Converts a value from a form, a query string or JSON to the type's own form: `"5"` to 5, `""` to null.
   * Idempotent.
   */
  coerce(value: unknown, now: number): unknown;
  /** Shape of one coerced value other than null. */
  shape(field: Field): z.ZodType;
  /** The rule in words, after the label: `must be a number`. */
  expects(field: Field): string;
  /** Which rule of the type a value breaks, in words after the label, in the language of the request. Default: {@link expects}. */
  findError?(value: unknown, field: Field): string | undefined;
  /** JSON Schema of a value, if more specific than the one made from {@link shape}. */
  jsonSchema?(field: Field): Readonly<Record<string, unknown>>;
  readonly control: Control;
  /** True if the stored value is text, so that parts of it can be searched. */
  readonly isText: boolean;
  /** True for text of any length: its column is never indexed. */
  readonly isLong: boolean;
  /** True if stored as JSON text; decoded in input and results. */
  readonly isJson: boolean;
  /** True if it never appears in results, formats, searches or logs. */
  readonly isSecret: boolean;
  /** True if only Treadle sets it; sent values are ignored. */
  readonly isSystem: boolean;
  readonly flags: { readonly searchable: boolean; readonly filterable: boolean; readonly sortable: boolean };
  readonly defaultFormat: string;
  /** Converts a valid value (coerced or not) to its stored form. @throws {@link ValueRefused} */
  prepare(value: unknown, tools: PrepareTools, field?: Field): unknown | Promise<unknown>;
}

/** Compares by bytes in both databases, so that order and uniqueness do not depend on the server's locale. */
export const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const;
export const INTEGER = { sqlite: 'integer', postgres: 'bigint' } as const;
export const REAL = { sqlite: 'real', postgres: 'double precision' } as const;
export const JSON_TEXT = { sqlite: 'text', postgres: 'jsonb' } as const;

export const ALL_FLAGS = { searchable: true, filterable: true, sortable: true } as const;
export const NO_FLAGS = { searchable: false, filterable: false, sortable: false } as const;

type RequiredParts = Pick<
  FieldKind,
  'type' | 'description' | 'group' | 'sql' | 'coerce' | 'shape' | 'expects' | 'control'
>;

/** Fills in the defaults of a field type. By default the coerced value is stored. */
export function createKind(row: RequiredParts & Partial<FieldKind>): FieldKind {
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

/**
 * Converts to text: null for blank, numbers and booleans as text; other values are returned for the shape to
 * reject.
 */
export function coerceText(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/**
 * Converts to a number: null for blank, numeric text as number; other values are returned for the shape to
 * reject.
 */
export function coerceNumber(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // PostgreSQL would keep -0, and SQLite not.
  if (value === 0) return 0;
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed) && Number.isFinite(number) ? number + 0 : value;
}
