import { toStamp } from '../../core/clock.ts';
import type { Row } from '../../database/database.ts';
import { type HeadedApp, type Tab, toAppHead } from '../../plan/app-head.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
import { type Pair, toHere, toLogin } from './dialog-routes.ts';
import { findShownApp } from './owned-app.ts';

interface Page {
  readonly name: string;
  readonly title: string;
  readonly data: Row;
}

/** A form's fields as its labels and ids have them, for the links of the error summary. */
const FIELDS: Readonly<Record<string, readonly [label: string, id: string]>> = {
  title: ['Title', 't-title'],
  website: ['Website', 't-website'],
  redirect_uris: ['Redirect addresses', 't-redirect'],
  scopes: ['Scopes', 't-scopes'],
  hooks: ['Web hooks', 't-hooks'],
  webhook: ['Web hook address', 't-webhook'],
  confirm: ['Confirmation', 't-confirm'],
};

/** Validation as a list whose entries lead to their fields. */
function toFaults(validation: unknown): Row[] {
  const entries = typeof validation === 'object' && validation !== null ? Object.entries(validation) : [];
  return entries.map(([field, message]) => {
    const [label, id] = FIELDS[field] ?? [field, `t-${field}`];
    return { href: `#${id}`, label, message };
  });
}

/** Shows a page of the developer section; never cached, since it may show a secret. */
export function showDeveloperPage({ services, plan }: Context, { request, response }: Pair, page: Page): void {
  const csrf = services.sessions.formToken(request);
  const { settings } = plan.model;
  const body = services.views.render('developer', page.name, {
    csrf,
    siteName: settings.name,
    message: response.isError() ? response.getMessage() : undefined,
    errors: response.getValidation(),
    faults: toFaults(response.getValidation()),
    ...page.data,
  });
  const flash = response.getFlash();
  const html = services.views.render('developer', '_page', {
    title: page.title,
    siteName: settings.name,
    home: settings.home,
    signupClosed: !settings.auth.signup,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    scripts: ['developer'],
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

const toHead = ({ appId, title, clientId, name, isActive, isStopped, secretHash }: ClientApp): HeadedApp => ({
  ...{ appId, title, clientId, name, isActive, isStopped },
  isPublic: secretHash === undefined,
});

/** Shows a page of one app. */
export function showAppPage(
  context: Context,
  pair: Pair,
  { app, tab, ...page }: Page & { readonly app: ClientApp; readonly tab: Tab },
): void {
  const data = { head: toAppHead(toHead(app), tab), ...page.data };
  showDeveloperPage(context, pair, { ...page, title: `${page.title} · ${app.title}`, data });
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

/** The stage that names an app to the events: whose it is comes from the session, never from the form. */
export function nameApp({ request }: Pair, owner: number, more: Row = {}): void {
  request.removeStage().setStage({ ...more, owner, app_id: request.getParameters('app_id') });
}

/** One's own app that the path names, also one of a definition file; undefined where something else was answered. */
export async function requireApp(
  context: Context,
  pair: Pair,
  showMissing: (context: Context, pair: Pair) => Promise<void>,
): Promise<{ readonly app: ClientApp; readonly owner: number } | undefined> {
  const owner = requireMe(pair);
  if (owner === undefined) return undefined;
  nameApp(pair, owner);
  const app = await findShownApp(context, pair.request, pair.response);
  if (app) return { app, owner };
  await showMissing(context, pair);
  return undefined;
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

/** Says something on the next page. */
export function flash({ request }: Pair, message: string, type: 'success' | 'warning' | 'error' = 'success'): void {
  request.setSession('flash', { message, type });
}

/** Unix seconds as the time that pages show and the helper `relative` reads; undefined where there is none. */
export const toTime = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' && seconds > 0 ? toStamp(seconds * 1000) : undefined;
