import type { Plan, Views } from '../../plan/feature.ts';
import type { Links } from './links.ts';
import type { DocPage } from './pages.ts';

interface Link {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/** The part of a page that is the same for all visitors, rendered. */
export interface RenderedPage {
  readonly title: string;
  readonly body: string;
  readonly nav: readonly Link[];
  readonly side: readonly { readonly title: string; readonly links: readonly Link[] }[];
}

const KINDS = [
  ['calls', 'Calls'],
  ['scopes', 'Scopes'],
  ['webhooks', 'Web hooks'],
  ['schemas', 'Schemas'],
] as const;

/** Renders the body of a page, with its navigation and side list. */
export function renderPage(page: DocPage, pages: readonly DocPage[], views: Views, links: Links): RenderedPage {
  const kind = page.path.split('/', 1)[0];
  const toLink = (path: string, label: string, isCurrent = path === page.path): Link => ({
    href: links.page(path),
    label,
    isCurrent,
  });
  const openapi = { href: links.openapi, label: 'OpenAPI', isCurrent: false };
  return {
    title: page.title,
    body: views.render('docs', page.template, page.data(links)),
    nav: [
      ...(links.base === '' ? [{ href: '/developer/app/search', label: 'Apps', isCurrent: false }] : []),
      toLink('', 'Docs'),
      ...KINDS.slice(0, 3).map(([path, label]) => toLink(path, label, path === kind)),
      openapi,
    ],
    side: [
      {
        title: 'Guide',
        links: [toLink('', 'Overview'), ...KINDS.map(([path, label]) => toLink(path, label)), openapi],
      },
      // Entries of the page's own kind only: with all of them, every page would grow with the whole API.
      ...KINDS.filter(([path]) => path === kind).map(([path, title]) => ({
        title,
        links: pages
          .filter((other) => other.path.startsWith(`${path}/`))
          .map((other) => toLink(other.path, other.title)),
      })),
    ],
  };
}

/** Puts a rendered page in the developer layout, with what differs by visitor. */
export function renderLayout(
  page: RenderedPage,
  frame: { readonly plan: Plan; readonly views: Views; readonly links: Links },
  visitor: Readonly<Record<string, unknown>>,
): string {
  return frame.views.render('developer', '_page', {
    ...page,
    section: 'docs',
    siteName: frame.plan.model.settings.name,
    base: frame.links.base,
    home: frame.links.home,
    ...visitor,
  });
}
