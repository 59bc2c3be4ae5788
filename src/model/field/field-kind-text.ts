import * as z from 'zod';
import { EMAIL_OCTETS, toAsciiDomain } from '../../core/text/email.ts';
import type { Field } from '../shape.ts';
import { createLengthSchema, describeLength, isInLength, LINE_CHARACTERS, readLength } from './field-bounds.ts';
import { ALL_FLAGS, coerceText, createKind, type FieldKind, type PrepareTools, TEXT } from './field-kind-row.ts';
import { sanitizeHtml } from './field-kind-sanitize.ts';
import { describeMask, toMaskPattern } from './field-mask.ts';
import { compilePatternTest } from './text-pattern.ts';
import { isEmail, isHexColor, isUrl } from './validate-test.ts';

/** Maximum bytes: a PostgreSQL index entry holds at most 2,704. */
const URL_BYTES = 2048;
/** Maximum characters of a long text; the route's body limit applies first. */
const LONG_CHARACTERS = 16_000_000;
/** Maximum characters of HTML: cleaning this much takes some 0.1 s. */
export const HTML_CHARACTERS = 200_000;
const PASSWORD_CHARACTERS = 1024;

const base = { group: 'string', sql: TEXT, coerce: coerceText, isText: true, flags: ALL_FLAGS } as const;

/** The attribute `pattern` as in browsers: it must match the whole text. */
function compileFieldPattern({ attributes }: Field): (text: string) => boolean {
  const { pattern } = attributes ?? {};
  return typeof pattern === 'string' && pattern !== '' ? compilePatternTest(`^(?:${pattern})$`) : () => true;
}

/** A text type; the attributes `minlength`, `maxlength` and `pattern` may narrow its length and form. */
function textRow(most: number) {
  return {
    shape: (field: Field): z.ZodType => {
      const length = readLength(field, most);
      const isFormed = compileFieldPattern(field);
      return z.string().refine((text) => isInLength(text, length) && isFormed(text));
    },
    expects: (field: Field): string => {
      const { pattern, title } = field.attributes ?? {};
      const form = pattern === undefined ? '' : ` of the form ${String(title ?? pattern)}`;
      return `must be ${describeLength(readLength(field, most))}${form}`;
    },
    jsonSchema: (field: Field) => {
      const { pattern } = field.attributes ?? {};
      return {
        type: 'string',
        ...createLengthSchema(readLength(field, most)),
        ...(typeof pattern === 'string' ? { pattern: `^(?:${pattern})$` } : {}),
      };
    },
  };
}

const line = { ...base, ...textRow(LINE_CHARACTERS) } as const;
const long = {
  ...base,
  ...textRow(LONG_CHARACTERS),
  isLong: true,
  flags: { searchable: true, filterable: false, sortable: false },
} as const;

const input = (inputType: string, attributes = {}) => ({ element: 'input', inputType, attributes }) as const;
const area = (rows: number, attributes = {}) => ({ element: 'textarea', attributes: { rows, ...attributes } }) as const;
export const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? coerceText(value.trim()) : coerceText(value);

type TextType =
  | 'text'
  | 'email'
  | 'password'
  | 'search'
  | 'url'
  | 'mask'
  | 'slug'
  | 'color'
  | 'textarea'
  | 'wysiwyg'
  | 'markdown'
  | 'code';

