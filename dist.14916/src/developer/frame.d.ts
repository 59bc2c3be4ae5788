import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Context, RouteContribution } from '../plan/feature.ts';
/** A request with its response: a page's step reads the one and fills the other. */
export interface Pair {
    readonly request: Request;
    readonly response: Response;
}
export type Step = (context: Context, pair: Pair) => Promise<void>;
export declare function toRoute(method: 'GET' | 'POST', path: string, description: string, step: Step): RouteContribution;
/** The current path with its query: the target of a form, and of the redirect after login. */
export declare function toHere(request: Request): string;
/** URL of the login, which redirects back to a path of this site. */
export declare const toLogin: (path: string) => string;
/**
 * The `auth_id` of the logged-in account. Redirects a visitor to the login and back; after a form, to the list of
 * apps.
 */
export declare function requireMe({ request, response }: Pair): number | undefined;
export interface FramedPage {
    readonly title: string;
    /** HTML of the page's body. */
    readonly body: string;
    /** Scripts of the page, without extension. Default `developer`. */
    readonly scripts?: readonly string[];
    /** The page of `dev` that it is, which `dev` has also where the API, and with it the developer section, is closed. */
    readonly current?: 'inbox' | 'mail';
}
/** Shows a page in the developer section's frame. It is `no-store`, because it may show a secret or people's data. */
export declare function showInFrame({ services, plan }: Context, { request, response }: Pair, page: FramedPage): void;
export type FlashType = 'success' | 'warning' | 'error';
/** Shows a message on the next page. */
export declare function flash({ request }: Pair, message: string, type?: FlashType): void;
