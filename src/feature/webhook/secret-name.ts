import { fieldKinds } from '../../model/field-kind.ts';
import type { Model } from '../../model/model.ts';

/** Tells whether what stands under a name, anywhere in an event's data, is a secret that no receiver is sent. */
export type IsSecret = (name: string, value: unknown) => boolean;

/** Names that hold secrets whatever event left them in its results. */
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

/** Ends of the names that a project's own event may give a secret: `apiSecret`, `smtp-password`, `keys.private_key`. */
const ENDING = /(?:^|_)(?:secret|password|passwd|passphrase|token|(?:api|private|secret|signing)_?key)(s?)$/;

const toSnake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();

/** `has_password: true` is no password, `input_tokens: 512` is a count, and under neither name is anything to hide. */
function endsAsSecret(name: string, value: unknown): boolean {
  const [found, plural] = ENDING.exec(toSnake(name)) ?? [];
  if (found === undefined || typeof value === 'boolean') return false;
  return plural === '' || typeof value !== 'number';
}

/**
 * Reads which names are secrets: those known, columns of a secret field type, and what ends as a secret does. A column
 * that a schema declares with another type is the project's word that it is none: `page_token` is sent.
 */
export function compileSecrets(model: Model): IsSecret {
  const secret = new Set(NAMES);
  const declared = new Set<string>();
  for (const { columns } of model.schemas.values())
    for (const { name, field } of columns) (fieldKinds[field.type].isSecret ? secret : declared).add(name);
  return (name, value) => secret.has(name) || (!declared.has(name) && endsAsSecret(name, value));
}
