import './shape/jitless.ts';
import { App, Hook, Rest, Role, Scope } from './shape/api.ts';
import { Fieldset, Schema } from './shape/schema.ts';
import { Database, Server, Settings } from './shape/settings.ts';

export type { RoleRule } from './shape/api.ts';
export {
  ACCESS,
  type Access,
  AGGREGATES,
  HOOK_FORMATS,
  type HookFormat,
  REST_METHODS,
  type RestMethod,
} from './shape/api.ts';
export {
  Exclude,
  FIELD_TYPES,
  Field,
  type FieldType,
  Format,
  Index,
  RELATION_KINDS,
  Relation,
  type RelationKind,
  type Unique,
  Validation,
} from './shape/schema.ts';
export type { SettingsInput } from './shape/settings.ts';
export { App, Database, Fieldset, Hook, Rest, Role, Schema, Scope, Server, Settings };

/** Kinds of definition. Each has a folder of that name under `config/`; `settings` is a single file. */
export const DEFINITION_KINDS = ['schema', 'fieldset', 'rest', 'scope', 'webhook', 'app', 'role'] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];
export type FileKind = DefinitionKind | 'settings';

/** The shape of each kind. Type, validation, JSON Schema, prompts and reference page come from it. */
export const SHAPES = {
  settings: Settings,
  schema: Schema,
  fieldset: Fieldset,
  rest: Rest,
  scope: Scope,
  webhook: Hook,
  app: App,
  role: Role,
} as const;

/** The content of each kind of definition, as written. */
export interface DefinitionOf {
  readonly settings: Settings;
  readonly schema: Schema;
  readonly fieldset: Fieldset;
  readonly rest: Rest;
  readonly scope: Scope;
  readonly webhook: Hook;
  readonly app: App;
  readonly role: Role;
}

/** The key that must equal the file's name, if the kind has one. */
export const NAME_KEYS: Readonly<Record<DefinitionKind, 'name' | 'slug' | undefined>> = {
  schema: 'name',
  fieldset: 'name',
  rest: undefined,
  scope: 'slug',
  webhook: undefined,
  app: undefined,
  role: 'slug',
};

/** Path of a definition's file, relative to the project's root. */
export const toFile = (kind: FileKind, name: string): string =>
  kind === 'settings' ? 'config/settings.json' : `config/${kind}/${name}.json`;
