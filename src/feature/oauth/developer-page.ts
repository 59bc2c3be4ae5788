import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type Pair, toHere, toLogin } from './dialog-routes.ts';

/** Shows a page of the developer section; never cached, since it may show a secret. */
export function showDeveloperPage(
  { services, plan }: Context,
  { request, response }: Pair,
  page: { readonly name: string; readonly title: string; readonly data: Row },
): void {
  const csrf = services.sessions.formToken(request);
  const { settings } = plan.model;
  const body = services.views.render('developer', page.name, {
    csrf,
    message: response.isError() ? response.getMessage() : undefined,
    errors: response.getValidation(),
    ...page.data,
  });
  const flash = response.getFlash();
  const html = services.views.render('developer', '_page', {
    title: page.title,
    section: 'apps',
    siteName: settings.name,
    home: settings.home,
    signupClosed: !settings.auth.signup,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    csrf,
    flash,
    body,
  });
  response
    .addHeader('cache-control', 'no-store')
    .addHeader('referrer-policy', 'no-referrer')
    .setTitle(page.title)
    .setContent(html);
}

/** The logged-in account; a visitor is led to the login and back. */
export function requireMe({ request, response }: Pair): number | undefined {
  const authId = request.getSession('me', 'auth_id');
  if (typeof authId === 'number') return authId;
  response.setRedirect(
    request.isMethod('POST') ? '/auth/login?redirect_uri=%2Fdeveloper%2Fapp%2Fsearch' : toLogin(request),
  );
  return undefined;
}
