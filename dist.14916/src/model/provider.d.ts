/** Endpoints of a provider without OpenID Connect. */
export interface ProviderEndpoints {
    readonly authorize: string;
    readonly token: string;
    readonly user: string;
    readonly emails: string | undefined;
}
/** A provider by which people sign in, from `auth.providers` and what is known by its name. */
export interface ProviderModel {
    readonly name: string;
    readonly label: string;
    readonly clientId: string;
    readonly scope: string;
    /** OpenID Connect; undefined if it has `endpoints`. */
    readonly issuer: string | undefined;
    readonly endpoints: ProviderEndpoints | undefined;
    readonly keys: {
        readonly id?: string;
        readonly name?: string;
        readonly email?: string;
        readonly verified?: string;
    };
    readonly clientAuth: 'basic' | 'post' | undefined;
    /** Whether its e-mails count as verified although it does not say so. */
    readonly isEmailTrusted: boolean;
    readonly allowPrivate: readonly string[];
}
/** Name of the variable with the client secret. */
export declare const toSecretName: (provider: string) => string;
/** The sign-in providers of the settings, by name. */
export declare const listProviders: (key: {
    $schema?: string | undefined;
    name: string;
    home: string;
    api: boolean;
    database: {
        url: string;
    };
    server: {
        baseUrl: string | null;
        trustProxy: boolean;
        bodyBytes: number;
        uploadBytes: number;
        cors: string[];
        metrics: "loopback" | "off" | "token";
        drainSeconds: number;
    };
    session: {
        idleSeconds: number;
    };
    auth: {
        verify: boolean;
        signup: boolean;
        providers: Record<string, {
            label?: string | undefined;
            issuer?: string | undefined;
            clientId: string;
            scope?: string | undefined;
            authorizeUrl?: string | undefined;
            tokenUrl?: string | undefined;
            userUrl?: string | undefined;
            emailsUrl?: string | undefined;
            keys?: {
                id?: string | undefined;
                name?: string | undefined;
                email?: string | undefined;
                verified?: string | undefined;
            } | undefined;
            clientAuth?: "basic" | "post" | undefined;
            trustEmail?: boolean | undefined;
            allowPrivate?: string[] | undefined;
        }>;
    };
    oauth: {
        mode: "classic" | "standard" | "strict";
        codeSeconds: number;
        accessSeconds: number;
        classicAccessSeconds: number;
    };
    webhook: {
        allowPrivate: string[];
        timeoutSeconds: number;
    };
    limits: {
        perMinute: number;
        pageRows: number;
        maxPageRows: number;
        expandRows: number;
        readSeconds: number;
        connections: number;
    };
    admin: {
        write: boolean;
    };
}) => ReadonlyMap<string, ProviderModel>;
