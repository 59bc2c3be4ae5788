import { findHookApps, type HookApp } from '../hook-app.ts';
import type { Outbox } from './outbox.ts';

/** The receiver of a delivery, as in the log. */
export interface LoggedReceiver {
  readonly hook: string;
  readonly url: string;
  /** Null for the hook's own address. */
  readonly client_id: string | null;
}

/** Why nothing is sent to a receiver, as a sentence; undefined if it may receive. */
export type FindSkipReason = (to: LoggedReceiver) => string | undefined;

function toReason({ title, hooks, pending, webhook, active }: HookApp, hook: string): string | undefined {
  if (pending?.includes(hook) === true) return `The app ${title} waits for approval of ${hook}.`;
  if (webhook === null || !hooks.includes(hook)) return `The app ${title} receives ${hook} no longer.`;
  return active ? undefined : `The app ${title} is suspended.`;
}

/**
 * Finds the apps that may receive nothing now, so that a replay skips them. Others are checked when sent
 * to: a removed app, and for `"audience": "user"` an app without consent.
 * @param stage Limits the apps: `owner`, `app_id`, `client_id`.
 */
export async function compileSkipReasons(
  { context, findHook }: Outbox,
  stage: Parameters<typeof findHookApps>[1] = {},
): Promise<FindSkipReason> {
  const apps = new Map((await findHookApps(context, stage)).map((app) => [app.client_id, app] as const));
  return ({ hook, client_id: clientId }) => {
    const app = clientId === null ? undefined : apps.get(clientId);
    const name = findHook(hook)?.name;
    return app === undefined || name === undefined ? undefined : toReason(app, name);
  };
}
