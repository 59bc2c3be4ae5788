import type { Source } from './parse.ts';
import { type DefinitionKind, type DefinitionOf, NAME_KEYS, type Settings } from './shape.ts';

/** What `config/` holds: every definition that could be parsed, by kind and by its file's name without `.json`. */
export type Definitions = {
  readonly [K in DefinitionKind]: ReadonlyMap<string, Source<DefinitionOf[K]>>;
} & {
  readonly settings: Source<Settings>;
  /** `<kind>/<name>` of files that could not be parsed: what names them is not a problem of its own. */
  readonly broken: ReadonlySet<string>;
};

/** Names that definitions of a kind are called by: their own, which their files should have too. */
export function toNames(definitions: Definitions, kind: DefinitionKind): string[] {
  const key = NAME_KEYS[kind];
  if (key === undefined) return [...definitions[kind].keys()];
  return [...definitions[kind].values()].map(
    ({ value }) => (value as unknown as Readonly<Record<typeof key, string>>)[key],
  );
}

/** Whether a definition is there, parsed or broken. */
export const hasDefinition = (definitions: Definitions, kind: DefinitionKind, name: string): boolean =>
  toNames(definitions, kind).includes(name) || definitions.broken.has(`${kind}/${name}`);
