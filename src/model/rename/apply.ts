import { isDeepStrictEqual } from 'node:util';
import { type Definitions, getSources, withSources } from '../definitions.ts';
import { listFormer, toTable } from '../names.ts';
import type { Source } from '../parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind, toFile } from '../shape.ts';
import { type Mention, replaceMentions, type See } from './mention.ts';
import type { Renames } from './renames.ts';

/** A definition to write; without a value its file is removed. */
export interface RenameChange {
  readonly kind: FileKind;
  readonly name: string;
  readonly value: unknown;
  /** Former name, if the file is renamed. */
  readonly from?: string;
}

export interface RenamedDefinitions {
  readonly changes: readonly RenameChange[];
  readonly definitions: Definitions;
  /** Renamed columns, keys and lists. */
  readonly renames: Renames;
}

/** A renamed definition. */
export interface NameChange {
  readonly kind: DefinitionKind;
  readonly from: string;
  readonly to: string;
}

/** Replaces one definition of a kind at its position, possibly under another name. */
export function replaceDefinition<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  name: string,
  value: DefinitionOf[K],
  to = name,
): Definitions {
  const entries = [...getSources(definitions, kind)].map(([key, source]): [string, Source<DefinitionOf[K]>] =>
    key === name ? [to, { ...source, file: toFile(kind, to), value }] : [key, source],
  );
  return withSources(definitions, kind, new Map(entries));
}

/** Replaces the names in every definition with the results of `see`. */
export function replaceAll(definitions: Definitions, see: See): Definitions {
  const next = DEFINITION_KINDS.reduce((all, kind) => replaceInKind(all, kind, see), definitions);
  const value = replaceMentions('settings', definitions.settings.value, see);
  return { ...next, settings: { ...definitions.settings, value } };
}

function replaceInKind<K extends DefinitionKind>(definitions: Definitions, kind: K, see: See): Definitions {
  const entries = [...getSources(definitions, kind)].map(([name, source]): [string, Source<DefinitionOf[K]>] => [
    name,
    { ...source, value: replaceMentions(kind, source.value, see) },
  ]);
  return withSources(definitions, kind, new Map(entries));
}

/** Settings are written without defaults. */
function toSettingsChange(before: Definitions, after: Definitions): RenameChange[] {
  const home = after.settings.value.home;
  if (home === before.settings.value.home) return [];
  const written: object = JSON.parse(before.settings.text.replace(/^\uFEFF/, ''));
  return [{ kind: 'settings', name: 'settings', value: { ...written, home } }];
}

/** The differences in `after`, file by file; a renamed file has its former name. */
export function listChanges(before: Definitions, after: Definitions, moved: readonly NameChange[]): RenameChange[] {
  const changes = DEFINITION_KINDS.flatMap((kind): RenameChange[] => {
    const former = new Map(moved.filter((each) => each.kind === kind).map(({ from, to }) => [to, from] as const));
    const removed = [...before[kind].keys()].filter((name) => !after[kind].has(name));
    const changed = [...after[kind]].flatMap(([name, { value }]): RenameChange[] => {
      const from = former.get(name);
      const old = before[kind].get(from ?? name)?.value;
      if (from === undefined && isDeepStrictEqual(old, value)) return [];
      return [{ kind, name, value, ...(from === undefined ? {} : { from }) }];
    });
    return [...removed.map((name) => ({ kind, name, value: undefined })), ...changed];
  });
  return [...changes, ...toSettingsChange(before, after)];
}

type FormerNames = string | string[] | undefined;

/**
 * The names that data may still have, latest first: one database may have been migrated since the last
 * rename, another not. Without the current name.
 */
export function toWas(before: FormerNames, from: string, to: string): FormerNames {
  const all = [from, ...listFormer(before)].filter((name) => toTable(name) !== toTable(to));
  const names = all.filter((name, index) => all.findIndex((other) => toTable(other) === toTable(name)) === index);
  return names.length > 1 ? names : names[0];
}

/** A value with a key, or without it if there is no part. */
export function withKey<T extends object, K extends keyof T>(value: T, key: K, part: T[K] | undefined): T {
  if (part !== undefined) return { ...value, [key]: part };
  const { [key]: _, ...rest } = value;
  return rest as T;
}

/** Replaces a label that was made from the name; a chosen label stays. */
export const toLabel = (label: string, made: string, fresh: string): string => (label === made ? fresh : label);

const SUBJECTS: Readonly<Partial<Record<DefinitionKind, Mention['subject']>>> = {
  schema: 'schema',
  fieldset: 'fieldset',
  rest: 'call',
  scope: 'scope',
  webhook: 'hook',
};

/** Renames definitions, and the entries in every list that names them. */
export function moveNames(definitions: Definitions, moved: readonly NameChange[]): Definitions {
  const next = moved.reduce((all, { kind, from, to }) => {
    const source = all[kind].get(from);
    return source === undefined ? all : replaceDefinition(all, kind, from, source.value, to);
  }, definitions);
  return replaceAll(next, ({ subject, name }) => {
    const found = moved.find(({ kind, from }) => SUBJECTS[kind] === subject && from === name);
    return found?.to ?? name;
  });
}
