import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import { toAppHead } from '../../plan/app-head.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { refuse } from './errors.ts';
import { findHookApps, type HookApp } from './owned-app.ts';

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

interface Page {
  readonly name: string;
  readonly title: string;
  readonly data: Row;
  readonly scripts?: readonly string[];
  /** Whether it is the inbox, which `dev` shows also where the API, and with it the developer section, is closed. */
  readonly isInbox?: boolean;
}

const toHere = (request: Request): string => {
  const query = request.getQuery();
  return query === '' ? request.getPath('string') : `${request.getPath('string')}?${query}`;
};

/** Shows a page in the developer section's frame; never stored, since it may show a secret or people's data. */
export function showPage({ services, plan }: Context, { request, response }: Pair, page: Page): void {
  const { settings } = plan.model;
  const csrf = services.sessions.formToken(request);
  const message = response.isError() ? response.getMessage() : undefined;
  const body = services.views.render('webhook', page.name, { csrf, message, ...page.data });
  const html = services.views.render('developer', '_page', {
    title: page.title,
    siteName: settings.name,
    home: settings.home,
    signupClosed: !settings.auth.signup,
    me: request.getSession('me'),
    here: encodeURIComponent(toHere(request)),
    scripts: page.scripts ?? ['developer'],
    isInbox: page.isInbox ?? false,
    isClosed: !settings.api,
    csrf,
    flash: response.getFlash(),
    body,
  });
  response
    .addHeader('cache-control', 'no-store')
    .addHeader('referrer-policy', 'no-referrer')
    .setTitle(page.title)
    .setContent(html);
}

/** What every page of one app has above its own part. */
export const toHookHead = (app: HookApp): Row =>
  toAppHead(
    {
      appId: app.app_id,
      title: app.title,
      clientId: app.client_id,
      name: app.name ?? undefined,
      isActive: app.active,
      isStopped: app.stopped,
      isPublic: app.public,
    },
    'webhook',
  );

export interface OwnApp {
  readonly app: HookApp;
  /** The account, `auth_id`. */
  readonly owner: number;
}

/** The app that the path names, if it is the logged-in account's; another's looks as one that does not exist. */
export async function requireApp(context: Context, { request, response }: Pair): Promise<OwnApp | undefined> {
  const owner = request.getSession('me', 'auth_id');
  if (typeof owner !== 'number') {
    const back = request.isMethod('POST') ? '/developer/app/search' : toHere(request);
    response.setRedirect(`/auth/login?redirect_uri=${encodeURIComponent(back)}`);
    return undefined;
  }
  const [app] = await findHookApps(context, { owner, app_id: request.getParameters('app_id') });
  if (app) return { app, owner };
  refuse(response, { status: 404, message: 'There is no such app of yours.' });
  return undefined;
}

/** Emits one of this feature's events for an account, with a stage of its own: nothing that was posted leaks into it. */
export async function emitFor(context: Context, { request, response }: Pair, event: string, stage: Row): Promise<Row> {
  const given = Object.entries(stage).filter(([, value]) => value !== undefined && value !== '');
  request.removeStage().setStage(Object.fromEntries(given));
  await context.emit(event, request, response);
  const results = (response.getResults() ?? {}) as Row;
  response.removeResults();
  return results;
}

/** Says on the next page what became of it, and goes there. */
export function leadTo({ request, response }: Pair, path: string, message: string): void {
  const isFailed = response.isError();
  const text = isFailed ? (response.getMessage() ?? 'That did not work.') : message;
  request.setSession('flash', { message: text, type: isFailed ? 'error' : 'success' });
  response.setError(false).removeResults().setRedirect(path);
}
