import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { toFile } from '../../../model/shape.ts';
import type { Context } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import type { ClientApp } from './app-row.ts';

/**
 * The app that a stage selects by `app_id` or `client_id`, whoever owns it, if it was registered in the
 * browser; else undefined, and the response says why.
 * @param options.takesLeft Also an app with a removed definition file. Default false.
 * @param options.remedy What to do for an app that a file defines. Default: change that file.
 */
export async function findAnyApp(
  { services, plan }: Context,
  request: Request,
  response: Response,
  { takesLeft = false, remedy = 'change that file.' }: { readonly takesLeft?: boolean; readonly remedy?: string } = {},
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
  const defined = [...plan.model.apps].find(
    // Given the name of a definition file: the caller means this app.
    ([name, { definition }]) => definition.clientId === (app?.clientId ?? clientId) || (!app && name === clientId),
  );
  if (app && takesLeft && !defined) return app;
  const name = defined?.[0] ?? app?.name;
  response.refuse(
    name === undefined
      ? { status: 404, message: 'There is no such app.' }
      : { status: 409, message: `This app is defined in ${toFile('app', name)}; ${remedy}` },
  );
  return undefined;
}
