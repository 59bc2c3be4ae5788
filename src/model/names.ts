import { toLocalText, translate } from '../core/text/translate.ts';
import { NAME_LENGTH } from './shape/text.ts';

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    person: 'people',
    child: 'children',
    man: 'men',
    woman: 'women',
    mouse: 'mice',
    foot: 'feet',
    tooth: 'teeth',
    goose: 'geese',
    leaf: 'leaves',
    knife: 'knives',
    life: 'lives',
    wife: 'wives',
    shelf: 'shelves',
    half: 'halves',
    wolf: 'wolves',
    thief: 'thieves',
    hero: 'heroes',
    potato: 'potatoes',
    tomato: 'tomatoes',
    echo: 'echoes',
    quiz: 'quizzes',
    criterion: 'criteria',
    analysis: 'analyses',
    datum: 'data',
  }),
);
const UNCHANGED: ReadonlySet<string> = new Set(
  'series species news equipment information sheep fish deer data metadata feedback media people staff software'.split(
    ' ',
  ),
);

function toPluralWord(word: string): string {
  if (UNCHANGED.has(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return `${word}s`;
}

/** The plural of an English noun, preserving case: `Category` becomes `Categories`. */
export function toPlural(singular: string): string {
  const start = singular.search(/[A-Za-z]+$/);
  if (start < 0) return singular === '' ? '' : `${singular}s`;
  const word = singular.slice(start);
  const plural = toPluralWord(word.toLowerCase());
  if (word.length > 1 && word === word.toUpperCase()) {
    return singular + (/(?:S|X|Z|CH|SH)$/.test(word) ? 'es' : 's');
  }
  const first = word[0] === word[0]?.toUpperCase() ? (plural[0] ?? '').toUpperCase() : (plural[0] ?? '');
  return singular.slice(0, start) + first + plural.slice(1);
}

/** A label from a name: `first_name`, `first-name` and `firstName` become `First name`. */
export function toLabelText(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Former names of a renamed definition, latest first. */
export const listFormer = (was: string | readonly string[] | undefined): readonly string[] =>
  was === undefined ? [] : typeof was === 'string' ? [was] : was;

/** Table name, or part of a column name: `-` is not allowed in an identifier. */
export const toTable = (name: string): string => name.replaceAll('-', '_');
/** A noun with its indefinite article. */
export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`;

export const toPrimary = (schema: string): string => `${toTable(schema)}_id`;
export const toColumn = (schema: string, field: string): string => `${toTable(schema)}_${toTable(field)}`;

const RESERVED_SCHEMAS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    auth: 'people who log in are kept by Treadle itself',
    session: 'sessions are kept by Treadle itself',
    app: '/admin/system/model/app shows the apps',
    rest: '/admin/system/model/rest shows the REST calls',
    scope: '/admin/system/model/scope shows the scopes',
    webhook: '/admin/system/model/webhook shows the web hooks',
    role: '/admin/system/model/role shows the roles',
    schema: 'every model event names its schema by that word',
    fieldset: 'it is a kind of definition',
    settings: 'it is a kind of definition',
    system: '/admin/system is the admin section',
    admin: '/admin is the admin section',
  }),
);
const RESERVED_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['treadle', "names of Treadle's own tables start so"],
  ['sqlite', "names of SQLite's own tables start so"],
  ['pg_', "names of PostgreSQL's own tables start so"],
]);

const isPrototypeName = (name: string): boolean => name === 'prototype' || name in Object.prototype;
const PROTOTYPE_REASON = 'every object has a part of that name';

/** Why no definition may have this name; undefined if it may. */
export const findNameReserve = (name: string): string | undefined =>
  isPrototypeName(name) ? PROTOTYPE_REASON : undefined;

/** Why a schema may not have this name; undefined if it may. */
export function findSchemaReserve(name: string): string | undefined {
  const table = toTable(name).toLowerCase();
  if (isPrototypeName(name)) return PROTOTYPE_REASON;
  for (const [prefix, reason] of RESERVED_PREFIXES) if (table.startsWith(prefix)) return reason;
  return RESERVED_SCHEMAS.get(table);
}

/** Why a field may not have this name; undefined if it may. */
export function findFieldReserve(name: string): string | undefined {
  if (isPrototypeName(name)) return PROTOTYPE_REASON;
  return toTable(name).toLowerCase() === 'id' ? 'it is the primary key, which every schema has' : undefined;
}

/** Why a relation may not have this name; undefined if it may. */
export const findRelationReserve = (name: string): string | undefined =>
  isPrototypeName(name) ? PROTOTYPE_REASON : undefined;

const CREDENTIALS: ReadonlySet<string> = new Set(['client_id', 'client_secret', 'access_token', 'access_secret']);

/** Why a column or table may not have this name; undefined if it may. */
export function findColumnReserve(column: string): string | undefined {
  if (CREDENTIALS.has(column.toLowerCase())) return 'REST calls send credentials under that name';
  if (column.length > NAME_LENGTH) return `PostgreSQL allows at most ${NAME_LENGTH} characters`;
  return undefined;
}

/** A label in the language of the request; `Profile id`, which was made of a column's name, as the id of a profile. */
export function toColumnText(label: string): string {
  const [, row = '', end] = /^(.+) (ids?)$/.exec(label) ?? [];
  return end === undefined ? toLocalText(label) : translate(`{row} ${end}`, { row: toLocalText(row) });
}
