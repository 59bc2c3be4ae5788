import { suggest } from '../../core/text/suggest.ts';
import { isRecord } from '../../model/json/json-value.ts';
import { toLabelText, toPlural } from '../../model/names.ts';
import { findShape } from '../../model/shape/walk.ts';
import { type FileKind, NAME_KEYS, SHAPES } from '../../model/shape.ts';
import { isValid } from './convert.ts';

interface MissingKey {
  readonly kind: FileKind;
  /** Name of the definition: the file's name. */
  readonly name: string;
  readonly document: unknown;
  readonly path: readonly (string | number)[];
}

/** Lists that a definition must have, and that may be empty. */
const LISTS: ReadonlySet<string> = new Set(['scope calls', 'role permissions']);

/** The value that the commands would give a missing key: the file's name, a label made from it, an empty list. */
export function findDefault({ kind, name, document, path }: MissingKey): unknown {
  const [key, ...inner] = path;
  if (typeof key !== 'string' || inner.length > 0 || kind === 'settings' || !isRecord(document)) return undefined;
  if (isMisspelt(kind, key, document)) return undefined;
  const value = toDefault(kind, key, { name, document });
  return value !== undefined && isValid(kind, path, value) ? value : undefined;
}

/** Whether the key is there under a misspelt name, which has a fix of its own. */
const isMisspelt = (kind: FileKind, key: string, document: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(document).some(
    (other) => suggest(other, [key]) !== undefined && findShape(SHAPES[kind], [other]) === undefined,
  );

function toDefault(
  kind: Exclude<FileKind, 'settings'>,
  key: string,
  { name, document }: Pick<MissingKey, 'name'> & { readonly document: Readonly<Record<string, unknown>> },
): unknown {
  if (key === NAME_KEYS[kind]) return name;
  if (LISTS.has(`${kind} ${key}`)) return [];
  const singular = typeof document.singular === 'string' ? document.singular : toLabelText(name);
  if (kind === 'schema' || kind === 'fieldset')
    return key === 'singular' ? singular : key === 'plural' ? toPlural(singular) : undefined;
  return key === 'name' && kind === 'role' ? toLabelText(name) : undefined;
}
