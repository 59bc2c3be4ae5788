import { BoundedMap } from '../core/bounded-map.ts';

/** The path of the page of a row, such as `/article/{{article_slug}}`. */
export interface PagePath {
  /** The texts around the columns: one more than there are columns. */
  readonly texts: readonly string[];
  readonly columns: readonly string[];
}

const COLUMN = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/;
/** What a path holds around its columns: no query, no fragment, nothing that HTML or XML escapes. */
const TEXT = /^[A-Za-z0-9._~!$()*+,;=:@%/-]*$/;

function parse(page: string): PagePath | undefined {
  const parts = page.split(COLUMN);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const isPath = page.startsWith('/') && !page.startsWith('//') && texts.every((text) => TEXT.test(text));
  return isPath ? { texts, columns: parts.filter((_, index) => index % 2 === 1) } : undefined;
}

const MOST_PARSED = 1000;
const parsed = new BoundedMap<PagePath | undefined>(MOST_PARSED);

/** Parses the `page` of a schema; undefined if it is no path with columns. */
export const parsePagePath = (page: string): PagePath | undefined => parsed.getOrCreate(page, () => parse(page));

/** The path of the page of a row; undefined if the row does not show a value of it. */
export function toPagePath({ texts, columns }: PagePath, row: Readonly<Record<string, unknown>>): string | undefined {
  const values = columns.map((column) => row[column]);
  if (values.some((value) => value === undefined || value === null || value === '')) return undefined;
  return texts
    .map((text, index) => (index === 0 ? text : encodeURIComponent(String(values[index - 1])) + text))
    .join('');
}

/** The same as the pattern of a route, to compare it with those that there are: each column is a variable. */
export const toPagePattern = ({ texts }: PagePath): string => texts.join(':x').replace(/[^/]*:x[^/]*/g, ':x');
