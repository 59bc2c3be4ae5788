import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
export interface Change {
    readonly event: string;
    readonly changes: Row;
    /** Whether to end all sessions of the account at once, on all servers. */
    readonly isEndingSessions: boolean;
}
/** Changes columns of the account that the stage selects. */
export declare function changeAccount(context: Context, { request, response }: {
    request: Request;
    response: Response;
}, { event, changes, isEndingSessions }: Change): Promise<void>;
