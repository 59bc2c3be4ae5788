import type { Row } from '../../../database/database.ts';
/** A stored app, from a file or registered in the browser. */
export interface ClientApp {
    readonly appId: number;
    readonly clientId: string;
    /** Name of its definition file; undefined if registered in the browser. */
    readonly name: string | undefined;
    readonly title: string;
    /** Undefined for a public client, which cannot keep a secret. */
    readonly secretHash: string | undefined;
    /** The previous secret, valid until `oldSecretUntil` (unix seconds). */
    readonly oldSecretHash: string | undefined;
    readonly oldSecretUntil: number;
    /** The secret for trying the flow, valid until `trialUntil` (unix seconds). */
    readonly trialHash: string | undefined;
    readonly trialUntil: number;
    readonly ownerAuthId: number | undefined;
    readonly website: string | undefined;
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
    readonly webhook: string | undefined;
    readonly hooks: readonly string[];
    /** Version of the secrets that sign its web hooks, from 1. */
    readonly secretVersion: number;
    readonly isRemembering: boolean;
    /** Whether it may omit PKCE at the standard endpoint. */
    readonly isPkceOptional: boolean;
    /** Whether unknown scopes are ignored instead of refused. */
    readonly isIgnoringScopes: boolean;
    /** Slugs of scopes that need approval and have it. */
    readonly approved: readonly string[];
    /** Names of the web hooks that need approval and have it. */
    readonly approvedHooks: readonly string[];
    readonly isActive: boolean;
    /** Whether its owner stopped it; a suspended app is neither active nor stopped. */
    readonly isStopped: boolean;
    readonly createdAt: number;
}
/** A stored list of texts: JSON text, or what a driver that knows JSON made of it. */
export declare function parseList(value: unknown): string[];
export declare const toOptional: (value: unknown) => string | undefined;
export declare function parseApp(row: Row): ClientApp;
