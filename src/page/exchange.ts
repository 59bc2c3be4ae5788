import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import { toLocalText } from '../core/text/translate.ts';
import type { Context, RouteContribution } from '../plan/feature.ts';

/** A request with its response: a page's step reads the one and fills the other. */
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

/** The current path with its query: the target of a form, and of the redirect after login. */
export function toHere(request: Request): string {
  const query = request.getQuery();
  return query === '' ? request.getPath('string') : `${request.getPath('string')}?${query}`;
}

const MY_APPS = '/developer/app/search';

/** URL of the login, which redirects back to a path of this site. */
export const toLogin = (path: string): string => `/auth/login?redirect_uri=${encodeURIComponent(path)}`;

/**
 * The `auth_id` of the logged-in account. Redirects a visitor to the login and back; after a form, to the list of
 * apps.
 */
export function requireMe({ request, response }: Pair): number | undefined {
  const authId = request.getSession('me', 'auth_id');
  if (typeof authId === 'number') return authId;
  response.setRedirect(toLogin(request.isMethod('POST') ? MY_APPS : toHere(request)));
  return undefined;
}

export interface FramedPage {
  readonly title: string;
  /** HTML of the page's body. */
  readonly body: string;
  /** Scripts of the page, without extension. Default `developer`. */
  readonly scripts?: readonly string[];
  /** The page of `dev` that it is, which `dev` has also where the API, and with it the developer section, is closed. */
  readonly current?: 'inbox' | 'mail';
}

/** Shows a page in the developer section's frame. It is `no-store`, because it may show a secret or people's data. */
export function showInFrame({ services, plan }: Context, { request, response }: Pair, page: FramedPage): void {
  const { settings } = plan.model;
  const html = services.views.render('developer', '_page', {
    title: toLocalText(page.title),
    siteName: settings.name,
    signupClosed: !settings.auth.signup,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    scripts: page.scripts ?? ['developer'],
    hasInbox: plan.isDevelopment,
    isInbox: page.current === 'inbox',
    isMail: page.current === 'mail',
    isApps: page.current === undefined,
    isClosed: !settings.api,
    csrf: services.sessions.formToken(request),
    flash: response.getFlash(),
    body: page.body,
  });
  response
    .addHeader('cache-control', 'no-store')
    // Over plain http a form of a page without referrer would hide from its own site where it comes from.
    .addHeader('referrer-policy', 'same-origin')
    .setTitle(page.title)
    .setContent(html);
}

export type FlashType = 'success' | 'warning' | 'error';

/** Shows a message on the next page. */
export function flash({ request }: Pair, message: string, type: FlashType = 'success'): void {
  request.setSession('flash', { message, type });
}
