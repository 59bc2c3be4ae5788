import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BoundedMap } from '../core/bounded-map.ts';
import { type Problem, readCode, readMessage } from '../core/errors.ts';
import { packageRoot } from '../core/file/package-root.ts';
import { once } from '../core/memoize.ts';
import { toLanguageTag } from '../core/text/language-tag.ts';
import { listPlaces } from '../core/text/message.ts';
import { suggest } from '../core/text/suggest.ts';
import { type JsonText, parseJsonText, printPath } from '../model/json/json-text.ts';

/** English text to its translation. */
type Texts = ReadonlyMap<string, string>;

/** The translations of one language, `config/locale/<tag>.json`. */
export interface LocaleFile {
  readonly tag: string;
  /** Relative to the project's root. */
  readonly file: string;
  readonly texts: Texts;
  /** The file's text with the places of its keys. */
  readonly json: JsonText;
}

export interface ReadLocales {
  readonly files: readonly LocaleFile[];
  readonly problems: readonly Problem[];
}

function listLocaleNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort();
  } catch {
    return [];
  }
}

const toPlaceList = (places: readonly string[]): string =>
  places.length === 0 ? 'no places' : places.map((name) => `{${name}}`).join(', ');

/** What is wrong with one entry of a locale file. */
function findEntryProblem(source: string, text: unknown): Pick<Problem, 'code' | 'message' | 'hint'> | undefined {
  if (typeof text !== 'string' || text === '')
    return {
      code: 'LOCALE_TEXT_INVALID',
      message: `The translation of "${source}" must be a text that is not empty.`,
      hint: 'Remove the key to show the English text.',
    };
  const places = listPlaces(text);
  if (places === undefined)
    return {
      code: 'LOCALE_TEXT_INVALID',
      message: `The translation of "${source}" is not an ICU message: its braces or its plural forms are broken.`,
      hint: 'Write plurals as {count, plural, one {# row} other {# rows}}.',
    };
  const wanted = listPlaces(source) ?? [];
  const strange = places.find((name) => !wanted.includes(name));
  if (strange === undefined) return undefined;
  return {
    code: 'LOCALE_PLACE_UNKNOWN',
    message: `The translation of "${source}" has the place {${strange}}, which the English text does not have.`,
    hint: `The English text has ${toPlaceList(wanted)}.`,
  };
}

const createProblem = (
  file: string,
  { findPlace }: JsonText,
  path: readonly (string | number)[],
  problem: Omit<Problem, 'file' | 'path'>,
): Problem => ({ ...problem, file, path: printPath(path), ...findPlace(path) });

/** What to do about a key that was a text of an earlier version. Its translation goes on being used. */
const describeFormer = (source: string, current: string): Omit<Problem, 'file' | 'path'> => ({
  code: 'LOCALE_TEXT_FORMER',
  message: `The English text "${source}" has changed.`,
  hint: `Name the key "${current}". The translation is used until then.`,
  severity: 'advice',
});

/** Parses the text of a locale file: an object of English texts and their translations. */
function parseLocale(file: string, tag: string, content: string): ReadLocales {
  const json = parseJsonText(content);
  const broken = (message: string): ReadLocales => ({
    files: [],
    problems: [
      {
        code: 'LOCALE_FILE_BROKEN',
        file,
        path: '',
        ...(json.error ? { line: json.error.line, column: json.error.column } : {}),
        message,
        hint: 'Write an object of English texts and their translations.',
      },
    ],
  });
  if (json.error) return broken(`This is not JSON: ${json.error.message}.`);
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return broken('The file must be an object.');
  const entries = Object.entries(value).filter(([source]) => source !== '$schema');
  const problems = entries.flatMap(([source, text]) => {
    const problem = findEntryProblem(source, text);
    return problem ? [createProblem(file, json, [source], problem)] : [];
  });
  const texts = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  for (const [source, text] of [...texts]) {
    const current = readFormerTexts().get(source);
    if (current === undefined) continue;
    problems.push(createProblem(file, json, [source], describeFormer(source, current)));
    if (!texts.has(current)) texts.set(current, text);
  }
  return { files: [{ tag, file, texts, json }], problems };
}

