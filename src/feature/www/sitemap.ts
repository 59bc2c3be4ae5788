import type { Listener } from '../../core/bus/followers.ts';
import type { Response } from '../../core/request/response.ts';
import type { Context } from '../../plan/feature.ts';
import { toLanguagePath } from '../../plan/language/language-path.ts';
import { hasSitemap, listEntries, listOwnPages, listParts, type SitemapEntry } from './sitemap-paths.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';
/** Name of the part with the pages of the settings; no schema has it, because its number is not one. */
const OWN = 'pages';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
]);
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES.get(sign) ?? sign);

/** Milliseconds that an index is sent again. */
const CACHED_MS = 60_000;
const toCaching = ({ plan }: Context): string => (plan.isDevelopment ? 'no-cache' : 'public, max-age=3600');

/** Crawlers need absolute addresses; in production only the settings know the site's own. */
const findBase = ({ plan, services }: Context): string | undefined =>
  plan.isDevelopment ? services.baseUrl() : (plan.model.settings.server.baseUrl ?? undefined);

/** The addresses of a page by language; one without a language if the languages have no paths. */
function listAddresses(
  { plan }: Context,
  base: string,
  path: string,
): { readonly tag?: string; readonly url: string }[] {
  const { languages } = plan;
  if (languages === undefined || !languages.isInPath) return [{ url: escapeXml(base + path) }];
  const locale = { offered: languages.offered, isInPath: true };
  return languages.offered.map(({ tag }) => ({ tag, url: escapeXml(base + toLanguagePath(locale, tag, path)) }));
}

function printEntry(context: Context, base: string, { path, changed }: SitemapEntry): string {
  const addresses = listAddresses(context, base, path);
  const others = addresses
    .flatMap(({ tag, url }) =>
      tag === undefined ? [] : [`<xhtml:link rel="alternate" hreflang="${tag}" href="${url}"/>`],
    )
    .join('');
  const time = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`;
  return addresses.map(({ url }) => `<url><loc>${url}</loc>${time}${others}</url>\n`).join('');
}

const send = (context: Context, response: Response, xml: string): Response =>
  response
    .addHeader('content-type', 'application/xml; charset=utf-8')
    .addHeader('cache-control', toCaching(context))
    .setContent(xml);

async function printIndex(context: Context, base: string): Promise<string> {
  const parts = (await listParts(context)).map(({ schema, part }) => `${schema}-${part}`);
  const names = [...(context.plan.model.settings.sitemap.length > 0 ? [OWN] : []), ...parts];
  const lines = names.map((name) => `<sitemap><loc>${escapeXml(`${base}/sitemap/${name}.xml`)}</loc></sitemap>\n`);
  return `${HEAD}<sitemapindex ${SPACE}>\n${lines.join('')}</sitemapindex>\n`;
}

/** The index: a part for a number of ids of each schema. */
export function sendSitemap(context: Context): Listener {
  const { clock } = context.services;
  // The index of many rows takes many look-ups, and a request with a cookie passes the cache of pages.
  const cached: { until: number; index: Promise<string> | undefined } = { until: 0, index: undefined };
  return async (_request, response) => {
    const base = findBase(context);
    if (base === undefined || !hasSitemap(context)) return;
    if (clock.now() >= cached.until || context.plan.isDevelopment) {
      cached.until = clock.now() + CACHED_MS;
      cached.index = printIndex(context, base).catch((error: unknown) => {
        cached.until = 0;
        throw error;
      });
    }
    send(context, response, (await cached.index) ?? '');
  };
}

async function findEntries(context: Context, name: string): Promise<SitemapEntry[] | undefined> {
  if (name === OWN) return listOwnPages(context);
  const [, schema = '', part = ''] = /^(.+)-(\d{1,12})$/.exec(name) ?? [];
  return listEntries(context, schema, Number(part));
}

/** One part. */
export function sendSitemapPart(context: Context): Listener {
  return async (_request, response, meta) => {
    const base = findBase(context);
    const [name = ''] = meta.variables;
    const entries = base === undefined ? undefined : await findEntries(context, name);
    if (base === undefined || entries === undefined || entries.length === 0) return;
    const schema = name === OWN ? [] : [name.replace(/-\d+$/, '')];
    const body = entries.map((entry) => printEntry(context, base, entry)).join('');
    send(context, response, `${HEAD}<urlset ${SPACE} ${LINKS}>\n${body}</urlset>\n`).setCache(...schema);
  };
}

/** Sections that are for people with an account, or for programs. */
const CLOSED = ['/admin', '/auth', '/dialog', '/oauth'];

/** `/robots.txt`: a development server is no site to index. @see RFC 9309 */
export function sendRobots(context: Context): Listener {
  return (_request, response) => {
    const base = findBase(context);
    const path = base === undefined ? '' : new URL(base).pathname.replace(/\/$/, '');
    const { isDevelopment, languages } = context.plan;
    const prefixes = ['', ...(languages?.isInPath ? languages.offered.map(({ tag }) => `/${tag}`) : [])];
    const lines = isDevelopment
      ? ['User-agent: *', 'Disallow: /']
      : [
          'User-agent: *',
          ...prefixes.flatMap((prefix) => CLOSED.map((section) => `Disallow: ${path}${prefix}${section}`)),
          ...(base !== undefined && hasSitemap(context) ? ['', `Sitemap: ${base}/sitemap.xml`] : []),
        ];
    response
      .addHeader('content-type', 'text/plain; charset=utf-8')
      .addHeader('cache-control', toCaching(context))
      .setContent(`${lines.join('\n')}\n`);
  };
}
