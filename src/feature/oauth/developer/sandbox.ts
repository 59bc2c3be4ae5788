import { secondsToStamp } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
import { showSecret } from './form.ts';
import { showApps } from './list.ts';
import { nameApp, requireApp } from './page.ts';

/** The sandbox of an app, for its page; undefined where the site gives none. */
export function describeSandbox({ plan, services }: Context, { sandbox }: ClientApp): Row | undefined {
  const { sandboxes } = services;
  if (sandboxes === undefined || (plan.model.settings.sandboxes === 0 && sandbox === undefined)) return undefined;
  if (sandbox === undefined) return {};
  return {
    address: sandboxes.address(sandbox.name),
    clientId: sandbox.clientId,
    created: secondsToStamp(sandbox.createdAt),
    // Without a client id its making was cut off.
    isGone: sandbox.clientId === '' || !sandboxes.exists(sandbox.name),
  };
}

/** Makes the sandbox and shows its secrets, once. */
export async function postSandbox(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  nameApp(exchange, found.owner);
  await context.emit('app-sandbox-create', exchange.request, exchange.response);
  if (!exchange.response.isError()) return showSecret(context, exchange, 'Your sandbox is ready');
  tellAndReturn(exchange, found.app);
}

export async function postSandboxRemove(context: Context, exchange: Exchange): Promise<void> {
  const found = await requireApp(context, exchange, showApps);
  if (!found) return;
  nameApp(exchange, found.owner);
  await context.emit('app-sandbox-remove', exchange.request, exchange.response);
  if (exchange.response.isError()) return tellAndReturn(exchange, found.app);
  flash(exchange, 'The sandbox and all that was in it is gone.');
  exchange.response.removeResults().setRedirect(`/developer/app/detail/${found.app.appId}`);
}

/** Leads back to the app, with the reason of a refusal. */
function tellAndReturn(exchange: Exchange, { appId }: ClientApp): void {
  flash(exchange, exchange.response.getMessage() ?? '', 'error');
  exchange.response.setError(false).setRedirect(`/developer/app/detail/${appId}`);
}
