import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
/** The page of the second step, and of the second factors of a logged-in user. */
export declare const SECOND_FACTOR = "/auth/second-factor";
export interface Pair {
    readonly request: Request;
    readonly response: Response;
}
/** Renders a page of this feature in the site's layout. Never cached, because it shows who is logged in. */
export declare function showPage(context: Context, { request, response }: Pair, page: {
    readonly name: string;
    readonly title: string;
    readonly data?: Row;
}): Promise<void>;
/** Fills the stage from the posted form only: a query such as `?auth_type=admin` never reaches an event. */
export declare function fillStage(request: Request, fields: readonly string[], more?: Row): void;
export interface Login {
    /** Path to lead to. */
    readonly target: string;
    /** True after the second step, or a login that needs none. Default false. */
    readonly isComplete?: boolean;
}
/**
 * Logs an account in under a new session id, and redirects. If the account has a second factor, and the browser is not
 * trusted, the session stays half-open: it is no login yet, and leads to the second step.
 */
export declare function logIn(context: Context, { request, response }: Pair, account: Row, { target, isComplete }: Login): Promise<void>;
/** Gives a logged-in session a new id and the account as it is now, and marks the browser as known. */
export declare function stayLoggedIn({ services }: Context, { request, response }: Pair, account: Row): Promise<void>;
/** The logged-in account's id; undefined for a visitor. */
export declare function findMe(request: Request): number | undefined;
