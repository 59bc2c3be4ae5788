import type { Outbound } from '../../outbound/outbound.ts';
import type { CallPlan } from '../../plan/feature.ts';
export declare const TRIAL_DOORS: readonly ['standard', 'classic'];
export type TrialDoor = (typeof TRIAL_DOORS)[number];
/** Input of a run of the flow. */
export interface Walk {
    readonly outbound: Outbound;
    /** URL of the running server, without a trailing slash. */
    readonly url: string;
    readonly door: TrialDoor;
    readonly clientId: string;
    /** Undefined for a public app. */
    readonly secret: string | undefined;
    readonly redirectUris: readonly string[];
    /** The session cookie of the user. */
    readonly cookie: string;
    readonly calls: readonly CallPlan[];
}
/** One request and its answer. */
export interface Step {
    readonly name: 'ask' | 'allow' | 'exchange' | 'call';
    readonly curl: string;
    readonly status: number;
    /** The answer's body, if it is JSON. */
    readonly body?: unknown;
    /** Target of the redirect. */
    readonly location?: string;
}
export interface Walked {
    readonly steps: readonly Step[];
    readonly code: string;
    readonly accessToken: string;
    readonly scopes: readonly string[];
}
/**
 * Runs the authorization flow as an app and its user, over HTTP.
 *
 * @throws CLI_TRIAL_FAILED if a step has an unexpected answer.
 */
export declare function walkFlow(walk: Walk): Promise<Walked>;
