import type { Request } from '../../../core/request.ts';
import type { Context } from '../../../plan/feature.ts';
import { type TokenFault } from '../errors.ts';
import type { ClientApp } from './app-row.ts';
/** Credentials of an app. */
export interface Proof {
    readonly clientId: string;
    readonly secret: string;
    /** Client address, for counting wrong secrets. */
    readonly address: string;
}
/** `isTrial` if the app used the secret for trying the flow, which does not act as the app. */
export type Proved = {
    readonly app: ClientApp;
    readonly isTrial: boolean;
} | {
    readonly fault: TokenFault;
};
/** A text of the stage; empty where it is missing or no text. */
export declare function readText(request: Request, name: string): string;
export declare const readProof: (request: Request) => Proof;
/**
 * Compares a secret with an app's current and, for a day, previous one. Always compares both, and does the
 * same work for an unknown app.
 */
export declare function isSecretOf(secret: string, hashes: {
    readonly now: string | undefined;
    readonly old: string | undefined;
    readonly oldUntil: number;
}, seconds: number): boolean;
/** Authenticates an app. A public client has no credentials and must not send a secret. */
export declare function proveClient({ services }: Context, { clientId, secret, address }: Proof): Promise<Proved>;
