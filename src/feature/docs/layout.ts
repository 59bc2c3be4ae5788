import { translate } from '../../core/text/translate.ts';
import { escapeHtml } from '../../model/format/format-text.ts';
import type { Views } from '../../plan/feature.ts';
import { highlightCode } from './highlight.ts';
import type { Links } from './links.ts';
import { findAround, listCrumbs, listSections, type NavSection, type Shelf } from './navigation.ts';
import { type DocPage, KINDS } from './page/page.ts';

/** The texts of what the scripts of the docs add, as JSON; `{name}` is a place that the script fills. */
const toDocsWords = (): string =>
  JSON.stringify({
    copy: translate('Copy'),
    copied: translate('Copied'),
    copyOf: translate('Copy {label}'),
    code: translate('the code'),
    language: translate('Language'),
    search: translate('Search'),
    searchDocs: translate('Search the docs'),
    found: translate('Pages found'),
    close: translate('Close'),
    broken: translate('The index could not be loaded.'),
    hint: translate('Names of calls, paths, columns, scopes, hooks. Arrows and Enter.'),
    nothing: translate('Nothing found. Fewer words may help.'),
    best: translate('The best {count} found.'),
    some: translate('{count} found.'),
    size: translate('{milliseconds} ms, {bytes} bytes'),
    headers: translate('{count} headers'),
    headersOf: translate('Headers of the answer'),
    bodyOf: translate('Body of the answer'),
    noBody: translate('(no body)'),
    first: translate('The first {count} characters are shown.'),
    required: translate('{name} is required.'),
    token: translate('A user call needs an access token.'),
    noJson: translate('The body is not JSON: {fault}'),
    offline: translate('The server cannot be reached.'),
    refused: translate('{server} cannot be reached, or does not allow this page’s origin.'),
  });

/** A section of a page, for the page's contents. */
interface Heading {
  readonly id: string;
  /** Already escaped, because it comes from a rendered template. */
  readonly label: string;
}

const HEADING = /<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g;
const toLabel = (inner: string): string => inner.replace(/<[^>]*>/g, '').trim();

/** Adds a link to each section's heading, and lists the headings for the contents. */
function anchorHeadings(html: string): { readonly html: string; readonly headings: readonly Heading[] } {
  const headings: Heading[] = [];
  const anchored = html.replace(HEADING, (_match, id: string, inner: string) => {
    const label = toLabel(inner);
    headings.push({ id, label });
    return `<div class="d-heading"><h2 id="${id}">${inner}</h2> <a class="d-anchor" href="#${id}" aria-label="${escapeHtml(translate('Link to:'))} ${label}">#</a></div>`;
  });
  return { html: anchored, headings };
}

/** The rendered part of a page that is the same for all visitors. */
export interface RenderedPage {
  readonly title: string;
  readonly body: string;
  /** Address of the same as Markdown. */
  readonly markdown: string;
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
  const { html, headings } = anchorHeadings(highlightCode(views.render('docs', page.template, page.data(links))));
  const isServed = links.base === '';
  return {
    title: page.title,
    body: html,
    markdown: links.markdown(page.path),
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
