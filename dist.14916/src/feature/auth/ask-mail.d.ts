import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
import { type Purpose } from './mail-token.ts';
/**
 * Requests a mail to the address in the stage. The answer, and the work before it, is the same whether or not
 * the address has an account: a later event checks that.
 */
export declare function askForMail(context: Context, { request, response }: {
    readonly request: Request;
    readonly response: Response;
}, { event, purpose }: {
    readonly event: string;
    readonly purpose: Purpose;
}): Promise<void>;
