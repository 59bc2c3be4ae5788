import { type Clock, type Random } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { Request } from '../core/request.ts';
import { type RootSecret } from '../core/secret.ts';
import type { Database, SystemTable } from '../database/database.ts';
import type { Sessions } from '../plan/feature.ts';
/** Sessions: one row each, found by the SHA-256 of the cookie's value, so that a copy of the table gives no access. */
export declare const sessionTable: SystemTable;
/** Even an active session ends after 90 days. */
export declare const ABSOLUTE_SECONDS: number;
type Data = Record<string, unknown>;
interface Stored {
    readonly key: string;
    readonly json: string;
    readonly createdAt: number;
    readonly seenAt: number;
}
/** A request's view of a session. */
export interface OpenSession {
    readonly data: Data;
    readonly stored: Stored | undefined;
    readonly isSecure: boolean;
}
export interface SessionOptions {
    readonly database: Database;
    readonly clock: Clock;
    readonly random: Random;
    readonly secret: RootSecret;
    readonly log: Log;
    /** Seconds without a visit after which a session ends; read at each use, because the settings may be reloaded. */
    readonly idleSeconds: () => number;
}
/** The sessions, with the steps that the runtime runs before and after a request. */
export interface RuntimeSessions extends Sessions {
    /** Finds the session of a cookie header with one query; undefined without a cookie, or if the session has ended. */
    open(cookies: string | undefined, isSecure: boolean): Promise<OpenSession | undefined>;
    /** Binds a request to its session, or to none. */
    attach(request: Request, session: OpenSession | undefined, isSecure: boolean): void;
    /** Stores changes before the answer is sent; returns the `Set-Cookie` value if one is needed. */
    close(request: Request): Promise<string | undefined>;
    /** True if a form's `csrf` field matches the session, or if there is nothing to compare: no field, or no session. */
    isFormToken(request: Request, token: unknown): boolean;
    /** Whether the request carries a session, or has written to one. */
    isPrivate(request: Request): boolean;
    /** Resolves when the deferred work (recorded visits, removal of ended sessions) is done. */
    settled(): Promise<void>;
}
/** Server-side sessions in `treadle_session`. A visitor without session data has no row. */
export declare function createSessions(options: SessionOptions): RuntimeSessions;
export {};