export const textKinds: Readonly<Record<TextType, FieldKind>> = {
  text: createKind({
    ...line,
    type: 'text',
    description: 'A line of text, at most 255 characters.',
    control: input('text', { maxlength: LINE_CHARACTERS }),
  }),
  email: createKind({
    ...base,
    type: 'email',
    description: 'An e-mail address, stored with its domain in ASCII and lower case.',
    coerce: (value) => (typeof value === 'string' ? coerceText(toAsciiDomain(value.trim())) : coerceText(value)),
    shape: () => z.string().refine(isEmail),
    expects: () => 'must be an e-mail address such as ann@example.org',
    jsonSchema: () => ({ type: 'string', format: 'email', maxLength: EMAIL_OCTETS }),
    control: input('email', { maxlength: EMAIL_OCTETS, autocomplete: 'email' }),
    defaultFormat: 'email',
  }),
  password: createKind({
    ...base,
    ...textRow(PASSWORD_CHARACTERS),
    type: 'password',
    description: 'A password: stored as a scrypt hash and never shown.',
    jsonSchema: (field) => ({
      type: 'string',
      format: 'password',
      ...createLengthSchema(readLength(field, PASSWORD_CHARACTERS)),
      writeOnly: true,
    }),
    control: input('password', { autocomplete: 'new-password', maxlength: PASSWORD_CHARACTERS }),
    isSecret: true,
    flags: { searchable: false, filterable: false, sortable: false },
    defaultFormat: 'hide',
    prepare: (value, { passwords, hashes }) =>
      typeof value === 'string' && value !== '' ? (hashes?.take(value) ?? passwords.hash(value)) : null,
  }),
  search: createKind({
    ...line,
    type: 'search',
    description: 'A line of text, edited in a search box.',
    control: input('search', { maxlength: LINE_CHARACTERS }),
  }),
  url: createKind({
    ...base,
    type: 'url',
    description: 'A web address: http, https or ftp.',
    coerce: trimmed,
    shape: () => z.string().refine((text) => Buffer.byteLength(text) <= URL_BYTES && isUrl(text)),
    expects: () => 'must be a web address such as https://example.org/page',
    jsonSchema: () => ({ type: 'string', format: 'uri', maxLength: URL_BYTES }),
    control: input('url', { maxlength: URL_BYTES }),
    defaultFormat: 'link',
  }),
  mask: createKind({
    ...line,
    type: 'mask',
    description: 'A line of text of the form that `data-mask` gives: 9 a digit, a a letter, * either.',
    shape: (field) => {
      const pattern = toMaskPattern(field);
      return pattern === undefined ? line.shape(field) : z.string().max(LINE_CHARACTERS).regex(pattern);
    },
    expects: (field) => describeMask(field) ?? line.expects(field),
    jsonSchema: (field) => {
      const pattern = toMaskPattern(field);
      return pattern === undefined ? line.jsonSchema(field) : { type: 'string', pattern: pattern.source };
    },
    control: input('text', { maxlength: LINE_CHARACTERS, 'data-do': 'mask-field' }),
  }),
  slug: createKind({
    ...line,
    type: 'slug',
    description: 'A name for addresses: what is sent becomes lower case letters, digits and dashes.',
    coerce: (value) => {
      const text = coerceText(value);
      return typeof text === 'string' ? coerceText(toSlug(text)) : text;
    },
    control: input('text', { maxlength: LINE_CHARACTERS, spellcheck: 'false', 'data-do': 'slugger' }),
  }),
  color: createKind({
    ...base,
    type: 'color',
    description: 'A colour, stored as #3366ff.',
    coerce: (value) => {
      const text = trimmed(value);
      return typeof text === 'string' && isHexColor(text) ? `#${text.replace('#', '').toLowerCase()}` : text;
    },
    shape: () => z.string().refine(isHexColor),
    expects: () => 'must be a colour such as #3366ff',
    jsonSchema: () => ({ type: 'string', pattern: '^#?[0-9A-Fa-f]{6}$' }),
    control: input('color'),
  }),
  textarea: createKind({ ...long, type: 'textarea', description: 'Text of many lines.', control: area(5) }),
  wysiwyg: createKind({
    ...long,
    ...textRow(HTML_CHARACTERS),
    type: 'wysiwyg',
    description: `Formatted text (HTML) of at most ${HTML_CHARACTERS} characters, cleaned of scripts when it is stored.`,
    control: area(10, { 'data-do': 'wysiwyg' }),
    defaultFormat: 'html',
    prepare: (value, tools) => {
      const text = coerceText(value);
      if (typeof text !== 'string') return null;
      const clean = cleanHtml(text, tools);
      return clean instanceof Promise ? clean.then(coerceText) : coerceText(clean);
    },
  }),
  markdown: createKind({
    ...long,
    type: 'markdown',
    description: 'Text in Markdown.',
    control: area(10, { 'data-do': 'markdown-editor' }),
    defaultFormat: 'markdown',
  }),
  code: createKind({
    ...long,
    type: 'code',
    description: 'Program text, kept as it is.',
    control: area(10, { 'data-do': 'code-editor', spellcheck: 'false' }),
  }),
};

/** HTML longer than this is cleaned off the event loop; shorter HTML takes some milliseconds. */
export const LONG_HTML = 4000;

/**
 * Cleans HTML; long HTML off the event loop.
 *
 * @param length Characters of all texts that are cleaned together. Default: this text only.
 */
export function cleanHtml(
  html: string,
  { html: cleaner }: PrepareTools,
  length = html.length,
): string | Promise<string> {
  if (length <= LONG_HTML) return sanitizeHtml(html);
  if (cleaner) return cleaner.clean(html);
  const clean = sanitizeHtml(html);
  // Gives other requests a turn, so that many texts in one row do not add up.
  return new Promise((resolve) => setImmediate(() => resolve(clean)));
}

function toSlug(text: string): string {
  return text
    .slice(0, LINE_CHARACTERS * 4)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');
}
