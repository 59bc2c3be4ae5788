import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Context } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import type { ClientApp } from './app-row.ts';

/** The stage key by which code, never a request, reaches the apps of every owner: for operators. */
const ANY = 'any';
export const ANY_STAGE = { [ANY]: '`true`, set by code: an app of any owner. For operators.' } as const;

/** True if server code, not a client, asked for all owners' apps. */
export const isForAny = (request: Request): boolean => request.getStage(ANY) === true && !request.isBrought(ANY);

/**
 * The app that a stage selects by `app_id`, if `owner` owns it; else undefined, and the response says so.
 * Another owner's app looks as if it did not exist.
 */
export async function findShownApp(
  { services }: Context,
  request: Request,
  response: Response,
): Promise<ClientApp | undefined> {
  const appId = Number(request.getStage('app_id'));
  const owner = Number(request.getStage('owner'));
  const app = Number.isSafeInteger(appId) ? await findApp(services.database, 'app_id', appId) : undefined;
  if (app && isForAny(request)) return app;
  if (app && app.ownerAuthId !== undefined && app.ownerAuthId === owner) return app;
  response.refuse({ status: 404, message: 'There is no such app of yours.' });
  return undefined;
}

/**
 * Like {@link findShownApp}, but only apps that may be changed here: an app of a definition file is changed
 * in its file.
 */
export async function findOwnedApp(
  context: Context,
  request: Request,
  response: Response,
): Promise<ClientApp | undefined> {
  const app = await findShownApp(context, request, response);
  if (!app || app.name === undefined) return app;
  const message = `This app is defined in config/app/${app.name}.json; change that file.`;
  response.refuse({ status: 409, message });
  return undefined;
}
