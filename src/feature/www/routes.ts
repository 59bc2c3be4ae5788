import type { RouteContribution } from '../../plan/feature.ts';
import { serveAsset } from './asset.ts';
import { answerLive, answerReady } from './health.ts';
import { showHome } from './home.ts';
import { chooseLanguage } from './language.ts';
import { sendRobots, sendSitemap, sendSitemapPart } from './sitemap.ts';
import { serveUpload } from './upload.ts';
import { serveVendor } from './vendor.ts';

/** What crawlers ask for. */
const CRAWLED: readonly RouteContribution[] = [
  {
    method: 'GET',
    path: '/robots.txt',
    kind: 'open',
    description: 'What crawlers may read, and the address of the sitemap; in development nothing.',
    listen: sendRobots,
  },
  {
    method: 'GET',
    path: '/sitemap.xml',
    description: 'The parts of the sitemap, if a schema has `page` or the settings have `sitemap`.',
    listen: sendSitemap,
  },
  {
    method: 'GET',
    path: '/sitemap/*.xml',
    description: 'A part of the sitemap: rows that a visitor may see, or pages of the settings.',
    listen: sendSitemapPart,
  },
];

/** Routes of every project; the project's own routes with the same path run first. */
export function listRoutes(isDevelopment: boolean): RouteContribution[] {
  return [
    {
      method: 'GET',
      path: '/',
      description: 'The home page of a project without its own: shows the next commands.',
      listen: showHome,
    },
    {
      method: 'POST',
      path: '/language',
      description:
        'The language menu: keeps the chosen language in a cookie, and with the account of a logged-in user, and goes back to `redirect_uri`.',
      listen: chooseLanguage,
    },
    {
      method: 'GET',
      path: '/styles/*.css',
      kind: 'open',
      description: "Treadle's own styles.",
      listen: () => serveAsset('styles', 'css', { isDevelopment }),
    },
    {
      method: 'GET',
      path: '/scripts/*.js',
      kind: 'open',
      description: "Treadle's own scripts.",
      listen: () => serveAsset('scripts', 'js', { isDevelopment }),
    },
    {
      method: 'GET',
      path: '/scripts/package/*.js',
      kind: 'open',
      description: 'Editors that single pages load, from the packages that Treadle depends on.',
      listen: serveVendor,
    },
    {
      method: 'GET',
      path: '/favicon.svg',
      kind: 'open',
      description: "The site's icon, unless the project's public folder has one.",
      listen: () => serveAsset('www', 'svg', { isDevelopment, fixed: 'favicon' }),
    },
    {
      method: 'GET',
      path: '/favicon.ico',
      kind: 'open',
      description: 'Redirects browsers that only request this path to the icon.',
      listen: () => (_request, response) => void response.setRedirect('/favicon.svg'),
    },
    ...CRAWLED,
    {
      method: 'GET',
      path: '/upload/*',
      kind: 'open',
      description: 'An uploaded file.',
      listen: serveUpload,
    },
    {
      method: 'GET',
      path: '/health/live',
      kind: 'open',
      description: '200 if the process answers.',
      listen: () => answerLive,
    },
    {
      method: 'GET',
      path: '/health/ready',
      kind: 'open',
      description:
        '200 if requests can be served: the database answers, takes writes, fits the definitions and has free space. Otherwise 503 with the names of the failed `checks`.',
      listen: answerReady,
    },
  ];
}
