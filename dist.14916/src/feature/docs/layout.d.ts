import type { Views } from '../../plan/feature.ts';
import { type Heading } from './headings.ts';
import type { Links } from './links.ts';
import { findAround, type NavSection, type Shelf } from './navigation.ts';
import { type DocPage } from './page.ts';
/** The rendered part of a page that is the same for all visitors. */
export interface RenderedPage {
    readonly title: string;
    readonly body: string;
    readonly headings: readonly Heading[];
    readonly hasContents: boolean;
    readonly hasConsole: boolean;
    readonly sections: readonly NavSection[];
    readonly crumbs: readonly {
        readonly href: string;
        readonly label: string;
    }[];
    readonly around: ReturnType<typeof findAround>;
    readonly nav: readonly {
        readonly href: string;
        readonly label: string;
        readonly isCurrent: boolean;
    }[];
}
/** Renders the body of a page, with its links to other pages. */
export declare function renderPage(page: DocPage, shelf: Shelf, views: Views, links: Links): RenderedPage;
/** Puts a rendered page into the layout of the docs, with the parts that depend on the visitor. */
export declare function renderLayout(page: RenderedPage, frame: {
    readonly siteName: string;
    readonly views: Views;
    readonly links: Links;
}, visitor: Readonly<Record<string, unknown>>): string;
