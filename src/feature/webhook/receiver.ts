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
}

export function toReceiver(hook: string, url: string, clientId: string | undefined): Receiver {
  return { key: digest(JSON.stringify([hook, url, clientId ?? null])).slice(0, 32), url, clientId };
}

interface AppRow {
  readonly client_id: string;
  readonly url: string;
  readonly owner_profile_id: number | null;
}

async function findApps(context: Context, hook: string, profileId: number | undefined): Promise<readonly AppRow[]> {
  const request = new Request().setStage({ hook, profile_id: profileId });
  const response = new Response();
  await context.emit('webhook-receiver-search', request, response);
  if (response.isError()) throw new Error(`The receivers of ${hook} could not be read: ${response.getMessage()}`);
  return (response.getResults('rows') as AppRow[] | undefined) ?? [];
}

/**
 * Everyone whom an event of a hook is sent to: the hook's own URL, and each app that lists the hook. A hook for the
 * audience `user` reaches the apps whose owner the event is about.
 *
 * @param profileId The event's `results.profile_id`.
 */
export async function findReceivers(
  context: Context,
  hook: HookModel,
  profileId: number | undefined,
): Promise<readonly Receiver[]> {
  const { url, audience } = hook.definition;
  const apps = await findApps(context, hook.name, profileId);
  const isForUser = audience === 'user';
  return [
    ...(url === undefined || url === '' ? [] : [toReceiver(hook.name, url, undefined)]),
    ...apps
      .filter((app) => !isForUser || (profileId !== undefined && Number(app.owner_profile_id) === profileId))
      .map((app) => toReceiver(hook.name, app.url, app.client_id)),
  ];
}

/** Whether a URL still receives a hook: an app may have been suspended, or a URL changed, between two attempts. */
export async function isStillReceiver(
  context: Context,
  hook: HookModel,
  to: { readonly url: string; readonly client_id: string | null },
): Promise<boolean> {
  if (to.client_id === null) return hook.definition.url === to.url;
  const apps = await findApps(context, hook.name, undefined);
  return apps.some((app) => app.client_id === to.client_id && app.url === to.url);
}
