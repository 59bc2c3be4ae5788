import { addImpliedRoles } from '../access/guard.ts';
import { getAccess } from '../core/access.ts';
import { BoundedMap } from '../core/bounded-map.ts';
import { currentLocaleTag } from '../core/text/translate.ts';
import type { Row } from '../database/row-statement.ts';
import type { Context } from '../plan/feature.ts';
import type { Exchange } from './exchange.ts';
import { mayOpen } from './guard.ts';
import { listNavigation, type NavigationEntry, type NavigationGroup } from './navigation.ts';
import type { PageContent } from './template.ts';

/** A step of the path that leads to a page. */
export interface Crumb {
  readonly label: string;
  readonly path: string;
}

/** A page of the admin section. */
export interface AdminPage extends PageContent {
  readonly frame: 'admin';
  /** Path of its entry in the navigation. Default: the entry with the longest path that starts the page's own. */
  readonly current?: string;
  /** Pages above this one, outermost first. Default none. */
  readonly crumbs?: readonly Crumb[];
  /** Template of the buttons at the heading's right. Default none. */
  readonly actions?: string | undefined;
  /** Scripts of the page besides `admin`, without extension. */
  readonly scripts?: readonly string[];
  /** Styles of the page besides `treadle` and `admin`, without extension. */
  readonly styles?: readonly string[];
  /** False if the body has its own `h1`. Default true. */
  readonly heading?: boolean;
}

const toBase = ({ base, path }: NavigationEntry): string => base ?? path;

/** Navigation entries the viewer's roles allow. */
const listOpen = (context: Context): NavigationGroup[] =>
  listNavigation(context.plan.model)
    .map((group) => ({ ...group, entries: group.entries.filter(({ path }) => mayOpen(context, path)) }))
    .filter(({ entries }) => entries.length > 0);

function renderNavigation({ services }: Context, groups: readonly NavigationGroup[], chosen: string): string {
  const navigation = groups.map((group) => ({
    ...group,
    entries: group.entries.map((entry) => ({ ...entry, isCurrent: toBase(entry) === chosen })),
  }));
  return services.views.render('admin', '_navigation', { navigation });
}

/** The navigation for one set of roles in one language. */
interface Navigation {
  /** Paths of its entries, the longest first. */
  readonly bases: readonly string[];
  /** Whether the roles open the command palette. */
  readonly mayGo: boolean;
  /** HTML with the entry of a path marked. */
  render(chosen: string): string;
}

const createNavigation = (context: Context): Navigation => {
  const groups = listOpen(context);
  const bases = groups.flatMap(({ entries }) => entries.map(toBase)).sort((a, b) => b.length - a.length);
  const pages = new BoundedMap<string>(MOST_PAGES);
  return {
    bases,
    mayGo: mayOpen(context, '/admin/go') && mayOpen(context, '/admin/go.json'),
    render: (chosen) => pages.getOrCreate(chosen, () => renderNavigation(context, groups, chosen)),
  };
};

/** Sets of roles and languages whose navigation is cached, and marked entries of each. Making it takes a third of a page. */
const MOST_NAVIGATIONS = 20;
const MOST_PAGES = 50;
const createNavigations = (): BoundedMap<Navigation> => new BoundedMap(MOST_NAVIGATIONS);

/** The navigation of the viewer. It depends on nothing but the plan, the language and the roles. */
function findNavigation(context: Context): Navigation {
  const { roles, authId } = getAccess();
  const key = [currentLocaleTag(), ...addImpliedRoles(roles, authId !== undefined)].join();
  return context.memory.get(createNavigations).getOrCreate(key, () => createNavigation(context));
}

/** Path of the entry that a page belongs to; empty for none. */
const findEntry = ({ bases }: Navigation, path: string): string =>
  bases.find((base) => path === base || path.startsWith(`${base}/`)) ?? '';

/** The page with the head, the navigation and the scripts of the admin section. */
export function renderAdminFrame(context: Context, { request }: Exchange, page: AdminPage, shared: Row): string {
  const navigation = findNavigation(context);
  return context.services.views.render('admin', '_page', {
    ...shared,
    hasHeading: page.heading !== false,
    navigation: navigation.render(page.current ?? findEntry(navigation, request.getPath('string'))),
    crumbs: page.crumbs ?? [],
    scripts: ['admin', ...(page.scripts ?? [])],
    styles: ['treadle', 'theme', 'admin', ...(page.styles ?? [])],
    mayGo: navigation.mayGo,
  });
}
