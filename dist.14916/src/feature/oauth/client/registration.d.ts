import type { Request } from '../../../core/request.ts';
import type { Row } from '../../../database/database.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
/** Data of an app from a form or a program. */
export interface Registration {
    readonly title: string;
    readonly website: string;
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
    readonly webhook: string;
    readonly hooks: readonly string[];
    /** Whether it is a public client: an app in a browser or on a phone. */
    readonly isPublic: boolean;
    /** Whether it may omit PKCE; only for a confidential client. */
    readonly isPkceOptional: boolean;
}
/** Seconds that the previous secret remains valid. */
export declare const OVERLAP_SECONDS = 86400;
export declare function parseRegistration(request: Request): Registration;
/** Messages by field. */
export declare function findRegistrationFaults(context: Context, wish: Registration): Record<string, string>;
/** Warns of a web hook address that the guard would refuse now; it is saved anyway. */
export declare function findWarning(context: Context, webhook: string): string | undefined;
export declare const toColumns: (wish: Registration) => Row;
/** The signing secrets of an app's web hooks: derived, so that no table stores them. */
export declare function deriveHookSecrets({ services, plan }: Context, app: Pick<ClientApp, 'clientId' | 'webhook' | 'hooks'> & Partial<Pick<ClientApp, 'secretVersion'>>): {
    hook: string;
    secret: string;
}[];
