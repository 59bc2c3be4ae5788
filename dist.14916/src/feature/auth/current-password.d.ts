import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Context } from '../../plan/feature.ts';
import { type AuthRow } from './sql.ts';
/**
 * Checks `auth_current` in the stage, before a change that a stolen session must not make. Refuses if it is wrong. An account
 * without a password needs a sign-in by its provider within the last ten minutes instead.
 */
export declare function isCurrentPassword(context: Context, auth: AuthRow, { request, response }: {
    readonly request: Request;
    readonly response: Response;
}): Promise<boolean>;
