import type { RouteContribution } from '../../plan/feature.ts';
import { serveAsset } from './asset.ts';
import { answerLive, answerReady } from './health.ts';
import { showHome } from './home.ts';
import { serveUpload } from './upload.ts';

/** Routes that every project has; the project's own of the same path come before them. */
export function listRoutes(isDevelopment: boolean): RouteContribution[] {
  return [
    {
      method: 'GET',
      path: '/',
      description: 'The home page of a project that has none: what to type next.',
      listen: showHome,
    },
    {
      method: 'GET',
      path: '/styles/*.css',
      door: 'open',
      description: "Treadle's own styles.",
      listen: () => serveAsset('styles', 'css', { isDevelopment }),
    },
    {
      method: 'GET',
      path: '/scripts/*.js',
      door: 'open',
      description: "Treadle's own scripts.",
      listen: () => serveAsset('scripts', 'js', { isDevelopment }),
    },
    {
      method: 'GET',
      path: '/favicon.svg',
      door: 'open',
      description: "The site's icon, where the project's public folder has none.",
      listen: () => serveAsset('www', 'svg', { isDevelopment, fixed: 'favicon' }),
    },
    {
      method: 'GET',
      path: '/favicon.ico',
      door: 'open',
      description: 'Leads browsers that ask for nothing else to the icon.',
      listen: () => (_request, response) => void response.setRedirect('/favicon.svg'),
    },
    {
      method: 'GET',
      path: '/upload/*',
      door: 'open',
      description: 'A file that somebody uploaded.',
      listen: serveUpload,
    },
    {
      method: 'GET',
      path: '/health/live',
      door: 'open',
      description: 'Whether the process answers.',
      listen: () => answerLive,
    },
    {
      method: 'GET',
      path: '/health/ready',
      door: 'open',
      description:
        'Whether requests can be served: the database is read, takes writes, fits the definitions and has room. Else 503 with the names of the `checks` that fail.',
      listen: answerReady,
    },
  ];
}
