/** Headers that carry a secret of whoever sends them: their names are logged, their values are not. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
]);
/** Characters of one header that the log keeps. */
const VALUE_LENGTH = 1000;
const MOST_HEADERS = 64;

/** Headers as the log keeps them, JSON: values of secret ones left out, long ones cut. */
export function toLoggedHead(headers: Readonly<Record<string, string>>): string {
  const kept = Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name, SECRET_HEADERS.has(name.toLowerCase()) ? '(hidden)' : value.slice(0, VALUE_LENGTH)]);
  return JSON.stringify(Object.fromEntries(kept));
}

/** A body as the log keeps it: PostgreSQL takes no zero byte in a text. */
export const toLoggedBody = (body: string): string => body.replaceAll('\u0000', '\uFFFD');
