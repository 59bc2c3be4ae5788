const BASE = 'http://local.invalid';

/**
 * Target after login: a path of this origin, with query. Anything that a browser could read as another
 * origin (`//x`, `/\x`, a scheme, control characters) gives the fallback.
 */
export function toLocalPath(value: unknown, fallback: string): string {
  if (typeof value !== 'string' || value.length > 4096 || !/^\/(?![/\\])/.test(value)) return fallback;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop tabs and newlines in URLs
  if (/[\u0000-\u001f\u007f\\]/.test(value) || !URL.canParse(value, BASE)) return fallback;
  const url = new URL(value, BASE);
  if (url.origin !== BASE || url.pathname.startsWith('//')) return fallback;
  return url.pathname + url.search + url.hash;
}
