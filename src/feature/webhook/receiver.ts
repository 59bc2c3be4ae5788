import { Request } from '../../core/request.ts';
import { Response } from '../../core/response.ts';
import { digest } from '../../core/secret.ts';
import type { HookModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';

/** Where an event of a hook is sent. */
export interface Receiver {
  readonly key: string;
  readonly url: string;
  readonly clientId: string | undefined;
  /** The app's `secretVersion`; undefined where it is not known, and for the hook's own URL. */
  readonly secretVersion?: number | undefined;
}

export function toReceiver(hook: string, url: string, clientId: string | undefined): Receiver {
  return { key: digest(JSON.stringify([hook, url, clientId ?? null])).slice(0, 32), url, clientId };
}

interface AppRow {
  readonly client_id: string;
  readonly url: string;
  readonly secret_version?: number;
}

/** The apps that list a hook; of one for the audience `user`, those that may hear of that profile's data. */
async function findApps(
  context: Context,
  { name, definition }: HookModel,
  profileId: number | undefined,
): Promise<readonly Receiver[]> {
  const isForUser = definition.audience === 'user';
  // What is about nobody is no user's.
  if (isForUser && profileId === undefined) return [];
  const request = new Request().setStage({ hook: name, ...(isForUser ? { profile_id: profileId } : {}) });
  const response = new Response();
  await context.emit('webhook-subscriber-search', request, response);
  if (response.isError()) throw new Error(`The receivers of ${name} could not be read: ${response.getMessage()}`);
  const rows = (response.getResults('rows') as AppRow[] | undefined) ?? [];
  return rows.map(({ url, client_id: clientId, secret_version: version }) => ({
    ...toReceiver(name, url, clientId),
    ...(version === undefined ? {} : { secretVersion: Number(version) }),
  }));
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
  const { url } = hook.definition;
  const own = url === undefined || url === '' ? [] : [toReceiver(hook.name, url, undefined)];
  return [...own, ...(await findApps(context, hook, profileId))];
}

/**
 * The receiver of a delivery as it is now; undefined where it is none any more: an app may have been suspended, a URL
 * changed, or a consent revoked, between two attempts.
 */
export async function findStill(
  context: Context,
  hook: HookModel,
  to: { readonly receiver: string; readonly client_id: string | null; readonly profile_id: number | null },
): Promise<Receiver | undefined> {
  const profileId = to.profile_id === null ? undefined : Number(to.profile_id);
  const known =
    to.client_id === null ? await findReceivers(context, hook, undefined) : await findApps(context, hook, profileId);
  return known.find(({ key }) => key === to.receiver);
}
