import type { Invocation } from './spec.ts';
/** An app that was registered in the browser, or that lost its definition file. */
export interface RegisteredApp {
    /** Name of its former file; null for an app from the browser. */
    readonly name: string | null;
    readonly title: string;
    readonly clientId: string;
    readonly state: 'active' | 'suspended';
    readonly isPublic: boolean;
    /** E-mail of the owner's account. */
    readonly owner: string | null;
    readonly website: string | null;
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
    /** Approved scopes, including scopes that are no longer defined. */
    readonly approved: readonly string[];
    /** Scopes that wait for `treadle app approve`. */
    readonly pending: readonly string[];
    readonly webhook: string | null;
    readonly hooks: readonly string[];
    /** Approved web hooks, including hooks that are no longer defined. */
    readonly approvedHooks: readonly string[];
    /** Web hooks that wait for approval. */
    readonly pendingHooks: readonly string[];
}
/** A list as a row of the database has it: as JSON, or read. */
export declare function readList(value: unknown): string[];
/** Finds an app by name or client id: an app without a file, or otherwise the name of a file, which may be missing. */
export declare function findApp(invocation: Invocation, name: string): Promise<string | RegisteredApp>;
/** Apps without a definition file; none if there is no database yet, or the API is not open. */
export declare function readRegistered(invocation: Invocation): Promise<RegisteredApp[]>;
