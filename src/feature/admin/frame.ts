import { toLocalText } from '../../core/translate.ts';
import { type Pair, toHere } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
import { mayOpen } from './guard.ts';
import { listNavigation, type NavigationGroup } from './navigation.ts';

/** A step of the path that leads to a page. */
export interface Crumb {
  readonly label: string;
  readonly path: string;
}

export interface AdminPage {
  /** Translated title; also the page's `h1`, unless `heading` is false. */
  readonly title: string;
  /** HTML of the page below its heading. */
  readonly body: string;
  /** Path of its entry in the navigation. Default: the entry with the longest path that starts the page's own. */
  readonly current?: string;
  /** Pages above this one, outermost first. Default none. */
  readonly crumbs?: readonly Crumb[];
  /** HTML of the buttons at the heading's right. Default none. */
  readonly actions?: string;
  /** Scripts of the page besides `admin`, without extension. */
  readonly scripts?: readonly string[];
  /** Styles of the page besides `treadle` and `admin`, without extension. */
  readonly styles?: readonly string[];
  /** False if the body has its own `h1`. Default true. */
  readonly heading?: boolean;
}

interface Shown extends NavigationGroup {
  readonly isOpen: boolean;
}

/** The navigation of the person who asks: the entries that their roles open. */
function toNavigation(context: Context, path: string, current: string | undefined): Shown[] {
  const groups = listNavigation(context.plan.model)
    .map((group) => ({ ...group, entries: group.entries.filter(({ path: to }) => mayOpen(context, to)) }))
    .filter(({ entries }) => entries.length > 0);
  const paths = groups.flatMap(({ entries }) => entries.map((entry) => entry.base ?? entry.path));
  const starting = paths.filter((base) => path === base || path.startsWith(`${base}/`));
  const chosen = current ?? starting.sort((a, b) => b.length - a.length)[0];
  return groups.map((group) => {
    const entries = group.entries.map((entry) => ({ ...entry, isCurrent: (entry.base ?? entry.path) === chosen }));
    return { ...group, entries, isOpen: entries.some(({ isCurrent }) => isCurrent) };
  });
}

/** Shows a page in the admin section's frame. It is `no-store`, because it shows people's data. */
export function showInAdmin(context: Context, { request, response }: Pair, page: AdminPage): void {
  const { services, plan } = context;
  const { settings } = plan.model;
  const html = services.views.render('admin', '_page', {
    title: toLocalText(page.title),
    hasHeading: page.heading !== false,
    siteName: settings.name,
    navigation: toNavigation(context, request.getPath('string'), page.current),
    crumbs: page.crumbs ?? [],
    actions: page.actions,
    scripts: ['admin', ...(page.scripts ?? [])],
    styles: ['treadle', 'theme', 'admin', ...(page.styles ?? [])],
    mayGo: mayOpen(context, '/admin/go') && mayOpen(context, '/admin/go.json'),
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    csrf: services.sessions.formToken(request),
    flash: response.getFlash(),
    body: page.body,
  });
  response
    .addHeader('content-type', 'text/html; charset=utf-8')
    .addHeader('cache-control', 'no-store')
    .addHeader('referrer-policy', 'same-origin')
    .setTitle(page.title)
    .setContent(html);
}
