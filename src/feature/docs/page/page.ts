import type { Links } from '../links.ts';

export type PageData = Readonly<Record<string, unknown>>;

/** The kinds of page, each with its own list; the list of `guide` is the overview. */
export const KINDS = [
  ['guide', 'Guide'],
  ['calls', 'Calls'],
  ['schemas', 'Schemas'],
  ['scopes', 'Scopes'],
  ['webhooks', 'Web hooks'],
  ['errors', 'Error codes'],
] as const;
export type Kind = (typeof KINDS)[number][0];

/** One page of the docs, independent of its URL. */
export interface DocPage {
  /** Empty for the overview, otherwise for example `calls` or `calls/public-article-search`. */
  readonly path: string;
  readonly kind: Kind;
  readonly title: string;
  /** Template in `templates/docs`. */
  readonly template: string;
  /** For a call: its group in the side list. */
  readonly group?: string;
  /** For a call: its method in capitals. */
  readonly method?: string;
  /** Distinguishes pages with the same title, such as `public`. */
  readonly note?: string;
  /** Additional words for the search. */
  readonly words: string;
  data(links: Links): PageData;
}

/** True if the page is the list of its kind. */
export const isList = ({ path }: DocPage): boolean => !path.includes('/');

/** Path of a kind's list; empty for the guide. */
export const toListPath = (kind: Kind): string => (kind === 'guide' ? '' : kind);

/** Formats JSON for a page. */
export const print = (value: unknown): string => JSON.stringify(value, null, 2);
