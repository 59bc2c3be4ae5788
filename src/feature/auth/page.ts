import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { rememberDevice } from './device.ts';
import { PASSWORD_LEAST, PASSWORD_MOST } from './password-rule.ts';
import { findAuth } from './sql.ts';

export interface Pair {
  readonly request: Request;
  readonly response: Response;
}

/** Renders a page of this feature in the site's layout. Never cached, because it shows who is logged in. */
export async function showPage(
  context: Context,
  { request, response }: Pair,
  page: { readonly name: string; readonly title: string; readonly data?: Row },
): Promise<void> {
  const html = context.services.views.render('auth', page.name, {
    csrf: context.services.sessions.formToken(request),
    message: response.isError() ? response.getMessage() : undefined,
    errors: response.getValidation(),
    least: PASSWORD_LEAST,
    most: PASSWORD_MOST,
    ...page.data,
  });
  response.addHeader('cache-control', 'no-store').addHeader('referrer-policy', 'same-origin');
  response.setTitle(page.title).setContent(html);
  await context.emit('www-render-page', request, response);
}

/** Fills the stage from the posted form only: a query such as `?auth_type=admin` never reaches an event. */
export function fillStage(request: Request, fields: readonly string[], more: Row = {}): void {
  const posted: Row = {};
  for (const field of fields) {
    const value = request.getPost(field);
    posted[field] = typeof value === 'string' ? value : '';
  }
  request.removeStage().setStage({ ...posted, ...more });
}

/** Logs an account in under a new session id, and marks the browser as known. */
export async function logIn({ services }: Context, { request, response }: Pair, account: Row): Promise<void> {
  services.sessions.renew(request);
  const { auth_created: _created, auth_updated: _updated, ...me } = account;
  request.setSession('me', me);
  const auth = await findAuth(services.database, 'auth_id', Number(account.auth_id));
  if (auth) rememberDevice(services, request, response, auth);
}

/** The logged-in account's id; undefined for a visitor. */
export function findMe(request: Request): number | undefined {
  const authId = request.getSession('me', 'auth_id');
  return typeof authId === 'number' ? authId : undefined;
}
