import type { Row } from '../../../database/row-statement.ts';
import { toAppHead } from '../../../page/app-head.ts';
import { type Exchange, requireMe } from '../../../page/exchange.ts';
import { type DeveloperPage, showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { findHookApps, type HookApp } from '../hook-app.ts';

interface HookPage extends Omit<DeveloperPage, 'frame' | 'template'> {
  /** Template below `templates/webhook/`. */
  readonly name: string;
}

/** Shows a page of this feature in the developer section. */
export function showHookPage(context: Context, exchange: Exchange, { name, data, ...page }: HookPage): void {
  const { response } = exchange;
  const message = response.isError() ? response.getMessage() : undefined;
  showPage(context, exchange, { ...page, frame: 'developer', template: `webhook/${name}`, data: { message, ...data } });
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
export async function requireApp(context: Context, exchange: Exchange): Promise<OwnApp | undefined> {
  const { request, response } = exchange;
  const owner = requireMe(exchange);
  if (owner === undefined) return undefined;
  const [app] = await findHookApps(context, { owner, app_id: request.getParameters('app_id') });
  if (app) return { app, owner };
  response.refuse({ status: 404, code: 'APP_MISSING', message: 'There is no such app of yours.' });
  return undefined;
}

/**
 * Emits an event of this feature for an account with its own stage, so that posted values cannot leak into
 * it.
 */
export async function emitFor(
  context: Context,
  { request, response }: Exchange,
  event: string,
  stage: Row,
): Promise<Row> {
  const given = Object.entries(stage).filter(([, value]) => value !== undefined && value !== '');
  request.removeStage().setStage(Object.fromEntries(given));
  await context.emit(event, request, response);
  const results = (response.getResults() ?? {}) as Row;
  response.removeResults();
  return results;
}
