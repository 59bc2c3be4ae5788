import { once } from '../../../core/memoize.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { createInputError } from '../tool.ts';
import { listSections, type Section } from './section.ts';

/** Sections of one answer. */
const MOST = 6;
const EXCERPT = 400;
/** Characters of a page in one answer. */
const PAGE = 24_000;

const STOP: ReadonlySet<string> = new Set(
  'a an and are as at be by can do does for from get has have how i in is it my of on one or our should that the there this to use using want what when where which why will with would you your treadle need make several again its'.split(
    ' ',
  ),
);

/** Words that people use for what the docs call otherwise. */
const ALIKE: Readonly<Record<string, string>> = {
  endpoint: 'call',
  route: 'path',
  table: 'schema',
  model: 'schema',
  entity: 'schema',
  collection: 'schema',
  column: 'field',
  attribute: 'field',
  property: 'field',
  delete: 'remove',
  erase: 'remove',
  login: 'log',
  signin: 'sign',
  signup: 'sign',
  webhook: 'hook',
  callback: 'hook',
  permission: 'role',
  authorization: 'role',
  deploy: 'production',
  hosting: 'production',
  docker: 'container',
  translate: 'language',
  translation: 'language',
  i18n: 'language',
  locale: 'language',
  csv: 'import',
  upload: 'file',
  email: 'mail',
  cron: 'schedule',
  background: 'job',
  postgres: 'postgresql',
  css: 'look',
  style: 'look',
  theme: 'look',
  html: 'template',
  handlebars: 'template',
  view: 'template',
  pagination: 'page',
  paginate: 'page',
  order: 'sort',
  who: 'history',
  last: 'expire',
  duration: 'expire',
  redisplay: 'form',
  paging: 'page',
  '2fa': 'factor',
  totp: 'factor',
  mfa: 'factor',
  passkey: 'factor',
  sdk: 'client',
  swagger: 'openapi',
  audit: 'history',
  nginx: 'proxy',
  dashboard: 'admin',
  sse: 'stream',
  eventsource: 'stream',
  websocket: 'stream',
  realtime: 'stream',
  react: 'bundler',
  vue: 'bundler',
  svelte: 'bundler',
  spa: 'bundler',
  frontend: 'bundler',
  crawler: 'sitemap',
  seo: 'sitemap',
  unit: 'test',
};

/** A word without the endings of plural, past and present, so that its forms are one. */
function toStem(word: string): string {
  const plain = word.replace(/(?:ies|ied)$/, 'y').replace(/(?<=\w{3})(?:ing|ed)$/, '');
  const stem = plain.replace(/(?<=\w{2})(?:es|s|e)$/, '');
  return stem.replace(/(.)\1$/, '$1');
}

const STEMS_ALIKE = new Map(Object.entries(ALIKE).map(([word, meant]) => [toStem(word), toStem(meant)]));

/** The compared words of a text. A name such as `If-Match` or `rest generate` counts by its parts. */
function toWords(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return found.filter((word) => !STOP.has(word)).map(toStem);
}

interface IndexEntry {
  readonly section: Section;
  readonly counts: ReadonlyMap<string, number>;
  readonly heading: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  readonly length: number;
  /** The words of the whole page. */
  readonly page: ReadonlyMap<string, number>;
}

