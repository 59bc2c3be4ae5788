import type { Request } from '../../../core/request.ts';
import type { Context } from '../../../plan/feature.ts';
/** State of the developer section between the start of a trial and the returned code. */
export interface Trial {
    readonly appId: number;
    readonly state: string;
    /** PKCE verifier. @see RFC 7636 section 4.1 */
    readonly verifier: string;
    /** The secret of the event `app-trial`; a public client has none. */
    readonly secret?: string;
    /** Unix seconds when the secret expires. */
    readonly until: number;
}
export declare function createTrial(context: Context, appId: number, given: {
    secret?: string;
    until: number;
}): Trial;
/** Seals a trial into the session, so that the session's row has no secret in clear. */
export declare function keepTrial({ services }: Context, request: Request, trial: Trial): void;
/** The trial of an app that this session started; undefined if there is none or it is for another app. */
export declare function findTrial({ services }: Context, request: Request, appId: number): Trial | undefined;
export declare function endTrial(request: Request): void;
export declare const isSameState: (trial: Trial, state: unknown) => boolean;
/** Redirect URI of trials: a page of the app in the developer section. */
export declare const toTrialUri: (baseUrl: string, appId: number) => string;
/** The authorization request of a trial, as an app would send it. */
export declare function toTrialRequest(trial: Trial, { clientId, redirectUri, scopes }: {
    clientId: string;
    redirectUri: string;
    scopes: readonly string[];
}): string;
