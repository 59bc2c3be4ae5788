import type { App } from '../model/shape.ts';
import type { Invocation } from './spec.ts';
export interface Client {
    readonly clientId: string;
    /** Shown once; the definition has its hash. Null for a public app. */
    readonly clientSecret: string | null;
    readonly keys: Pick<App, 'clientId' | 'secretHash'>;
}
/** A client id and, unless the app is public, a secret. */
export declare function createClient(isPublic: boolean, clientId?: string): Client;
/** Prints a new client, once; nothing for a dry run, which stores none. */
export declare function tellClient({ isDryRun }: Invocation, client: Client | undefined): {
    readonly data: object;
    readonly lines: readonly string[];
};
