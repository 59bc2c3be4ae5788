import type { Listener } from '../../core/bus.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { type RenderedPage, renderLayout, renderPage } from './layout.ts';
import { serverLinks } from './links.ts';
import { toOpenApi } from './openapi.ts';
import { type DocPage, listPages } from './pages.ts';

const ROOT = '/developer/docs';

/** The pages of the docs, and the OpenAPI document. */
export const routes: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: `${ROOT}/openapi.json`,
    description: 'The API as OpenAPI 3.1',
    door: 'open',
    listen: listenOpenApi,
  },
  toRoute('', 'Docs: overview, how to get a token', () => ''),
  ...(['calls', 'scopes', 'webhooks', 'schemas'] as const).flatMap((kind) => [
    toRoute(`/${kind}`, `Docs: all ${kind}`, () => kind),
    toRoute(`/${kind}/:name`, `Docs: one of the ${kind}`, (name) => `${kind}/${name}`),
  ]),
];

function toRoute(path: string, description: string, toPath: (name: string) => string): RouteContribution {
  return {
    method: 'GET',
    path: ROOT + path,
    description,
    listen: (context) => listenPage(context, toPath),
  };
}

/** What a plan's pages are made from, worked out at the first request: the base URL is known only once it listens. */
interface Shelf {
  readonly baseUrl: string;
  readonly pages: readonly DocPage[];
  readonly byPath: ReadonlyMap<string, DocPage>;
  readonly rendered: Map<string, RenderedPage>;
}

const shelves = new WeakMap<Context, Shelf>();

function getShelf(context: Context): Shelf {
  const baseUrl = context.services.baseUrl();
  const known = shelves.get(context);
  if (known?.baseUrl === baseUrl) return known;
  const pages = listPages(context.plan, baseUrl);
  const shelf = { baseUrl, pages, byPath: new Map(pages.map((page) => [page.path, page])), rendered: new Map() };
  shelves.set(context, shelf);
  return shelf;
}

/** Without such a page nothing is answered, so that the site's not-found page is. */
function listenPage(context: Context, toPath: (name: string) => string): Listener {
  const { plan, services } = context;
  const { views } = services;
  return (request, response) => {
    const shelf = getShelf(context);
    const page = shelf.byPath.get(toPath(request.getParameters('name') ?? ''));
    if (!page) return;
    const rendered = shelf.rendered.get(page.path) ?? renderPage(page, shelf.pages, views, serverLinks);
    shelf.rendered.set(page.path, rendered);
    const me = request.getSession('me');
    const visitor = {
      me,
      here: encodeURIComponent(request.getPath('string')),
      signupClosed: !plan.model.settings.auth.signup,
      flash: response.getFlash(),
      ...(me ? { csrf: services.sessions.formToken(request) } : {}),
    };
    response
      .setTitle(page.title)
      .setContent(renderLayout(rendered, { plan, views, links: serverLinks }, visitor))
      .addHeader('content-type', 'text/html; charset=utf-8');
  };
}

function listenOpenApi(context: Context): Listener {
  const kept: { text?: string; baseUrl?: string } = {};
  return (_request, response) => {
    const baseUrl = context.services.baseUrl();
    if (kept.text === undefined || kept.baseUrl !== baseUrl) {
      kept.text = JSON.stringify(toOpenApi(context.plan, baseUrl), null, 2);
      kept.baseUrl = baseUrl;
    }
    response
      .setContent(kept.text)
      .addHeader('content-type', 'application/json; charset=utf-8')
      // Explorers on other origins read it; it says nothing that the pages do not.
      .addHeader('access-control-allow-origin', '*');
  };
}
