import type { OutgoingHttpHeaders } from 'node:http';
import type { Response } from '../core/response.ts';
import type { Context } from '../plan/feature.ts';
import type { Exchange } from './exchange.ts';
/** A page for everybody without a cookie, the tables that it was made of, and their version before. */
export interface KeptPage {
    readonly tag: string;
    readonly body: string;
    readonly headers: OutgoingHttpHeaders;
    readonly tables: readonly string[] | undefined;
    readonly version: string;
}
/** The place of one page among those that are kept. */
export declare class PageSlot {
    #private;
    constructor(context: Context, exchange: Exchange, key: string);
    /** The page, if nothing that it was made of has changed. */
    find(): Promise<KeptPage | undefined>;
    /** Makes the page, and notes what it reads. */
    record<T>(work: () => T): T;
    /** Keeps what a response sends, if it asks for that by `setCache`. */
    watch(response: Response): void;
}
/**
 * The slot of a page; undefined for one that is never kept: it is no GET, a gate guards it, or a cookie came with the request.
 */
export declare function findPageSlot(exchange: Exchange, context: Context): PageSlot | undefined;
