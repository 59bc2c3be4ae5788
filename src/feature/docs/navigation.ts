import { translate } from '../../core/text/translate.ts';
import type { Links } from './links.ts';
import { type DocPage, isList, KINDS, type Kind, toListPath } from './page/page.ts';

interface NavLink {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly method?: string | undefined;
  readonly note?: string | undefined;
}

interface NavGroup {
  /** Undefined if the entries are directly below the section. */
  readonly title: string | undefined;
  readonly links: readonly NavLink[];
}

export interface NavSection {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly groups: readonly NavGroup[];
  /** The unlisted entries, if the list is shortened; otherwise undefined. */
  readonly more: { readonly href: string; readonly count: number } | undefined;
}

/**
 * Up to this number of pages, every page lists all; above it, only those of its own kind, so that pages don't grow
 * with the API.
 */
const WHOLE_TREE = 80;
/** Maximum number of entries of one kind that a page lists. */
const NEIGHBOURS = 40;

/** The pages, arranged once for all side lists. */
export interface Shelf {
  readonly pages: readonly DocPage[];
  readonly byPath: ReadonlyMap<string, DocPage>;
  readonly index: ReadonlyMap<DocPage, number>;
  readonly entries: ReadonlyMap<Kind, readonly DocPage[]>;
  /** Titles of calls that occur more than once in their group. */
  readonly repeated: ReadonlySet<string>;
}

const toKey = ({ group = '', title }: DocPage): string => `${group}\n${title}`;

export function createShelf(pages: readonly DocPage[]): Shelf {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const page of pages) {
    if (seen.has(toKey(page))) repeated.add(toKey(page));
    seen.add(toKey(page));
  }
  return {
    pages,
    byPath: new Map(pages.map((page) => [page.path, page])),
    index: new Map(pages.map((page, index) => [page, index])),
    entries: new Map(
      KINDS.map(([kind]) => [kind, pages.filter((page) => page.kind === kind && (kind === 'guide' || !isList(page)))]),
    ),
    repeated,
  };
}

/** The entries around a page, including it, up to the maximum. */
function pickNeighbours(entries: readonly DocPage[], page: DocPage): readonly DocPage[] {
  if (entries.length <= NEIGHBOURS) return entries;
  const at = Math.max(0, entries.indexOf(page));
  const from = Math.max(0, Math.min(at - NEIGHBOURS / 2, entries.length - NEIGHBOURS));
  return entries.slice(from, from + NEIGHBOURS);
}

function groupEntries(entries: readonly DocPage[], toLink: (page: DocPage) => NavLink): NavGroup[] {
  const groups = new Map<string | undefined, NavLink[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), toLink(entry)]);
  return [...groups].map(([title, links]) => ({ title, links }));
}

/** The side list of a page. */
export function listSections(page: DocPage, shelf: Shelf, links: Links): NavSection[] {
  // Codes are many, and each page is reached from an answer: only their own pages list them.
  const isWhole = shelf.pages.filter(({ kind }) => kind !== 'errors').length <= WHOLE_TREE;
  const toLink = (entry: DocPage): NavLink => ({
    href: links.page(entry.path),
    label: entry.title,
    isCurrent: entry === page,
    method: entry.method,
    note: shelf.repeated.has(toKey(entry)) ? entry.note : undefined,
  });
  return KINDS.map(([kind, title]) => {
    const all = shelf.entries.get(kind) ?? [];
    const isAll = kind === 'guide' || (isWhole && kind !== 'errors');
    const shown = isAll ? all : kind === page.kind ? pickNeighbours(all, page) : [];
    const path = toListPath(kind);
    const href = links.page(path);
    return {
      title: translate(title),
      href,
      isCurrent: page.path === path,
      groups: groupEntries(kind === 'guide' ? shown.filter((entry) => entry.path !== '') : shown, toLink),
      // The title of the section leads to the codes.
      more:
        shown.length < all.length && (kind !== 'errors' || kind === page.kind)
          ? { href, count: all.length }
          : undefined,
    };
  });
}

/** The breadcrumbs of a page: the docs, its list, its group. */
export function listCrumbs(page: DocPage, links: Links): { href: string; label: string }[] {
  if (page.path === '') return [];
  const list = KINDS.find(([kind]) => kind === page.kind && kind !== 'guide' && !isList(page));
  return [
    { href: links.page(''), label: translate('Docs') },
    ...(list ? [{ href: links.page(toListPath(page.kind)), label: translate(list[1]) }] : []),
  ];
}

/** The pages before and after. */
export function findAround(page: DocPage, shelf: Shelf, links: Links) {
  const at = shelf.index.get(page) ?? 0;
  const toStep = (other: DocPage | undefined) =>
    other && { href: links.page(other.path), label: other.title, note: other.group };
  return { previous: toStep(shelf.pages[at - 1]), next: toStep(shelf.pages[at + 1]) };
}
