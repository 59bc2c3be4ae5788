import type { Source } from './parse.ts';
import { type DefinitionKind, type DefinitionOf, NAME_KEYS, type Settings } from './shape.ts';

type Sources = { readonly [K in DefinitionKind]: ReadonlyMap<string, Source<DefinitionOf[K]>> };

/**
 * The content of `config/`: every definition that could be parsed, by kind and by file name without `.json`.
 */
export type Definitions = Sources & {
  readonly settings: Source<Settings>;
  /** `version` of the project's package.json; absent without one. */
  readonly version?: string;
  /**
   * `<kind>/<name>` of files that could not be parsed: a reference to them is not reported as another
   * problem.
   */
  readonly broken: ReadonlySet<string>;
};

/** Names of the definitions of a kind: their own, which should equal the file names. */
export function toNames(definitions: Definitions, kind: DefinitionKind): string[] {
  return [...definitions[kind]].map(([name, { value }]) => readOwnName(kind, name, value));
}

/** The name that a definition gives itself; that of its file for a kind whose definitions have none. */
export function readOwnName(kind: DefinitionKind, file: string, value: object): string {
  const key = NAME_KEYS[kind];
  const names: { readonly name?: unknown; readonly slug?: unknown } = value;
  return key === undefined ? file : String(names[key]);
}

/** The definitions of a kind, with the type of that kind. */
export const getSources = <K extends DefinitionKind>(sources: Sources, kind: K): Sources[K] => sources[kind];

/** The definitions with other ones of a kind. */
export const withSources = <K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  sources: ReadonlyMap<string, Source<DefinitionOf[K]>>,
): Definitions => ({ ...definitions, [kind]: sources });

/** The definitions with one of a kind replaced or added, or without it. */
export function withSource<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  name: string,
  source: Source<DefinitionOf[K]> | undefined,
): Definitions {
  const sources = new Map<string, Source<DefinitionOf[K]>>(getSources(definitions, kind));
  if (source === undefined) sources.delete(name);
  else sources.set(name, source);
  return withSources(definitions, kind, sources);
}

/** True if a definition exists, parsed or broken. */
export const hasDefinition = (definitions: Definitions, kind: DefinitionKind, name: string): boolean =>
  toNames(definitions, kind).includes(name) || definitions.broken.has(`${kind}/${name}`);
