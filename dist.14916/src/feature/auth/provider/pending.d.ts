import type { Request } from '../../../core/request.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Identity } from './identity.ts';
/** A sign-in that a form must complete. Kept sealed in the session. */
export interface Pending {
    readonly identity: Identity;
    readonly target: string;
}
export declare function keepPending({ services }: Context, request: Request, pending: Pending): void;
/** The session's sign-in by this provider that waits for a form; undefined if it is too old. */
export declare function findPending({ services }: Context, request: Request, provider: string): Pending | undefined;
export declare const dropPending: (request: Request) => void;