function readOne(root: string, name: string): ReadLocales {
  const file = `config/locale/${name}`;
  const given = name.slice(0, -'.json'.length);
  const tag = toLanguageTag(given);
  if (tag !== given) {
    const hint = tag === undefined ? 'Name it by a BCP 47 tag, such as de.json or pt-BR.json.' : `Name it ${tag}.json.`;
    const message = `"${given}" is not a language tag in its usual form.`;
    return { files: [], problems: [{ code: 'LOCALE_NAME_INVALID', file, path: '', message, hint }] };
  }
  try {
    return parseLocale(file, tag, readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    const message = `This could not be read: ${readMessage(error).replace(/,.*$/s, '')}.`;
    return { files: [], problems: [{ code: 'PROJECT_FILE_UNREADABLE', file, path: '', message }] };
  }
}

/** Reads the locale files of a project. */
export function readLocales(root: string): ReadLocales {
  const read = listLocaleNames(join(root, 'config/locale')).map((name) => readOne(root, name));
  return { files: read.flatMap(({ files }) => files), problems: read.flatMap(({ problems }) => problems) };
}

function parseOwnTexts(tag: string): Texts {
  try {
    const content = readFileSync(join(packageRoot, 'templates/locale', `${tag}.json`), 'utf8');
    return new Map(Object.entries<string>(JSON.parse(content)));
  } catch (error) {
    if (readCode(error) === 'ENOENT') return new Map();
    throw error;
  }
}

/** Treadle's texts of earlier versions, each with its text now. */
const readFormerTexts = once((): Texts => parseOwnTexts('former'));

/** Files of the package, which no running process sees change: parsing one takes longer than all else of a language. */
const ownTexts = new Map<string, Texts>();

/** Treadle's own translations into a language, `templates/locale/<tag>.json`; empty if there are none. */
export function readOwnTexts(tag: string): Texts {
  const texts = ownTexts.get(tag) ?? parseOwnTexts(tag);
  ownTexts.set(tag, texts);
  return texts;
}

/** Languages that Treadle's own pages are translated into. */
export const listOwnLocales = (): string[] =>
  listLocaleNames(join(packageRoot, 'templates/locale'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((name) => name !== 'former');

/** Most edits between two texts that are most likely the same one: an edit for each 8 letters, and no more than this. */
const NEAR = 6;
const LETTERS_PER_EDIT = 8;

/** Treadle's own texts, in the order of its languages. */
const listOwnTexts = once(() => new Set(listOwnLocales().flatMap((tag) => [...readOwnTexts(tag).keys()])));

/** More than a project's keys that no text has. */
const CACHED_NEAR = 1000;
/** What {@link findNearOwn} found: the same keys are compared at each check, with some thousand texts that stay the same. */
const nearOwn = new BoundedMap<readonly string[]>(CACHED_NEAR);

/** The text of Treadle's own that is nearest, if one is near. */
function findNearOwn(source: string, most: number): readonly string[] {
  return nearOwn.getOrCreate(source, () => {
    const near = suggest(source, listOwnTexts(), most);
    return near === undefined ? [] : [near];
  });
}

/**
 * Keys of locale files that neither the project nor Treadle has as a text, and that are near one: most likely mistyped, or changed in
 * English meanwhile.
 *
 * @param known The project's texts.
 */
export function findStrayTexts(files: readonly LocaleFile[], known: ReadonlySet<string>): Problem[] {
  return files.flatMap(({ file, texts, json }) =>
    [...texts.keys()].flatMap((source): Problem[] => {
      if (known.has(source) || listOwnTexts().has(source) || readFormerTexts().has(source)) return [];
      const most = Math.min(NEAR, Math.ceil(source.length / LETTERS_PER_EDIT));
      const near = suggest(source, [...findNearOwn(source, most), ...known], most);
      if (near === undefined) return [];
      const message = `Nothing shows the text "${source}".`;
      const hint = `Did you mean "${near}"?`;
      return [createProblem(file, json, [source], { code: 'LOCALE_TEXT_UNKNOWN', message, hint, severity: 'advice' })];
    }),
  );
}
