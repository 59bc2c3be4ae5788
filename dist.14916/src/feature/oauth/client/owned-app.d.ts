import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
/**
 * The app that a stage selects by `app_id`, if `owner` owns it; else undefined, and the response says so.
 * Another owner's app looks as if it did not exist.
 */
export declare function findShownApp({ services }: Context, request: Request, response: Response): Promise<ClientApp | undefined>;
/**
 * Like {@link findShownApp}, but only apps that may be changed here: an app of a definition file is changed
 * in its file.
 */
export declare function findOwnedApp(context: Context, request: Request, response: Response): Promise<ClientApp | undefined>;
