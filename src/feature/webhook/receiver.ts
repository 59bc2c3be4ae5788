import { Request } from '../../core/request.ts';
import { Response } from '../../core/response.ts';
import { digest } from '../../core/secret.ts';
import type { HookModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { toIdentity } from './identity.ts';

/** Where an event of a hook is sent. */
export interface Receiver {
  readonly key: string;
  readonly url: string;
  readonly clientId: string | undefined;
  /** The app's `secretVersion`; undefined where it is not known, and for the hook's own URL. */
  readonly secretVersion?: number | undefined;
}

/** @param identity The name that the hook's receivers are known by: see `toIdentity`. */
export function toReceiver(identity: string, url: string, clientId: string | undefined): Receiver {
  return { key: digest(JSON.stringify([identity, url, clientId ?? null])).slice(0, 32), url, clientId };
}

interface AppRow {
  readonly client_id: string;
  readonly url: string;
  readonly secret_version?: number;
}

/** The apps, or the one, that list a hook; of one for the audience `user`, those that may hear of that profile's data. */
async function findApps(
  context: Context,
  hook: HookModel,
  { profileId, clientId: only }: { readonly profileId: number | undefined; readonly clientId?: string },
): Promise<readonly Receiver[]> {
  const { name, definition } = hook;
  const isForUser = definition.audience === 'user';
  // What is about nobody is no user's.
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

/** The project's own receiver of a hook, where it has one. */
function toOwn({ plan }: Context, hook: HookModel): Receiver | undefined {
  const { url } = hook.definition;
  return url === undefined || url === '' ? undefined : toReceiver(toIdentity(hook, plan.hooks), url, undefined);
}

/**
 * Everyone whom an event of a hook is sent to: the hook's own URL, and each app that lists the hook. A hook for the
 * audience `user` reaches the apps that the user concerned granted such data, and the apps that he or she owns.
 *
 * @param profileId Whose data it is.
 */
export async function findReceivers(
  context: Context,
  hook: HookModel,
  profileId: number | undefined,
): Promise<readonly Receiver[]> {
  const own = toOwn(context, hook);
  return [...(own ? [own] : []), ...(await findApps(context, hook, { profileId }))];
}

/**
 * The receiver of a delivery as it is now, perhaps with another address; undefined where there is none any more: an app
 * may have been suspended, a hook taken out of its list, or a consent revoked, between two attempts.
 */
export async function findStill(
  context: Context,
  hook: HookModel,
  to: { readonly client_id: string | null; readonly profile_id: number | null },
): Promise<Receiver | undefined> {
  if (to.client_id === null) return toOwn(context, hook);
  const profileId = to.profile_id === null ? undefined : Number(to.profile_id);
  const [app] = await findApps(context, hook, { profileId, clientId: to.client_id });
  return app;
}
