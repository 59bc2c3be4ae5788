/** Name endings of secrets: `apiSecret`, `smtp-password`, `keys.private_key`. */
const ENDING = /(?:^|_)(?:secret|password|passwd|passphrase|token|(?:api|private|secret|signing)_?key)(s?)$/;

/** A name in small letters, its words parted by `_`: `accessToken` is `access_token`. */
export const toSnake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();

/**
 * Whether a value is named like a secret. `has_password: true` is no password and `input_tokens: 512` is a count: neither is
 * one.
 */
export function endsAsSecret(name: string, value: unknown): boolean {
  const [found, plural] = ENDING.exec(toSnake(name)) ?? [];
  if (found === undefined || typeof value === 'boolean') return false;
  return plural === '' || typeof value !== 'number';
}
