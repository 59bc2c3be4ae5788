/** Headers that may contain a secret of the receiver: the log keeps the name and drops the value. */
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

/** Headers as JSON for the log: without secret values, long values cut. */
export function toLoggedHead(headers: Readonly<Record<string, string>>): string {
  const kept = Object.entries(headers)
    .slice(0, MOST_HEADERS)
    .map(([name, value]) => [name, SECRET_HEADERS.has(name.toLowerCase()) ? '(hidden)' : value.slice(0, VALUE_LENGTH)]);
  return JSON.stringify(Object.fromEntries(kept));
}

/** Body text for the log. PostgreSQL rejects zero bytes in text. */
export const toLoggedBody = (body: string): string => body.replaceAll('\u0000', '\uFFFD');
