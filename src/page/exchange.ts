import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import type { Context, RouteContribution } from '../plan/feature.ts';

/** A request with its response: a page's step reads the one and fills the other. `http/exchange.ts` has all of an HTTP request. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

export type Step = (context: Context, exchange: Exchange) => Promise<void>;

/** The route of a page, or of its form. */
export const createRoute = (
  method: 'GET' | 'POST',
  path: string,
  description: string,
  step: Step,
): RouteContribution => ({
  method,
  path,
  description,
  listen: (context) => (request, response) => step(context, { request, response }),
});

/** The current path with its query: the target of a form, and of the redirect after login. */
export function toHere(request: Request): string {
  const query = request.getQuery();
  return query === '' ? request.getPath('string') : `${request.getPath('string')}?${query}`;
}

const MY_APPS = '/developer/app/search';

/** URL of the login, which redirects back to a path of this site. */
export const toLogin = (path: string): string => `/auth/login?redirect_uri=${encodeURIComponent(path)}`;

/** The `auth_id` of the logged-in account; undefined for a visitor. */
export function findMe(request: Request): number | undefined {
  const authId = request.getSession('me', 'auth_id');
  return typeof authId === 'number' ? authId : undefined;
}

/**
 * The `auth_id` of the logged-in account; leads a visitor to the login and back.
 *
 * @param home Path that the login leads to. Default: the current one; of a form, the list of the developer's apps.
 */
export function requireMe({ request, response }: Exchange, home?: string): number | undefined {
  const authId = findMe(request);
  const isForm = request.isMethod('POST');
  if (authId === undefined) response.setRedirect(toLogin(home ?? (isForm ? MY_APPS : toHere(request))));
  return authId;
}

type FlashType = 'success' | 'info' | 'warning' | 'error';

/** Shows a message on the next page. */
export function flash({ request }: Exchange, message: string, type: FlashType = 'success'): void {
  request.setSession('flash', { message, type });
}

/** Redirects, and shows on the next page the error of the response, or else the message. */
export function leadTo(exchange: Exchange, path: string, message: string): void {
  const { response } = exchange;
  if (response.isError()) flash(exchange, response.getMessage() ?? 'That did not work.', 'error');
  else flash(exchange, message);
  response.setError(false).removeResults().setRedirect(path);
}
