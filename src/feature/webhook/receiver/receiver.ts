import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { digest } from '../../../core/secret/secret.ts';
import type { HookModel } from '../../../model/model.ts';
import type { Context } from '../../../plan/feature.ts';
import { toIdentity } from './identity.ts';

/** Target of a hook's events. */
export interface Receiver {
  readonly key: string;
  readonly url: string;
  readonly clientId: string | undefined;
  /** The app's `secretVersion`; undefined if unknown, and for the hook's own URL. */
  readonly secretVersion?: number | undefined;
}

/** @param identity Stable name of the hook: see `toIdentity`. */
export function toReceiver(identity: string, url: string, clientId: string | undefined): Receiver {
  return { key: digest(JSON.stringify([identity, url, clientId ?? null])).slice(0, 32), url, clientId };
}

interface AppRow {
  readonly client_id: string;
  readonly url: string;
  readonly secret_version?: number;
}

/**
 * Apps, or one app, that list a hook. For the audience `user` only apps that may receive data of that
 * profile.
 */
async function findApps(
  context: Context,
  hook: HookModel,
  { profileId, clientId: only }: { readonly profileId: number | undefined; readonly clientId?: string },
): Promise<readonly Receiver[]> {
  const { name, definition } = hook;
  const isForUser = definition.audience === 'user';
  // An event without an owner goes to no app of a user.
  if (isForUser && profileId === undefined) return [];
  const request = new Request().setStage({
    hook: name,
    ...(isForUser ? { profile_id: profileId } : {}),
    ...(only === undefined ? {} : { client_id: only }),
  });
  const response = new Response();
  await context.emit('webhook-subscriber-search', request, response);
  if (response.isError()) throw new Error(`The receivers of ${name} could not be read: ${response.getMessage()}`);
  const rows = (response.getResults('rows') as AppRow[] | undefined) ?? [];
  const wanted = rows.filter((row) => only === undefined || row.client_id === only);
  const identity = toIdentity(hook, context.plan.hooks);
  return wanted.map(({ url, client_id: clientId, secret_version: version }) => ({
    ...toReceiver(identity, url, clientId),
    ...(version === undefined ? {} : { secretVersion: Number(version) }),
  }));
}

/** The hook's own URL as a receiver, if it has one. */
function findOwnReceiver({ plan }: Context, hook: HookModel): Receiver | undefined {
  const { url } = hook.definition;
  return url === undefined || url === '' ? undefined : toReceiver(toIdentity(hook, plan.hooks), url, undefined);
}

/**
 * All receivers of a hook's event: the hook's own URL and each app that lists the hook. A hook for the
 * audience `user` goes to apps that the user granted such data, and to apps that the user owns.
 * @param profileId Owner of the data.
 */
export async function findReceivers(
  context: Context,
  hook: HookModel,
  profileId: number | undefined,
): Promise<readonly Receiver[]> {
  const own = findOwnReceiver(context, hook);
  return [...(own ? [own] : []), ...(await findApps(context, hook, { profileId }))];
}

/**
 * The current receiver of a delivery, perhaps with a new address. Undefined if it no longer receives the
 * hook: an app may be suspended, a hook unsubscribed, an approval or a consent revoked since the event.
 */
export async function findReceiver(
  context: Context,
  hook: HookModel,
  to: { readonly client_id: string | null; readonly profile_id: number | null },
): Promise<Receiver | undefined> {
  if (to.client_id === null) return findOwnReceiver(context, hook);
  const profileId = to.profile_id === null ? undefined : Number(to.profile_id);
  const [app] = await findApps(context, hook, { profileId, clientId: to.client_id });
  return app;
}
