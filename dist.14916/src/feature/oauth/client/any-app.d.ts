import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
/**
 * The app that a stage selects by `app_id` or `client_id`, whoever owns it, if it was registered in the
 * browser; else undefined, and the response says why.
 * @param options.takesLeft Also an app with a removed definition file. Default false.
 * @param options.remedy What to do for an app that a file defines. Default: change that file.
 */
export declare function findAnyApp({ services, plan }: Context, request: Request, response: Response, { takesLeft, remedy }?: {
    readonly takesLeft?: boolean;
    readonly remedy?: string;
}): Promise<ClientApp | undefined>;
