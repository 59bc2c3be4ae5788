import type { Definitions } from '../model/definitions.ts';
import { DEFINITION_KINDS } from '../model/shape.ts';

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
