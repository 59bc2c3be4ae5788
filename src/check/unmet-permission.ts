import { isNeverGuarded } from '../access/guard.ts';
import { compilePattern, isVariable } from '../core/bus/pattern.ts';
import type { Problem } from '../core/errors.ts';
import { suggest } from '../core/text/suggest.ts';
import { parsePagePath, toPagePattern } from '../model/page-path.ts';
import { listPermissions, type RolePermission } from '../model/role/role.ts';
import type { CompiledPlan } from '../plan/compile.ts';

const ROUTE = /^([A-Z]+) (\/.*)$/;
const NEVER = 'Roles do not guard /auth, /dialog, /oauth, /rest, /health and /.well-known.';

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Routes of the project and of Treadle, without those for unknown paths. */
function listRoutes({ draft, routes }: CompiledPlan): Route[] {
  const own = draft.registered.flatMap(({ event }): Route[] => {
    const [, method, path] = ROUTE.exec(event) ?? [];
    return method === undefined || path === undefined ? [] : [{ method, path }];
  });
  return [...own, ...routes];
}

/** True if both patterns cover some path. */
function overlap(left: readonly string[], right: readonly string[]): boolean {
  const [a, ...leftRest] = left;
  const [b, ...rightRest] = right;
  if (a === '**' || b === '**') return true;
  if (a === undefined || b === undefined) return a === b;
  return (isVariable(a) || isVariable(b) || a.toLowerCase() === b.toLowerCase()) && overlap(leftRest, rightRest);
}

const toSegments = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '');

function isMet({ method, path }: Pick<RolePermission, 'method' | 'path'>, routes: readonly Route[]): boolean {
  const segments = toSegments(path);
  return routes.some((route) => {
    const isMethod = method === 'all' || route.method === 'ALL' || route.method.toLowerCase() === method;
    return isMethod && overlap(segments, toSegments(route.path));
  });
}

/** Advises if neither a route nor a static file answers the `home` of the settings: `/` would redirect to a 404. */
function findUnmetHome(plan: CompiledPlan, listFiles: () => readonly string[]): Problem[] {
  const [path = ''] = plan.model.settings.home.split(/[?#]/, 1);
  // Another site, or Treadle's own page.
  if (!path.startsWith('/') || path === '/') return [];
  const routes = listRoutes(plan);
  if (isMet({ method: 'get', path }, routes)) return [];
  if (listFiles().some((file) => file === path || file === `${path.replace(/\/$/, '')}/index.html`)) return [];
  const near = suggest(path, new Set(routes.map((route) => route.path)));
  const message = `"home" leads to ${path}, but no route and no static file is there.`;
  const hint = near === undefined ? 'See: treadle routes' : `Did you mean "${near}"?`;
  return [{ code: 'PLAN_HOME_UNMET', file: 'config/settings.json', path: 'home', message, hint, severity: 'advice' }];
}

/**
 * Advice on permissions that match no route and no static file, and on those for paths that are never
 * guarded.
 */
function findUnmetPermissions(plan: CompiledPlan, files: readonly string[]): Problem[] {
  const routes = listRoutes(plan);
  return listPermissions(plan.model).flatMap((permission): Problem[] => {
    const { file, role, method, path, index } = permission;
    // The admin's own pages depend on the schemas.
    if (file === undefined || /^\/admin(?:\/|$)/.test(path)) return [];
    const toProblem = (message: string, hint: string): Problem[] => [
      { code: 'PLAN_PERMISSION_UNMET', file, path: `permissions.${index}.path`, message, hint, severity: 'advice' },
    ];
    if (isNeverGuarded(path.replaceAll('*', 'x')))
      return toProblem(`The role "${role}" guards nothing by ${path}.`, NEVER);
    const pattern = compilePattern(path);
    if (isMet(permission, routes) || files.some((found) => pattern.covers(found))) return [];
    const near = suggest(path, new Set(routes.map((route) => route.path)));
    return toProblem(
      `The role "${role}" opens ${method === 'all' ? '' : `${method.toUpperCase()} `}${path}, but no route and no static file is there.`,
      near === undefined ? 'See: treadle routes' : `Did you mean "${near}"?`,
    );
  });
}

/** Advice on addresses of the sitemap that nothing answers. */
function findUnmetPages(plan: CompiledPlan, listFiles: () => readonly string[]): Problem[] {
  const { settings, schemas } = plan.model;
  const routes = listRoutes(plan);
  const isServed = (path: string): boolean =>
    isMet({ method: 'get', path }, routes) ||
    settings.server.singlePage.some((folder) => path.startsWith(folder)) ||
    listFiles().some(
      (file) => file === path || file === `${path}.html` || file === `${path.replace(/\/$/, '')}/index.html`,
    );
  const toProblem = (file: string, path: string, page: string): Problem => {
    const message = `The sitemap lists ${page}, but no route and no static file is there.`;
    return { code: 'PLAN_PAGE_UNMET', file, path, message, hint: 'See: treadle routes', severity: 'advice' };
  };
  return [
    ...[...schemas.values()].flatMap(({ file, definition: { page } }) => {
      const path = page === undefined ? undefined : parsePagePath(page);
      return path === undefined || isServed(toPagePattern(path)) ? [] : [toProblem(file, 'page', page ?? '')];
    }),
    ...settings.sitemap.flatMap((path, index) =>
      isServed(path) ? [] : [toProblem('config/settings.json', `sitemap.${index}`, path)],
    ),
  ];
}

/** Advice on folders of a front end that are not there: it was not built, or the setting names another folder. */
function findUnmetFolders({ model }: CompiledPlan, listFiles: () => readonly string[]): Problem[] {
  const { singlePage, immutable } = model.settings.server;
  if (singlePage.length + immutable.length === 0) return [];
  const files = listFiles();
  const toProblem = (path: string, message: string): Problem => ({
    code: 'PLAN_FOLDER_UNMET',
    file: 'config/settings.json',
    path,
    message,
    hint: 'Build the front end into public/, or name its folder.',
    severity: 'advice',
  });
  return [
    ...singlePage.flatMap((folder, index) => {
      const file = `${folder}index.html`;
      const message = `"singlePage" names ${folder}, but there is no public${file}.`;
      return files.includes(file) ? [] : [toProblem(`server.singlePage.${index}`, message)];
    }),
    ...immutable.flatMap((folder, index) => {
      const message = `"immutable" names ${folder}, but there is no folder public${folder.replace(/\/$/, '')}.`;
      return files.includes(folder.slice(0, -1)) ? [] : [toProblem(`server.immutable.${index}`, message)];
    }),
  ];
}

/**
 * Advice on paths in definitions that nothing answers: those of roles, the home page, and folders of a front end.
 *
 * @param listFiles Gives the paths of the static files, such as `/staff/plan.txt`. Called only if needed.
 */
export const findUnmet = (plan: CompiledPlan, listFiles: () => readonly string[]): Problem[] => [
  ...findUnmetHome(plan, listFiles),
  ...findUnmetFolders(plan, listFiles),
  ...findUnmetPages(plan, listFiles),
  ...(plan.model.roles.size === 0 ? [] : findUnmetPermissions(plan, listFiles())),
];
