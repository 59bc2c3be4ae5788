import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
import { refuse } from './errors.ts';
import { findApp } from './sql.ts';

/**
 * The app that a stage names by `app_id` or `client_id`, whoever's it is, if it was registered in the browser; else
 * undefined, and the answer says why.
 *
 * @param takesLeft Also one whose definition file is gone. Default false.
 */
export async function findAnyApp(
  { services, plan }: Context,
  request: Request,
  response: Response,
  takesLeft = false,
): Promise<ClientApp | undefined> {
  const clientId = request.getStage('client_id');
  const appId = Number(request.getStage('app_id'));
  const app =
    typeof clientId === 'string' && clientId !== ''
      ? await findApp(services.database, 'client_id', clientId)
      : Number.isSafeInteger(appId)
        ? await findApp(services.database, 'app_id', appId)
        : undefined;
  if (app && app.name === undefined) return app;
  const isDefined = [...plan.model.apps.values()].some(({ definition }) => definition.clientId === app?.clientId);
  if (app && takesLeft && !isDefined) return app;
  refuse(
    response,
    app
      ? { status: 409, message: `This app is defined in config/app/${app.name}.json; change that file.` }
      : { status: 404, message: 'There is no such app.' },
  );
  return undefined;
}
