import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Context, RouteContribution } from '../plan/feature.ts';

/** What answers a request: a step of a page reads the one and fills the other. */
export interface Pair {
  readonly request: Request;
  readonly response: Response;
}

export type Step = (context: Context, pair: Pair) => Promise<void>;

export function toRoute(method: 'GET' | 'POST', path: string, description: string, step: Step): RouteContribution {
  return {
    method,
    path,
    description,
    listen: (context) => (request, response) => step(context, { request, response }),
  };
}

/** This address again, path and query: where a form posts to, and where the login leads back to. */
export function toHere(request: Request): string {
  const query = request.getQuery();
  return query === '' ? request.getPath('string') : `${request.getPath('string')}?${query}`;
}

const MY_APPS = '/developer/app/search';

/** The login, which leads back to a path of this site. */
export const toLogin = (path: string): string => `/auth/login?redirect_uri=${encodeURIComponent(path)}`;

/** The logged-in account, `auth_id`; a visitor is led to the login and back, after a form to the list of apps. */
export function requireMe({ request, response }: Pair): number | undefined {
  const authId = request.getSession('me', 'auth_id');
  if (typeof authId === 'number') return authId;
  response.setRedirect(toLogin(request.isMethod('POST') ? MY_APPS : toHere(request)));
  return undefined;
}

export interface FramedPage {
  readonly title: string;
  /** HTML of the page's own part. */
  readonly body: string;
  /** The frame's scripts, without their ending. Default `developer`. */
  readonly scripts?: readonly string[];
  /** Whether it is the inbox of web hooks, which `dev` has also where the API, and with it the developer section, is closed. */
  readonly isInbox?: boolean;
}

/** Shows a page in the developer section's frame; never stored, since it may show a secret or people's data. */
export function showInFrame({ services, plan }: Context, { request, response }: Pair, page: FramedPage): void {
  const { settings } = plan.model;
  const html = services.views.render('developer', '_page', {
    title: page.title,
    siteName: settings.name,
    home: settings.home,
    signupClosed: !settings.auth.signup,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    scripts: page.scripts ?? ['developer'],
    hasInbox: plan.isDevelopment,
    isInbox: page.isInbox ?? false,
    isClosed: !settings.api,
    csrf: services.sessions.formToken(request),
    flash: response.getFlash(),
    body: page.body,
  });
  response
    .addHeader('cache-control', 'no-store')
    .addHeader('referrer-policy', 'no-referrer')
    .setTitle(page.title)
    .setContent(html);
}

export type FlashType = 'success' | 'warning' | 'error';

/** Says something on the next page. */
export function flash({ request }: Pair, message: string, type: FlashType = 'success'): void {
  request.setSession('flash', { message, type });
}
