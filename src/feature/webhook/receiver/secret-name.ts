import { endsAsSecret } from '../../../core/secret/secret-name.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import type { HookModel, Model } from '../../../model/model.ts';
import { hasPrivate, listPrivate } from '../../../model/role/private.ts';

/** Whether a named value, anywhere in an event's data, is a secret that must not be sent. */
export type IsSecret = (name: string, value: unknown) => boolean;

/** Names that always hold secrets, in the results of any event. */
const NAMES: readonly string[] = [
  'auth_password',
  'password',
  'confirm',
  'access_token',
  'access_secret',
  'refresh_token',
  'id_token',
  'client_secret',
  'secret',
  'secret_hash',
  'webhook_secret',
  'webhook_secrets',
];

/**
 * Compiles the rule for secrets: known names, columns of a secret field type, and names with a secret
 * ending. A column that a schema declares with another type is not secret: `page_token` is sent.
 */
export function compileSecrets(model: Model): IsSecret {
  const secret = new Set(NAMES);
  const declared = new Set<string>();
  for (const { columns } of model.schemas.values())
    for (const { name, field } of columns) (fieldKinds[field.type].isSecret ? secret : declared).add(name);
  return (name, value) => secret.has(name) || (!declared.has(name) && endsAsSecret(name, value));
}

/**
 * As the rule for secrets, for one hook: a private column is not sent either, anywhere in the data, unless the hook's `fields` name
 * it.
 */
export function compileWithheld({ definition, schema }: HookModel, model: Model, isSecret: IsSecret): IsSecret {
  if (!hasPrivate(model)) return isSecret;
  const named = new Set(definition.fields);
  const hidden = new Set<string>();
  for (const other of model.schemas.values()) {
    for (const name of listPrivate(other)) hidden.add(name);
    for (const { name, model: column } of other.row.flat) if (column?.isPrivate === true) hidden.add(name);
  }
  // Another schema's private column may have the name of a column of the hook's own rows.
  const own = schema === undefined ? undefined : model.schemas.get(schema);
  for (const { name, isPrivate } of own?.columns ?? []) if (!isPrivate) hidden.delete(name);
  for (const name of named) hidden.delete(name);
  return (name, value) => hidden.has(name) || isSecret(name, value);
}
