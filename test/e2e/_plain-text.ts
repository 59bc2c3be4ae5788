// Finds what people read on a page in the pseudo-language and is not in its brackets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listCountries } from '../../src/model/field/countries.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { validators } from '../../src/model/field/validate-rule.ts';
import { formats } from '../../src/model/format/format.ts';
import type { CompiledPlan } from '../../src/plan/compile.ts';

/** What a page may show without translation, by reason. Compared with whole words and with their capitals. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'names of the sample project and of its rows': [
    ...['Site', 'Ada', 'Ann', 'Reader', 'Treadle', 'Blog', 'blog'],
    ...['title', 'Text', 'Hello', 'hello', 'mend', 'clean-up', 'nobody', 'odd'],
  ],
  'units, keys and abbreviations that are the same in every language': ['UTC', 'Ctrl', 'GB', 'kB', 'MB', 'ID', 'URL'],
  'names of programs, languages and standards': [
    ...[
      'curl',
      'JavaScript',
      'Python',
      'PHP',
      'Node',
      'standardwebhooks',
      'CloudEvents',
      'OpenAPI',
      'JSON',
      'CSV',
      'SQL',
    ],
    ...['NDJSON', 'HTML', 'SQLite', 'PostgreSQL', 'HTTP', 'IPv4', 'IPv6', 'Basic'],
  ],
  'HTTP methods, which a form offers by name': ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  'roles and groups that need no file': ['admin', 'guest', 'user', 'app'],
  'actions on rows, by which files and paths name them': ['link', 'unlink', 'batch', 'import'],
  'what the operating system says': ['connect', 'ECONNREFUSED'],
  'types of JSON': ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'],
};

/** Examples of names, which people give in a language of their own, in the forms of definitions. */
const EXAMPLES: readonly string[] = ['Search articles', 'Article created', 'Reader', 'Editor', 'See your profile'];

/** Elements whose text is code or data. */
const CODE = /<(script|style|pre|code|textarea|time)\b[^>]*>[\s\S]*?<\/\1>/g;
/** Elements inside a sentence. */
const INLINE = /<\/?(?:a|strong|em|bdi|b)\b[^>]*>/g;
const TAG = /<[^>]*>/g;
/** Attributes that people read or hear, and those that hold texts for scripts. */
const READ =
  /\b(?:aria-label|placeholder|alt|title|data-(?:label|hint|none|some|live|lost|copied|selected|kept|refused|unused|known))="([^"]*)"/g;
/** Texts for scripts, as JSON. */
const WORDS = /data-words="([^"]*)"|<div hidden id="t-form-words">([^<]*)<\/div>/g;
/** A word with a sign that no word of a sentence has: a path, a file, a column, an address. */
const CODE_WORD = /[_/\\@=<>$*#]|\w\.\w|\w:\w|[a-z][A-Z]|\d/;

const toText = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** `Intl` speaks no pseudo-language: ages and countries are in English. */
const AGE =
  /\b(?:in )?\d+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b|\b(?:yesterday|tomorrow|now|(?:last|next|this) (?:week|month|year))\b/g;
const COUNTRIES: ReadonlySet<string> = new Set(listCountries().map(({ value }) => value));

/** What is outside of the brackets, which may be nested. */
function toBare(text: string): string {
  let [bare, last] = [text, ''];
  while (bare !== last) {
    last = bare;
    bare = bare.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  }
  return toText(bare);
}

function listWords(html: string): string[] {
  return [...html.matchAll(WORDS)].flatMap(([, one, two]) =>
    Object.values(JSON.parse(toText(one ?? two ?? '{}')) as Record<string, string>),
  );
}

/** Finds plain words on a page. */
export type FindPlain = (html: string) => string[];

/** What says itself that it is in English, as the docs of an error code do. */
const ENGLISH = /<(p|td)\b[^>]*\blang="en"[^>]*>[\s\S]*?<\/\1>/g;

/** @param names Further words of a project that are no texts, such as the names of its definitions. */
export function createFindPlain(names: Iterable<string> = []): FindPlain {
  const allowed = new Set([...names, ...Object.values(ALLOWED).flat()]);
  const isPlain = (word: string): boolean => /[A-Za-z]{3}/.test(word) && !CODE_WORD.test(word) && !allowed.has(word);
  const hasPlain = (piece: string): boolean =>
    toBare(piece)
      .split(/\s+/)
      .map((word) => word.replace(/^[^\p{L}\p{N}_$/*<@]+|[^\p{L}\p{N}_$/*>]+$/gu, ''))
      .some((word) => isPlain(word) || (word.includes('-') && !allowed.has(word) && word.split('-').every(isPlain)));
  return (html) => {
    const page = html.replace(/<!--[\s\S]*?-->/g, '');
    const title = /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '';
    const body = page
      .replace(/<head>[\s\S]*?<\/head>/, '')
      .replace(WORDS, '')
      .replace(ENGLISH, ' ');
    // A date of `Intl`, which speaks no pseudo-language.
    const attributes = [...body.replace(/<time\b[^>]*>/g, '<time>').matchAll(READ)].map(([, value = '']) => value);
    const texts = body.replace(CODE, ' ').replace(INLINE, '').split(TAG);
    return [title, ...texts, ...attributes, ...listWords(page)]
      .filter(
        (piece) =>
          !COUNTRIES.has(toText(piece).trim()) && !EXAMPLES.includes(piece.trim()) && hasPlain(piece.replace(AGE, '')),
      )
      .map((piece) => piece.trim());
  };
}

/** Values and keys of definitions, such as `public` and `create`, which a form offers as the file has them. */
function listValues(): string[] {
  const folder = join(packageRoot, 'templates/json-schema');
  const collect = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { enum: values, const: only, properties } = value as Readonly<Record<string, unknown>>;
    const keys = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    return [[values ?? [], only ?? []].flat().map(String), keys, Object.values(value).flatMap(collect)].flat();
  };
  return readdirSync(folder).flatMap((file) => collect(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}

/** Names that the pages of a project show as they are: of its definitions, and of what definitions choose from. */
export function listNames({ model, draft, hooks, calls, events }: CompiledPlan): string[] {
  const owners = [...model.schemas.values()];
  return [
    ...owners.flatMap(({ name, primary, columns }) => [name, primary, ...columns.map((column) => column.field.name)]),
    ...owners.flatMap(({ columns }) => columns.flatMap(({ parts = [] }) => parts.map(({ name }) => name))),
    ...model.fieldsets.keys(),
    ...[...calls, ...hooks].map(({ name }) => name),
    ...[model.scopes, model.apps].flatMap((kind) => [...kind.keys()]),
    ...[...model.roles.values()].map(({ slug }) => slug),
    ...draft.registered.map(({ event }) => event),
    ...events.map(({ name }) => name),
    ...[fieldKinds, formats, validators].flatMap((kinds) => Object.keys(kinds)),
    ...listValues(),
  ];
}
