import type { Problem } from '../core/errors.ts';
import { takeBasePath, toBasePath } from '../core/text/base-path.ts';
import type { CompiledPlan } from '../plan/compile.ts';

const ROUTE = /^[A-Z]+ (\/.*)$/;

/**
 * Refuses a base path that a route or a language begins with: an address such as `/admin/user` could mean the page `/user`
 * below the path `/admin`, or the page `/admin/user`.
 */
export function findBasePathProblems({ model, bus, routes }: CompiledPlan): Problem[] {
  const { server, languages, languagePath } = model.settings;
  const basePath = toBasePath(server.baseUrl ?? '');
  if (basePath === '') return [];
  const isTaken = (path: string): boolean => takeBasePath(basePath, path) !== path;
  const own = bus.list().map(({ event }) => ROUTE.exec(event)?.[1] ?? '');
  const prefixes = languagePath ? languages.map((tag) => `/${tag}`) : [];
  const taken = [...own, ...routes.map(({ path }) => path), ...prefixes].find(isTaken);
  if (taken === undefined) return [];
  return [
    {
      code: 'BASE_PATH_TAKEN',
      file: 'config/settings.json',
      path: 'server.baseUrl',
      message: `The site can't be under ${basePath}, because its own address ${taken} begins with it.`,
      hint: 'Take another path for the site (server.baseUrl, or TREADLE_BASE_URL), or rename the route.',
    },
  ];
}
