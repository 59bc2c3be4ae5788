import type { Request } from '../../../../core/request.ts';
import type { Response } from '../../../../core/response.ts';
import type { Services } from '../../../../plan/feature.ts';
/** What an answer is for: `login` without a password, `step` after one or before a secret, `create` a new passkey. */
export type Purpose = 'login' | 'step' | 'create';
/** Seconds that a challenge may be answered. */
export declare const CHALLENGE_SECONDS = 300;
export interface Challenge {
    /** Sent to the browser: base64url, 256 bits. */
    readonly challenge: string;
    /** Comes back with the answer. */
    readonly state: string;
    /** Unix seconds. */
    readonly until: number;
}
interface Bound {
    readonly purpose: Purpose;
    readonly authId: number;
}
/** A new challenge for this browser, which gets a cookie that lives as long as it is open. */
export declare function issueChallenge(services: Services, { request, response }: {
    readonly request: Request;
    readonly response: Response;
}, bound: Bound): Challenge;
/** The challenge that an answer must be for; undefined if it is too old, or was issued to another browser. */
export declare function findChallenge(services: Services, request: Request, bound: Bound): Challenge | undefined;
export {};
