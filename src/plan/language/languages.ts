import { BoundedMap } from '../../core/bounded-map.ts';
import type { Problem } from '../../core/errors.ts';
import { once } from '../../core/memoize.ts';
import { type TextPattern, toPattern } from '../../core/text/made-text.ts';
import type { Locale, OfferedLanguage } from '../../core/text/translate.ts';
import type { Definitions } from '../../model/definitions.ts';
import { type LocaleFile, listOwnLocales, type ReadLocales, readOwnTexts } from '../../project/locale-file.ts';
import { listOwnLabels } from './definition-texts.ts';

/** English with every text in brackets, to find texts that are not translated. @see https://cldr.unicode.org pseudolocales */
const PSEUDO = 'en-XA';

/** The languages of a site; more than one is chosen from for each request. */
export interface Languages {
  /** The first one is the default. */
  readonly offered: readonly [Locale, ...Locale[]];
  readonly isInPath: boolean;
  /** The language of each `Accept-Language` header so far: browsers send few different ones. */
  readonly byHeader: BoundedMap<Locale>;
}

/** Headers whose language is cached. */
const MOST_HEADERS = 500;

export interface LanguageSettings {
  readonly languages: readonly string[];
  readonly languagePath: boolean;
}

/** Of other projects in this process, or of earlier settings, too: each takes a millisecond. */
const CACHED_NAMES = 100;
const names = new BoundedMap<string>(CACHED_NAMES);
const readName = (tag: string): string => {
  if (tag === PSEUDO) return '⟦English⟧';
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
};
const toName = (tag: string): string => names.getOrCreate(tag, () => readName(tag));

/** `pt-BR`, then `pt`. */
function listFallbacks(tag: string): string[] {
  const parts = tag.split('-');
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'));
}

type Find = Locale['find'];

/** What a language of a site is made of. */
interface Sources {
  readonly files: readonly LocaleFile[];
  /** Labels that only the project's files translate. */
  readonly labels: ReadonlySet<string>;
}

/** The project's texts of a language, the exact one before its base. */
const listTexts = (tag: string, files: readonly LocaleFile[]): LocaleFile['texts'][] =>
  listFallbacks(tag).flatMap((name) => files.filter((file) => file.tag === name).map(({ texts }) => texts));

