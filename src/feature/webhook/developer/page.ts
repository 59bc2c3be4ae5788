import type { Row } from '../../../database/row-statement.ts';
import { toAppHead } from '../../../page/app-head.ts';
import { type FramedPage, flash, type Pair, requireMe, showInFrame } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findHookApps, type HookApp } from '../hook-app.ts';

interface Page extends Omit<FramedPage, 'body'> {
  readonly name: string;
  readonly data: Row;
}

/** Shows a page of this feature in the developer section. */
export function showPage(context: Context, pair: Pair, { name, data, ...page }: Page): void {
  const { services } = context;
  const { request, response } = pair;
  const csrf = services.sessions.formToken(request);
  const message = response.isError() ? response.getMessage() : undefined;
  showInFrame(context, pair, { ...page, body: services.views.render('webhook', name, { csrf, message, ...data }) });
}

/** Header data of every page about an app. */
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

/**
 * The app in the path if the logged-in account owns it. Another account's app looks like one that does not
 * exist.
 */
export async function requireApp(context: Context, pair: Pair): Promise<OwnApp | undefined> {
  const { request, response } = pair;
  const owner = requireMe(pair);
  if (owner === undefined) return undefined;
  const [app] = await findHookApps(context, { owner, app_id: request.getParameters('app_id') });
  if (app) return { app, owner };
  response.refuse({ status: 404, message: 'There is no such app of yours.' });
  return undefined;
}

/**
 * Emits an event of this feature for an account with its own stage, so that posted values cannot leak into
 * it.
 */
export async function emitFor(context: Context, { request, response }: Pair, event: string, stage: Row): Promise<Row> {
  const given = Object.entries(stage).filter(([, value]) => value !== undefined && value !== '');
  request.removeStage().setStage(Object.fromEntries(given));
  await context.emit(event, request, response);
  const results = (response.getResults() ?? {}) as Row;
  response.removeResults();
  return results;
}

/** Redirects and shows a message on the next page. */
export function leadTo(pair: Pair, path: string, message: string): void {
  const { response } = pair;
  const isFailed = response.isError();
  const text = isFailed ? (response.getMessage() ?? 'That did not work.') : message;
  flash(pair, text, isFailed ? 'error' : 'success');
  response.setError(false).removeResults().setRedirect(path);
}
