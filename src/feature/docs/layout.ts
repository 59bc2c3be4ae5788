import { translate } from '../../core/translate.ts';
import type { Views } from '../../plan/feature.ts';
import { anchorHeadings, type Heading } from './headings.ts';
import { highlightCode } from './highlight.ts';
import type { Links } from './links.ts';
import { findAround, listCrumbs, listSections, type NavSection, type Shelf } from './navigation.ts';
import { type DocPage, KINDS } from './page.ts';
import { toDocsWords } from './words.ts';

/** The rendered part of a page that is the same for all visitors. */
export interface RenderedPage {
  readonly title: string;
  readonly body: string;
  readonly headings: readonly Heading[];
  readonly hasContents: boolean;
  readonly hasConsole: boolean;
  readonly sections: readonly NavSection[];
  readonly crumbs: readonly { readonly href: string; readonly label: string }[];
  readonly around: ReturnType<typeof findAround>;
  readonly nav: readonly { readonly href: string; readonly label: string; readonly isCurrent: boolean }[];
}

/** A page with fewer sections shows no contents. */
const LEAST_CONTENTS = 2;

/** Renders the body of a page, with its links to other pages. */
export function renderPage(page: DocPage, shelf: Shelf, views: Views, links: Links): RenderedPage {
  const { html, headings } = anchorHeadings(
    highlightCode(views.render('docs', page.template, page.data(links)), views),
  );
  const isServed = links.base === '';
  return {
    title: page.title,
    body: html,
    headings,
    // A call's page has two columns of its own.
    hasContents: headings.length >= LEAST_CONTENTS && page.template !== 'call',
    hasConsole: html.includes('data-console'),
    sections: listSections(page, shelf, links),
    crumbs: listCrumbs(page, links),
    around: findAround(page, shelf, links),
    nav: [
      ...(isServed ? [{ href: '/developer/app/search', label: translate('Apps'), isCurrent: false }] : []),
      { href: links.page(''), label: translate('Docs'), isCurrent: page.kind === 'guide' },
      ...KINDS.slice(1).map(([kind, label]) => ({
        href: links.page(kind),
        label: translate(label),
        isCurrent: kind === page.kind,
      })),
      { href: links.openapi, label: 'OpenAPI', isCurrent: false },
    ],
  };
}

/** Puts a rendered page into the layout of the docs, with the parts that depend on the visitor. */
export function renderLayout(
  page: RenderedPage,
  frame: { readonly siteName: string; readonly views: Views; readonly links: Links },
  visitor: Readonly<Record<string, unknown>>,
): string {
  const { links, views, siteName } = frame;
  return views.render('docs', '_page', {
    ...page,
    siteName,
    base: links.base,
    home: links.home,
    index: links.index,
    words: toDocsWords(),
    ...visitor,
  });
}
