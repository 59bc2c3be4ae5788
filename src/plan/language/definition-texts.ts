import type { Definitions } from '../../model/definitions.ts';
import { toLabelText } from '../../model/names.ts';
import { DEFINITION_KINDS } from '../../model/shape.ts';

/** Keys of definitions whose values people read. */
const READ: ReadonlySet<string> = new Set([
  'singular',
  'plural',
  'label',
  'message',
  'title',
  'description',
  'name',
  'placeholder',
  'help',
  'options',
]);

function collectTexts(value: unknown, key: string, found: Set<string>): void {
  if (typeof value === 'string') {
    if (READ.has(key)) found.add(value);
  } else if (Array.isArray(value)) for (const item of value) collectTexts(item, key, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) collectTexts(item, key === 'options' ? key : name, found);
}

/** Texts of the definitions that a locale file may translate: labels, messages, titles and descriptions. */
export function listDefinitionTexts(definitions: Definitions): Set<string> {
  const found = new Set<string>();
  for (const kind of DEFINITION_KINDS)
    for (const { value } of definitions[kind].values()) collectTexts(value, '', found);
  collectTexts(definitions.settings.value, '', found);
  return found;
}

/** Labels that Treadle's templates and commands write into definitions, and usual names of columns with one meaning: it translates these. */
const WRITTEN: ReadonlySet<string> = new Set([
  'Active',
  'Address',
  'Created',
  'Description',
  'E-mail',
  'ID',
  'Language',
  'Name',
  'Password',
  'Profile',
  'Profile created',
  'Profiles',
  'Slug',
  'Title',
  'Updated',
  'Website',
]);
/** Words of a text that means one thing only, such as the description of a scope that a command wrote. */
const CLEAR_WORDS = 3;

const isOwn = (text: string): boolean => text.split(' ').length < CLEAR_WORDS && !WRITTEN.has(text);

/**
 * Short texts of the project's definitions, and labels made of its names. Only the project's locale files translate them: an `Event` of
 * Treadle's pages may be another word than the project's schema `Event`.
 */
export function listOwnLabels(definitions: Definitions): ReadonlySet<string> {
  const schemas = [...definitions.schema.values()].map(({ value }) => value);
  const owners = [...schemas, ...[...definitions.fieldset.values()].map(({ value }) => value)];
  const parts = [...owners.flatMap(({ fields = [] }) => fields), ...schemas.flatMap(({ relations = [] }) => relations)];
  const names = [...owners, ...parts].flatMap(({ name }) => name ?? []);
  // A name such as `active` is no label, and may be a word of Treadle's.
  const hidden = new Set(names);
  const texts = [...listDefinitionTexts(definitions)].filter((text) => !hidden.has(text));
  return new Set([...texts, ...names.map(toLabelText)].filter(isOwn));
}
