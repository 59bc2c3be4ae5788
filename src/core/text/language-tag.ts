/** The canonical form of a BCP 47 tag, such as `pt-BR`; undefined if the text is not a valid tag. */
export function toLanguageTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
