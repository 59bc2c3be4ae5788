import type { Request } from '../../../core/request/request.ts';
import { toFile } from '../../../model/shape.ts';
import { type Rejection, reject } from '../../../plan/event/event.ts';
import { nullableLookupId } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import type { ClientApp } from './app-row.ts';
import { findOwnedApp } from './owned-app.ts';
import { parameter } from './proof.ts';

/** Stage keys that name an app of anybody. */
export const anyAppStage = () => ({
  app_id: nullableLookupId('The app, or use `client_id`.'),
  client_id: parameter('Its client id.'),
});

interface AnyAppChoice {
  readonly app_id?: number | undefined;
  /** Empty: by `app_id`. */
  readonly client_id: string;
}

interface AnyAppOptions {
  /** Also an app with a removed definition file. Default false. */
  readonly takesLeft?: boolean;
  /** What to do for an app that a file defines. Default: change that file. */
  readonly remedy?: string;
}

/** The app that a stage selects by `app_id` or `client_id`, whoever owns it, if it was registered in the browser. */
export async function findAnyApp(
  { services: { database }, plan }: Context,
  { app_id: appId, client_id: clientId }: AnyAppChoice,
  { takesLeft = false, remedy = 'change that file.' }: AnyAppOptions = {},
): Promise<ClientApp | Rejection> {
  const app =
    clientId === '' ? await findApp(database, 'app_id', appId ?? 0) : await findApp(database, 'client_id', clientId);
  if (app && app.name === undefined) return app;
  const defined = [...plan.model.apps].find(
    // Given the name of a definition file: the caller means this app.
    ([name, { definition }]) => definition.clientId === (app?.clientId ?? clientId) || (!app && name === clientId),
  );
  if (app && takesLeft && !defined) return app;
  const name = defined?.[0] ?? app?.name;
  return reject(
    name === undefined
      ? { status: 404, code: 'APP_MISSING', message: 'There is no such app.' }
      : { status: 409, code: 'APP_IN_FILE', message: `This app is defined in ${toFile('app', name)}; ${remedy}` },
  );
}

/** An app of the account `owner`; without an owner, an app of anybody. */
export const findOwnOrAnyApp = (
  context: Context,
  request: Request,
  { owner, ...choice }: AnyAppChoice & { readonly owner: number | undefined },
  options: AnyAppOptions = {},
): Promise<ClientApp | Rejection> =>
  owner === undefined ? findAnyApp(context, choice, options) : findOwnedApp(context, request, { ...choice, owner });
