const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const SPECIAL = /[&<>"']/;

/** Escapes text for HTML. Most texts need no change, and a test is far cheaper than a replacement. */
export const escapeHtml = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character) : text;

/** A value as text: lists and objects as JSON, null and undefined as ''. */
export function toPlain(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * HTML without its tags, for a line of a list; still to be escaped. A tag ends at the next `<`, which keeps
 * the time linear for a text of only `<`.
 */
export const stripTags = (html: string): string =>
  html
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The first characters of a text, with an ellipsis if it was cut. */
export function cutCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const characters = [...text.slice(0, (count + 1) * 2)];
  return characters.length > count ? `${characters.slice(0, count).join('').trimEnd()}…` : text;
}

/** The first words of a text, with an ellipsis if it was cut. */
export function cutWords(text: string, count: number): string {
  const words = text.trim().split(/\s+/);
  return words.length > count ? `${words.slice(0, count).join(' ')}…` : text;
}

/** Replaces `{{column}}` by the row's values, unescaped. */
export const fillTemplate = (template: string, row: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_all, name: string) =>
    Object.hasOwn(row, name) ? toPlain(row[name]) : '',
  );

/** An address for `href` and `src`: relative, http, https, mailto, tel or ftp; else `#`. */
export function toSafeAddress(address: string): string {
  // Browsers ignore control characters and spaces, so `java\nscript:` is `javascript:`.
  const bare = [...address].filter((character) => character > ' ').join('');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(bare)?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto', 'tel', 'ftp'].includes(scheme) ? bare : '#';
}

/** A value as a list: its items, an object's values, parsed JSON text, else the single value. */
export function toItems(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value;
  if (typeof value === 'object') return Object.values(value);
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    try {
      return toItems(JSON.parse(value));
    } catch {
      return [value];
    }
  }
  return [value];
}
