import type { Row } from '../../../database/database.ts';
export declare const ABSOLUTE_SECONDS: number;
/** New tokens in clear; returned only once. */
export interface Issued {
    readonly access: string;
    /** Goes with an access token of the classic door. */
    readonly secret?: string;
    readonly refresh?: string;
    /** Seconds that the access token lives. */
    readonly seconds: number;
    readonly scopes: readonly string[];
}
/** The columns that code, refresh token and access token share. */
export declare function toHolder(row: Row): Row;
/** Expiry of a new refresh token: the idle limit, but never after the end of its consent. */
export declare const toRefreshEnd: (now: number, grantedAt: number) => number;
