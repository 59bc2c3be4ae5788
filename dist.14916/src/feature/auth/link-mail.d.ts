import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
import { type Purpose } from './mail-token.ts';
import { type AuthRow } from './sql.ts';
interface LinkMail {
    readonly purpose: Purpose;
    /** Page that the link opens. */
    readonly path: string;
    readonly template: string;
    /** True if an account gets this mail. Default: every active account. */
    readonly isFor?: (auth: AuthRow) => boolean;
}
/**
 * Mails a link to the account that the stage selects. If there is no account, or it does not get this mail,
 * nothing is sent and the answer is the same.
 */
export declare function listenForLink(context: Context, { purpose, path, template, isFor }: LinkMail): (request: Request, response: Response) => Promise<void>;
export {};
