import type { Links } from './links.ts';
import { type DocPage, type Kind } from './page.ts';
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
    readonly more: {
        readonly href: string;
        readonly count: number;
    } | undefined;
}
/** The pages, arranged once for all side lists. */
export interface Shelf {
    readonly pages: readonly DocPage[];
    readonly byPath: ReadonlyMap<string, DocPage>;
    readonly index: ReadonlyMap<DocPage, number>;
    readonly entries: ReadonlyMap<Kind, readonly DocPage[]>;
    /** Titles of calls that occur more than once in their group. */
    readonly repeated: ReadonlySet<string>;
}
export declare function createShelf(pages: readonly DocPage[]): Shelf;
/** The side list of a page. */
export declare function listSections(page: DocPage, shelf: Shelf, links: Links): NavSection[];
/** The breadcrumbs of a page: the docs, its list, its group. */
export declare function listCrumbs(page: DocPage, links: Links): {
    href: string;
    label: string;
}[];
/** The pages before and after. */
export declare function findAround(page: DocPage, shelf: Shelf, links: Links): {
    previous: {
        href: string;
        label: string;
        note: string | undefined;
    } | undefined;
    next: {
        href: string;
        label: string;
        note: string | undefined;
    } | undefined;
};
export {};
