import type { Links } from './links.ts';

export type PageData = Readonly<Record<string, unknown>>;

/** The kinds of page, each with a list of its own; `guide` has the overview as its list. */
export const KINDS = [
  ['guide', 'Guide'],
  ['calls', 'Calls'],
  ['schemas', 'Schemas'],
  ['scopes', 'Scopes'],
  ['webhooks', 'Web hooks'],
] as const;
export type Kind = (typeof KINDS)[number][0];

/** One page of the docs, before it has an address. */
export interface DocPage {
  /** Empty for the overview, else such as `calls` or `calls/public-article-search`. */
  readonly path: string;
  readonly kind: Kind;
  readonly title: string;
  /** Template in `templates/docs`. */
  readonly template: string;
  /** Of a call: what it works on, under which the side list has it. */
  readonly group?: string;
  /** Of a call: its method in capitals. */
  readonly method?: string;
  /** What tells it from a page of the same title, such as `public`. */
  readonly note?: string;
  /** What a search finds it by, beside its title. */
  readonly words: string;
  data(links: Links): PageData;
}

/** Whether the page is the list of its kind rather than one of its entries. */
export const isList = ({ path }: DocPage): boolean => !path.includes('/');

/** What all entries of a kind are called in the path: a list's own path, empty for the guide. */
export const toListPath = (kind: Kind): string => (kind === 'guide' ? '' : kind);

/** JSON as a page shows it. */
export const print = (value: unknown): string => JSON.stringify(value, null, 2);
