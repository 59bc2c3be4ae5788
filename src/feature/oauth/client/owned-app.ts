import type { Request } from '../../../core/request/request.ts';
import { Rejection, reject } from '../../../plan/event/event.ts';
import { lookupId, nullableLookupId, onlyTrue } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import type { ClientApp } from './app-row.ts';

/** The stage key by which code, never a request, reaches the apps of every owner: for operators. */
const ANY = 'any';
const ANY_STAGE = { [ANY]: '`true`, set by code: an app of any owner. For operators.' } as const;

/** Stage keys that name an app of an account. */
export const ownedAppStage = () => ({
  app_id: lookupId('The app.'),
  owner: nullableLookupId('The account that owns the app.'),
});

/** As {@link ownedAppStage}, or an app of any owner. */
export const anyOwnerStage = () => ({
  ...ownedAppStage(),
  [ANY]: onlyTrue(ANY_STAGE[ANY]),
});

/** True if server code, not a client, asked for all owners' apps. */
export const isForAny = (request: Request): boolean => request.getStage(ANY) === true && !request.isBrought(ANY);

/** Selects an app of an account. */
export interface OwnedAppChoice {
  readonly app_id?: number | undefined;
  readonly owner?: number | undefined;
}

/**
 * The app that a stage selects by `app_id`, if `owner` owns it. Another owner's app looks as if it did not exist.
 * @param request Tells whether it is for an app of any owner: {@link isForAny}.
 */
export async function findShownApp(
  { services }: Context,
  request: Request,
  { app_id: appId = 0, owner }: OwnedAppChoice,
): Promise<ClientApp | Rejection> {
  const app = Number.isSafeInteger(appId) ? await findApp(services.database, 'app_id', appId) : undefined;
  if (app && (isForAny(request) || (app.ownerAuthId !== undefined && app.ownerAuthId === owner))) return app;
  return reject({ status: 404, code: 'APP_MISSING', message: 'There is no such app of yours.' });
}

/**
 * Like {@link findShownApp}, but only apps that may be changed here: an app of a definition file is changed
 * in its file.
 */
export async function findOwnedApp(
  context: Context,
  request: Request,
  choice: OwnedAppChoice,
): Promise<ClientApp | Rejection> {
  const app = await findShownApp(context, request, choice);
  if (app instanceof Rejection || app.name === undefined) return app;
  return reject({
    status: 409,
    code: 'APP_IN_FILE',
    message: `This app is defined in config/app/${app.name}.json; change that file.`,
  });
}
