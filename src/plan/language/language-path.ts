import type { Locale, OfferedLanguage } from '../../core/text/translate.ts';

/** Whether a path begins with a language, such as `/de/articles`. */
export const hasLanguage = (path: string, tag: string): boolean =>
  path.toLowerCase() === `/${tag.toLowerCase()}` || path.toLowerCase().startsWith(`/${tag.toLowerCase()}/`);

/** Whether a path, perhaps with a query, begins with one of the languages. */
export const hasAnyLanguage = (path: string, offered: readonly OfferedLanguage[]): boolean =>
  offered.some(({ tag }) => hasLanguage(path.split(/[?#]/)[0] ?? '', tag));

/**
 * The path of a page in a language, if each language has its own paths; else the path as it is.
 * @param locale The running request's language.
 */
export function toLanguagePath(locale: Pick<Locale, 'offered' | 'isInPath'> | undefined, tag: string, path: string) {
  if (!locale?.isInPath) return path;
  const old = locale.offered.find((language) => hasAnyLanguage(path, [language]));
  const bare = old ? path.slice(old.tag.length + 1) : path;
  return `/${tag}${bare.startsWith('/') ? bare : `/${bare}`}`;
}