function findIn(texts: readonly LocaleFile['texts'][], source: string): string | undefined {
  for (const map of texts) {
    const found = map.get(source);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds a translation: the project's before Treadle's, and the exact language before its base. */
function createFind(tag: string, files: readonly LocaleFile[]): Find {
  const own = listFallbacks(tag).map(readOwnTexts);
  const texts = [...listTexts(tag, files), ...own].filter(({ size }) => size > 0);
  return (source) => findIn(texts, source);
}

/** Finds a label of the definitions in the project's files. */
function createFindOwn(tag: string, { files, labels }: Sources): Required<Locale>['findOwn'] {
  const texts = listTexts(tag, files);
  return (label) => (labels.has(label) ? { found: findIn(texts, label) } : undefined);
}

/** Texts with numbered places, of the project's files and Treadle's; those with the most letters first. */
function listPatterns(tags: readonly string[], files: readonly LocaleFile[]): TextPattern[] {
  const own = files.filter(({ tag }) => tags.includes(tag)).flatMap(({ texts }) => [...texts.keys()]);
  const sources = new Set([...own, ...tags.flatMap((tag) => [...readOwnTexts(tag).keys()])]);
  return [...sources].flatMap((source) => toPattern(source) ?? []).sort((a, b) => b.source.length - a.source.length);
}

/** Puts texts into brackets; those that are perhaps data, only if some locale file has them. */
function createPseudo(files: readonly LocaleFile[]): Required<Pick<Locale, 'find' | 'findKnown'>> {
  const known = new Set([
    ...files.flatMap(({ texts }) => [...texts.keys()]),
    ...listOwnLocales().flatMap((tag) => [...readOwnTexts(tag).keys()]),
  ]);
  const find: Find = (source) => (source === '' || source.startsWith('⟦') ? undefined : `⟦${source}⟧`);
  return { find, findKnown: (source) => (known.has(source) ? find(source) : undefined) };
}

/** Its name is made at its first use: the data of names takes 10 ms to load. */
function toOffered(tag: string): OfferedLanguage {
  const name = once(() => toName(tag));
  return {
    tag,
    get name() {
      return name();
    },
  };
}

/** A language of a site. Its texts are read at their first use, since no answer without a text for people needs them. */
function toLocale(language: OfferedLanguage, sources: Sources, site: Pick<Locale, 'offered' | 'isInPath'>): Locale {
  const { tag } = language;
  const { files } = sources;
  const isPseudo = tag === PSEUDO;
  const pseudo = once(() => createPseudo(files));
  const find = once((): Find => (isPseudo ? pseudo().find : createFind(tag, files)));
  const patterns = once(() => listPatterns(isPseudo ? listOwnLocales() : listFallbacks(tag), files));
  return {
    ...site,
    tag,
    get name() {
      return language.name;
    },
    find: (source) => find()(source),
    ...(isPseudo
      ? { findKnown: (source: string) => pseudo().findKnown(source) }
      : { findOwn: createFindOwn(tag, sources) }),
    get patterns() {
      return patterns();
    },
  };
}

/** Languages that are offered without a translation, and translations that no visitor can choose. */
function findLanguageProblems({ languages }: LanguageSettings, files: readonly LocaleFile[]): Problem[] {
  const has = (tag: string): boolean =>
    listFallbacks(tag).some(
      (name) => name === 'en' || files.some((file) => file.tag === name) || listOwnLocales().includes(name),
    );
  const missing = languages
    .filter((tag) => !has(tag))
    .map((tag): Problem => {
      const message = `The site offers the language "${tag}", but there is no config/locale/${tag}.json.`;
      const hint = 'Texts without a translation are shown in English.';
      return {
        code: 'LOCALE_MISSING',
        file: 'config/settings.json',
        path: 'languages',
        message,
        hint,
        severity: 'advice',
      };
    });
  const idle = files
    .filter(({ tag }) => !languages.some((language) => listFallbacks(language).includes(tag)))
    .map(({ tag, file }): Problem => {
      const message = `The site does not offer the language "${tag}".`;
      const hint = `Add "${tag}" to "languages" in config/settings.json.`;
      return { code: 'LOCALE_IDLE', file, path: '', message, hint, severity: 'advice' };
    });
  return [...missing, ...idle];
}

/**
 * Compiles the languages of a site; undefined if all texts are shown as they are, in English.
 *
 * @param definitions Only the project's files translate their labels. Default none.
 */
export function compileLanguages(
  settings: LanguageSettings,
  { files, problems: localeProblems }: ReadLocales,
  definitions?: Definitions,
): { readonly languages: Languages | undefined; readonly problems: readonly Problem[] } {
  const { languages: tags } = settings;
  const problems = [...localeProblems, ...findLanguageProblems(settings, files)];
  const isPlain = tags.length === 1 && tags[0] === 'en' && !files.some(({ tag }) => tag === 'en');
  if (isPlain) return { languages: undefined, problems };
  const isInPath = settings.languagePath && tags.length > 1;
  const named = tags.map(toOffered);
  const labels = definitions === undefined ? new Set<string>() : listOwnLabels(definitions);
  const site = { offered: named, isInPath };
  const [usual, ...others] = named.map((language) => toLocale(language, { files, labels }, site));
  if (usual === undefined) return { languages: undefined, problems };
  return { languages: { offered: [usual, ...others], isInPath, byHeader: new BoundedMap(MOST_HEADERS) }, problems };
}

/** A language that the site offers, by its tag. */
export const findOffered = (languages: Languages | undefined, tag: unknown): Locale | undefined =>
  languages?.offered.find((locale) => locale.tag === tag);

/** As {@link findOffered}, else the default. */
export const findLanguage = (languages: Languages | undefined, tag: unknown): Locale | undefined =>
  findOffered(languages, tag) ?? languages?.offered[0];

/** Whether people choose between languages. */
export const hasChoice = (languages: Languages | undefined): languages is Languages =>
  languages !== undefined && languages.offered.length > 1;
