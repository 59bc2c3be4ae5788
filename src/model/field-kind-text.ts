import * as z from 'zod';
import { hashPassword } from '../core/password.ts';
import { ALL_FLAGS, type FieldKind, TEXT, toKind, toText } from './field-kind-row.ts';
import { sanitizeHtml } from './field-kind-sanitize.ts';
import { isEmail, isHexColor, isUrl } from './validate-test.ts';

const LINE_CHARACTERS = 255;
const URL_CHARACTERS = 2048;
/** Characters of a long text; the body limit of the route comes first. */
const LONG_CHARACTERS = 16_000_000;
const PASSWORD_CHARACTERS = 1024;

const base = { group: 'string', sql: TEXT, coerce: toText, isText: true, flags: ALL_FLAGS } as const;
const line = {
  ...base,
  shape: () => z.string().max(LINE_CHARACTERS),
  expects: () => `must be text of at most ${LINE_CHARACTERS} characters`,
} as const;
const long = {
  ...base,
  isLong: true,
  flags: { searchable: true, filterable: false, sortable: false },
  shape: () => z.string().max(LONG_CHARACTERS),
  expects: () => 'must be text',
} as const;

const input = (inputType: string, attributes = {}) => ({ element: 'input', inputType, attributes }) as const;
const area = (rows: number, attributes = {}) => ({ element: 'textarea', attributes: { rows, ...attributes } }) as const;

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
  text: toKind({
    ...line,
    type: 'text',
    description: 'A line of text, at most 255 characters.',
    control: input('text', { maxlength: LINE_CHARACTERS }),
  }),
  email: toKind({
    ...base,
    type: 'email',
    description: 'An e-mail address.',
    coerce: (value) => (typeof value === 'string' ? toText(value.trim()) : toText(value)),
    shape: () => z.string().max(LINE_CHARACTERS).refine(isEmail),
    expects: () => 'must be an e-mail address such as ann@example.org',
    jsonSchema: { type: 'string', format: 'email', maxLength: LINE_CHARACTERS },
    control: input('email', { maxlength: LINE_CHARACTERS, autocomplete: 'email' }),
    defaultFormat: 'email',
  }),
  password: toKind({
    ...base,
    type: 'password',
    description: 'A password: stored as a scrypt hash and never shown.',
    shape: () => z.string().max(PASSWORD_CHARACTERS),
    expects: () => `must be text of at most ${PASSWORD_CHARACTERS} characters`,
    jsonSchema: { type: 'string', format: 'password', maxLength: PASSWORD_CHARACTERS, writeOnly: true },
    control: input('password', { autocomplete: 'new-password' }),
    isSecret: true,
    flags: { searchable: false, filterable: false, sortable: false },
    defaultFormat: 'hide',
    prepare: (value, { random }) => (typeof value === 'string' && value !== '' ? hashPassword(value, random) : null),
  }),
  search: toKind({
    ...line,
    type: 'search',
    description: 'A line of text, edited in a search box.',
    control: input('search', { maxlength: LINE_CHARACTERS }),
  }),
  url: toKind({
    ...base,
    type: 'url',
    description: 'A web address: http, https or ftp.',
    coerce: (value) => (typeof value === 'string' ? toText(value.trim()) : toText(value)),
    shape: () => z.string().max(URL_CHARACTERS).refine(isUrl),
    expects: () => 'must be a web address such as https://example.org/page',
    jsonSchema: { type: 'string', format: 'uri', maxLength: URL_CHARACTERS },
    control: input('url', { maxlength: URL_CHARACTERS }),
    defaultFormat: 'link',
  }),
  mask: toKind({
    ...line,
    type: 'mask',
    description: 'A line of text typed into a mask, such as a telephone number.',
    control: input('text', { maxlength: LINE_CHARACTERS }),
  }),
  slug: toKind({
    ...line,
    type: 'slug',
    description: 'A name for addresses: lower case letters, digits and dashes.',
    coerce: (value) => {
      const text = toText(value);
      return typeof text === 'string' ? toText(toSlug(text)) : text;
    },
    control: input('text', { maxlength: LINE_CHARACTERS, spellcheck: 'false' }),
  }),
  color: toKind({
    ...base,
    type: 'color',
    description: 'A colour such as #3366ff.',
    shape: () => z.string().refine(isHexColor),
    expects: () => 'must be a colour such as #3366ff',
    jsonSchema: { type: 'string', pattern: '^#?[0-9A-Fa-f]{6}$' },
    control: input('color'),
  }),
  textarea: toKind({ ...long, type: 'textarea', description: 'Text of many lines.', control: area(5) }),
  wysiwyg: toKind({
    ...long,
    type: 'wysiwyg',
    description: 'Formatted text (HTML), cleaned of scripts when it is stored.',
    control: area(10, { 'data-do': 'wysiwyg' }),
    defaultFormat: 'html',
    prepare: (value) => {
      const text = toText(value);
      return typeof text === 'string' ? toText(sanitizeHtml(text)) : null;
    },
  }),
  markdown: toKind({
    ...long,
    type: 'markdown',
    description: 'Text in Markdown.',
    control: area(10, { 'data-do': 'markdown-editor' }),
    defaultFormat: 'markdown',
  }),
  code: toKind({
    ...long,
    type: 'code',
    description: 'Program text, kept as it is.',
    control: area(10, { 'data-do': 'code-editor', spellcheck: 'false' }),
  }),
};

function toSlug(text: string): string {
  return text
    .slice(0, LINE_CHARACTERS * 4)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');
}
