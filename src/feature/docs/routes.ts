import { createHash } from 'node:crypto';
import type { Listener } from '../../core/bus/followers.ts';
import type { Response } from '../../core/request/response.ts';
import { putBasePath, toBasePath } from '../../core/text/base-path.ts';
import { currentLocale, currentLocaleTag, inLocale } from '../../core/text/translate.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { findLanguage } from '../../plan/language/languages.ts';
import { type RenderedPage, renderLayout, renderPage } from './layout.ts';
import { type Links, serverLinks } from './links.ts';
import { createShelf, type Shelf } from './navigation.ts';
import { buildOpenApi } from './openapi/document.ts';
import { listPages } from './page/pages.ts';
import { buildSearchIndex } from './search-index.ts';
import type { Source } from './source.ts';

const ROOT = '/developer/docs';

/** The pages of the docs, their search index, and the OpenAPI document. */
export const routes: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: `${ROOT}/openapi.json`,
    description: 'The API as OpenAPI 3.1',
    kind: 'open',
    listen: listenOpenApi,
  },
  {
    method: 'GET',
    path: `${ROOT}/search.js`,
    description: 'Docs: the search index',
    kind: 'open',
    listen: listenSearchIndex,
  },
  toRoute('', 'Docs: overview, the first call', () => ''),
  toRoute('/guide/:name', 'Docs: a page of the guide', (name) => `guide/${name}`),
  ...(['calls', 'scopes', 'webhooks', 'schemas', 'errors'] as const).flatMap((kind) => [
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

/** A plan's docs, created at the first request, because the base URL is known only once the server listens. */
interface Desk {
  readonly source: Source;
  readonly shelf: Shelf;
  readonly rendered: Map<string, RenderedPage>;
  /** Texts, created on first use. */
  readonly texts: Map<string, { readonly text: string; readonly etag: string }>;
}

/** Desks by the tag of their language. */
const createDesks = (): Map<string, Desk> => new Map();

/** The docs in the language of the request. */
function getDesk(context: Context): Desk {
  const desks = context.memory.get(createDesks);
  const baseUrl = context.services.baseUrl();
  const tag = currentLocaleTag();
  const known = desks.get(tag);
  if (known?.source.baseUrl === baseUrl) return known;
  const source = { plan: context.plan, baseUrl, server: toBasePath(baseUrl) };
  const desk = { source, shelf: createShelf(listPages(source)), rendered: new Map(), texts: new Map() };
  desks.set(tag, desk);
  return desk;
}

/** The index is one script for each language, because its address does not depend on the reader. */
const toIndexLinks = (): Links =>
  currentLocale() ? { ...serverLinks, index: `${serverLinks.index}?language=${currentLocaleTag()}` } : serverLinks;

/** For an unknown page it answers nothing, so that the site's not-found page is shown. */
function listenPage(context: Context, toPath: (name: string) => string): Listener {
  const { plan, services } = context;
  const { views } = services;
  const { settings } = plan.model;
  return (request, response) => {
    const { shelf, rendered } = getDesk(context);
    const page = shelf.byPath.get(toPath(request.getParameters('name') ?? ''));
    if (!page) return;
    const body = rendered.get(page.path) ?? renderPage(page, shelf, views, serverLinks);
    rendered.set(page.path, body);
    const me = request.getSession('me');
    const visitor = {
      me,
      here: encodeURIComponent(request.getPath('string')),
      signupClosed: !settings.auth.signup,
      flash: response.getFlash(),
      hasInbox: plan.isDevelopment,
      ...(me ? { csrf: services.sessions.formToken(request) } : {}),
    };
    response
      .setTitle(page.title)
      .setContent(renderLayout(body, { siteName: settings.name, views, links: toIndexLinks() }, visitor))
      .addHeader('content-type', 'text/html; charset=utf-8');
  };
}

/** Answers with a text that a plan creates once, with an ETag. */
function answerText(
  desk: Desk,
  response: Response,
  { name, type, make }: { readonly name: string; readonly type: string; readonly make: () => string },
): void {
  const made = desk.texts.get(name) ?? withTag(make());
  desk.texts.set(name, made);
  response
    .setContent(made.text)
    .addHeader('content-type', `${type}; charset=utf-8`)
    .addHeader('etag', made.etag)
    .addHeader('cache-control', 'public, max-age=0, must-revalidate');
}

const withTag = (text: string) => ({ text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` });

function listenSearchIndex(context: Context): Listener {
  return (request, response) =>
    inLocale(findLanguage(context.plan.languages, request.getGet('language')), () => {
      const desk = getDesk(context);
      // A script that no page's addresses go through.
      const page = (path: string): string => putBasePath(desk.source.server ?? '', serverLinks.page(path));
      const make = () => buildSearchIndex(desk.shelf.pages, { ...serverLinks, page });
      answerText(desk, response, { name: 'search', type: 'text/javascript', make });
    });
}

function listenOpenApi(context: Context): Listener {
  return (_request, response) => {
    const desk = getDesk(context);
    const make = () => JSON.stringify(buildOpenApi(context.plan, desk.source.baseUrl), null, 2);
    answerText(desk, response, { name: 'openapi', type: 'application/json', make });
    // API explorers on other origins may read it; it contains nothing that the pages do not.
    response.addHeader('access-control-allow-origin', '*');
  };
}