interface SearchIndex {
  readonly entries: readonly IndexEntry[];
  /** Number of sections with a word. */
  readonly spread: ReadonlyMap<string, number>;
  readonly length: number;
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const getIndex: () => SearchIndex = once(() => {
  const spread = new Map<string, number>();
  const pages = new Map<string, Map<string, number>>();
  const entries = listSections().map((section): IndexEntry => {
    const name = section.page.replace(/^.*\/|\.md$/g, '');
    const [heading, title] = [toWords(section.heading), toWords(`${section.title} ${name}`)];
    const words = toWords(section.text);
    const counts = countWords([...words, ...heading, ...title]);
    for (const word of counts.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
    const page = pages.get(section.page) ?? new Map<string, number>();
    pages.set(section.page, page);
    for (const [word, count] of counts) page.set(word, (page.get(word) ?? 0) + count);
    return { section, counts, heading: new Set(heading), title: new Set(title), length: words.length, page };
  });
  const length = entries.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, entries.length);
  return { entries, spread, length };
});

/** How much repetition and length of a section count (Okapi BM25). */
const REPEATED = 1.2;
const LENGTH = 0.75;
/** A word of a heading, and of the page's title, counts as much more. */
const IN_HEADING = 2.2;
const IN_TITLE = 1.6;
/** A word that the rest of the page has, too, counts as much more, the more often it is there. */
const IN_PAGE = 1.5;
const PAGE_REPEATED = 8;
/** A word that only means the same counts as much. */
const ALIKE_WEIGHT = 0.9;
/** A heading that has every word of the question. */
const WHOLE_HEADING = 1.6;
/** Guides explain; the reference lists, and that of the code and of events has a heading for every common word. */
const REFERENCE_WEIGHT = 0.9;
const LIST_WEIGHT = 0.6;
const LISTS: ReadonlySet<string> = new Set(['reference/code.md', 'reference/events.md']);

function toPageWeight(page: string): number {
  if (LISTS.has(page)) return LIST_WEIGHT;
  return page.startsWith('reference/') ? REFERENCE_WEIGHT : 1;
}

function scoreWord(word: string, { counts, heading, title, length, page }: IndexEntry, index: SearchIndex): number {
  const inPage = page.get(word);
  if (inPage === undefined) return 0;
  const count = counts.get(word) ?? 0;
  const spread = index.spread.get(word) ?? 0;
  const rarity = Math.log(1 + (index.entries.length - spread + 0.5) / (spread + 0.5));
  const size = 1 - LENGTH + (LENGTH * length) / index.length;
  const weight = (count * (REPEATED + 1)) / (count + REPEATED * size);
  const around = IN_PAGE * (inPage / (inPage + PAGE_REPEATED));
  return rarity * (weight + around + (heading.has(word) ? IN_HEADING : 0) + (title.has(word) ? IN_TITLE : 0));
}

function score(words: readonly string[], entry: IndexEntry, index: SearchIndex): number {
  const parts = words.map((word) => {
    const alike = STEMS_ALIKE.get(word);
    const other = alike === undefined ? 0 : ALIKE_WEIGHT * scoreWord(alike, entry, index);
    return Math.max(scoreWord(word, entry, index), other);
  });
  const sum = parts.reduce((total, part) => total + part, 0);
  // A section with all words is better than one that repeats a few.
  const share = parts.filter((part) => part > 0).length / Math.max(1, words.length);
  const isWhole = words.every((word) => entry.heading.has(word));
  return sum * (isWhole ? WHOLE_HEADING : 1) * (0.4 + 0.6 * share) * toPageWeight(entry.section.page);
}

const toAddress = ({ page, anchor }: Section): string => (anchor === '' ? page : `${page}#${anchor}`);

/** The beginning of a section around the first line with one of the words. */
function toExcerpt({ text }: Section, words: readonly string[]): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => toWords(line).some((word) => words.includes(word)));
  const part = lines.slice(Math.max(0, first)).join('\n').trim();
  return part.length > EXCERPT ? `${part.slice(0, EXCERPT)}…` : part;
}

export interface SearchResult {
  /** Address of the section, such as `guide/roles.md#rows`: an input of `docs_search`. */
  readonly page: string;
  readonly title: string;
  readonly excerpt: string;
}

/** The sections that fit a question best, two of a page at most. */
export function searchDocs(query: string): SearchResult[] {
  const index = getIndex();
  const words = [...new Set(toWords(query))];
  const ranked = index.entries
    .map((entry) => ({ entry, points: score(words, entry, index) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points);
  const seen = new Map<string, number>();
  const best = ranked.filter(({ entry: { section } }) => {
    const count = (seen.get(section.page) ?? 0) + 1;
    seen.set(section.page, count);
    return count <= 2;
  });
  return best.slice(0, MOST).map(({ entry: { section } }) => ({
    page: toAddress(section),
    title: section.heading === section.title ? section.title : `${section.title}: ${section.heading}`,
    excerpt: toExcerpt(section, words),
  }));
}

/** The text of a section by its address, or of a page as far as one answer holds it. @throws MCP_INPUT_INVALID */
export function findPage(address: string): {
  readonly page: string;
  readonly text: string;
  readonly sections?: readonly string[];
} {
  const plain = address.replace(/^(?:.*\/)?docs\//, '').replace(/^\//, '');
  const [page = '', anchor = ''] = plain.split('#');
  const own = listSections().filter((section) => section.page === page);
  if (own.length === 0) {
    const pages = new Set(listSections().map((section) => section.page));
    throw createInputError(`There is no page "${page}".`, toDidYouMean(page, pages));
  }
  const print = ({ heading, text }: Section): string => `## ${heading}\n\n${text}`;
  if (anchor !== '') {
    const found = own.find((section) => section.anchor === anchor);
    if (found !== undefined) return { page: toAddress(found), text: print(found).slice(0, PAGE) };
    throw createInputError(
      `There is no section "${anchor}" on ${page}.`,
      toDidYouMean(
        anchor,
        own.map((each) => each.anchor),
      ),
    );
  }
  const text = own.map(print).join('\n\n');
  if (text.length <= PAGE) return { page, text };
  return { page, text: text.slice(0, PAGE), sections: own.map(toAddress) };
}
