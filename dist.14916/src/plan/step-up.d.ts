import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import type { Services } from './feature.ts';
/** The page that asks for the password or a second factor again, and leads back. */
export declare const CONFIRM = "/auth/confirm";
/** A form that waits for a proof. */
export interface Work {
    /** Path of the route that it was posted to. */
    readonly path: string;
    readonly post: Readonly<Record<string, unknown>>;
}
/** Notes in the session that the user has just proven who they are: by a password, a second factor or a provider. */
export declare function markProven({ clock }: Pick<Services, 'clock'>, request: Request, authId: number): void;
/** Whether the logged-in user proved who they are in this session a few minutes ago. */
export declare function isProven({ clock }: Pick<Services, 'clock'>, request: Request): boolean;
/** Takes the form that waits in the session; undefined if there is none, or it waited too long. */
export declare function takeWork({ clock, secret }: Pick<Services, 'clock' | 'secret'>, request: Request): Work | undefined;
/** Whether a form waits in the session. */
export declare const hasWork: (request: Request) => boolean;
/**
 * Asks a logged-in user for the password or a second factor again, before a secret is shown or changed, unless they gave it
 * in the last ten minutes. A form waits in the session, and is sent once the user has given it.
 *
 * @param home Page to lead back to if the form cannot be kept. Default: its own path.
 * @returns false if the request must stop; the response then leads to the page that asks.
 */
export declare function requireProof({ services }: {
    readonly services: Pick<Services, 'clock' | 'secret'>;
}, { request, response }: {
    readonly request: Request;
    readonly response: Response;
}, home?: string): boolean;
